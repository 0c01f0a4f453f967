import { describe, expect, it } from 'vitest'
import { abortPass, invalidateArrow } from '../../../../src/gate/runner/acts.ts'
import { dispatch } from '../../../../src/gate/runner/dispatch/dispatch.ts'
import type { DispatchOutcome, DispatchResult } from '../../../../src/gate/runner/dispatch/types.ts'
import { parseHint } from '../../../../src/gate/runner/hint.ts'
import type { Cycle, CycleReport, ProducerHint } from '../../../../src/gate/runner/ports.ts'
import type { LoopOutcome } from '../../../../src/gate/runner/records.ts'
import type { EvaluationContext } from '../../../../src/protocol/evaluation.ts'
import type { EvaluationResult } from '../../../../src/protocol/gate.ts'
import type { Arrow, Clause } from '../../../../src/protocol/grid.ts'
import {
  arrowOf,
  attestedOf,
  clauseOf,
  failResult,
  gridOf,
  passResult,
  quiet,
  sensitiveOf,
  type World,
  worldOf
} from '../../../support/gates.ts'

const arrowWith = (...clauses: Clause[]): Arrow => arrowOf('analyst', 'architect', clauses)

async function run(world: World, arrow: Arrow, signal = quiet()): Promise<DispatchResult> {
  const outcome: DispatchOutcome = await dispatch(world.gates, { arrowId: arrow.id, opId: 'alice', signal })
  if (outcome.kind !== 'dispatched') throw new Error(JSON.stringify(outcome))
  return outcome.result
}

const stuck = (reason: string): EvaluationResult => ({ status: 'unevaluated', reason: reason as never, details: {} })

describe('one pass over an arrow', () => {
  it('of machine clauses closes ok, with one row each in declared order (EVT-500)', async () => {
    const arrow = arrowWith(clauseOf('C1'), clauseOf('C2'))
    const world = worldOf(gridOf([arrow]))
    expect(await run(world, arrow)).toMatchObject({
      passId: 'p-1',
      arrowStatus: 'complete',
      clauses: 2,
      blockingClauses: 0,
      blockingFindings: 0,
      isParked: false,
      closeReason: 'ok'
    })
    expect(world.kinds()).toEqual(['pass-opened', 'pass-closed'])
    expect(world.rows.map(({ clauseId, passId, endStatus }) => [clauseId, passId, endStatus])).toEqual([
      ['C1', 'p-1', 'pass'],
      ['C2', 'p-1', 'pass']
    ])
    expect(new Set(world.rows.map(({ id }) => id)).size).toBe(2)
    expect(world.rows[0]?.id).toMatch(/^ev-20260101-000000-\d{9}-1\.1$/)
  })

  it('keeps the state of the others when one evaluator fails, breaks, times out or says nothing (RUN-230, GATE-41)', async () => {
    const arrow = arrowWith(
      clauseOf('C1'),
      clauseOf('C2'),
      clauseOf('C3'),
      clauseOf('C4'),
      clauseOf('C5', { missing: ['scope:path-glob'] }),
      clauseOf('C6')
    )
    const world = worldOf(gridOf([arrow]))
    world.results.set('C1', failResult)
    world.results.set('C2', new Error('bad pattern'))
    world.results.set('C3', stuck('evaluator-timeout'))
    world.results.set('C4', async () => undefined as never)
    expect(await run(world, arrow)).toMatchObject({
      arrowStatus: 'blocked',
      closeReason: 'derived-blocked',
      clauses: 6,
      blockingClauses: 1
    })
    expect(
      world.rows.map(({ endStatus, unevaluatedReason, runError }) => [endStatus, unevaluatedReason, runError])
    ).toEqual([
      ['fail', null, ''],
      ['unevaluated', 'evaluator-error', 'bad pattern'],
      ['unevaluated', 'evaluator-timeout', ''],
      ['unevaluated', 'evaluator-error', 'the evaluator returned nothing'],
      ['unevaluated', 'args-unbound', ''],
      ['pass', null, '']
    ])
  })

  it('tells what an evaluator took away and did not get back, also after a cancellation (CONC-66)', async () => {
    const arrow = arrowWith(clauseOf('C1'), clauseOf('C2'))
    const world = worldOf(gridOf([arrow]))
    const unrestored = { ...stuck('restore-failed'), details: { 'not-restored': ['db'] } }
    const stop = new AbortController()
    world.results.set('C1', async () => {
      stop.abort()
      return unrestored
    })
    expect(await run(world, arrow, stop.signal)).toMatchObject({ closeReason: 'operator-interrupt' })
    expect(world.events.find(({ kind }) => kind === 'restore-failed')).toMatchObject({
      arrow_id: arrow.id,
      clause_id: 'C1',
      pass_id: 'p-1',
      payload: { dependencies: 'db' }
    })
    world.results.set('C1', stuck('restore-failed'))
    await run(world, arrow)
    expect(world.events.findLast(({ kind }) => kind === 'restore-failed')?.payload).toEqual({ dependencies: '' })
  })

  it('is blocked by a finding though every clause passed (RUN-262)', async () => {
    const arrow = arrowWith(clauseOf('C1'))
    const world = worldOf(gridOf([arrow]))
    const finding = { arrowId: arrow.id, type: 'local-bug', severity: 'medium', description: 'x' } as const
    world.gates.findings.raise([{ ...finding, raisedByRole: 'operator', gridVersion: 1 }])
    expect(await run(world, arrow)).toMatchObject({ arrowStatus: 'blocked', blockingClauses: 0, blockingFindings: 1 })
  })

  it('aborts with clause-error when a row cannot be written, and frees its lock', async () => {
    const arrow = arrowWith(clauseOf('C1'), clauseOf('C2'))
    const world = worldOf(gridOf([arrow]))
    world.failRun = new Error('disk full')
    expect(await run(world, arrow)).toMatchObject({ closeReason: 'clause-error: clause C1: disk full' })
    expect(world.gates.locks.inspect()).toEqual([])
    expect(world.gates.current(arrow.id)).toMatchObject({ status: 'unevaluated', isStarted: false })
  })

  it('names a clause without an id by its place, ids in use skipped', async () => {
    const arrow = arrowWith(clauseOf('C2'), clauseOf(''), clauseOf(''))
    const world = worldOf(gridOf([arrow]))
    await run(world, arrow)
    expect(world.rows.map(({ clauseId }) => clauseId)).toEqual(['C2', 'C3', 'C4'])
  })

  it('gives every evaluator the facts of its pass', async () => {
    const arrow = arrowWith(clauseOf('C1', { args: { scope: 'src/**' } }))
    const world = worldOf(gridOf([arrow]))
    let seen: EvaluationContext | null = null
    world.results.set('C1', async (context) => {
      seen = context
      expect(context.state.passes()).toMatchObject([{ id: 'p-1', state: 'open' }])
      expect(context.state.findings(arrow.id)).toMatchObject({ threshold: 'medium', findings: [] })
      expect(context.state.arrows()).toMatchObject([{ id: arrow.id, status: 'unevaluated', depth: 0 }])
      return passResult
    })
    await run(world, arrow)
    expect(seen).toMatchObject({
      projectDir: '/project',
      clauseId: 'C1',
      passId: 'p-1',
      arrowId: arrow.id,
      concept: 'no-todo-marker',
      args: { scope: 'src/**' }
    })
  })

  it('aborts when the artifact changed between verification and close (RUN-247)', async () => {
    const arrow = arrowWith(clauseOf('C1'))
    const world = worldOf(gridOf([arrow]))
    world.results.set('C1', async () => {
      world.artifact = { digest: 'artifact-2', dependencies: {} }
      return passResult
    })
    expect(await run(world, arrow)).toMatchObject({ closeReason: 'artifact-changed' })
    expect(world.gates.current(arrow.id)?.isStarted).toBe(false)
  })

  it('does not close once a file of the gate has changed (RUN-214)', async () => {
    const arrow = arrowWith(clauseOf('C1'))
    const world = worldOf(gridOf([arrow]))
    world.results.set('C1', async () => {
      world.changedFile = { path: '.ghyll/grid.current', reason: 'digest differs' }
      return passResult
    })
    expect(await run(world, arrow)).toMatchObject({ isParked: true, held: 'gate-file-changed: .ghyll/grid.current' })
    expect(world.kinds()).toEqual(['pass-opened', 'gate-file-changed'])
    expect(world.gates.passes.size()).toBe(1)
  })

  it.each(['operator-interrupt', 'manual-stop'])(
    '%s leaves it open too once that was seen, and evaluates nothing more (RUN-214)',
    async (reason) => {
      const arrow = arrowWith(clauseOf('C1'), clauseOf('C2'))
      const world = worldOf(gridOf([arrow]))
      const stop = new AbortController()
      world.results.set('C1', async () => {
        world.changedFile = { path: '.ghyll/grid.current', reason: 'digest differs' }
        world.gates.tampered()
        stop.abort(reason)
        return passResult
      })
      const outcome = await dispatch(world.gates, { arrowId: arrow.id, opId: '', signal: stop.signal })
      expect(outcome).toMatchObject({
        result: { isParked: true, held: 'gate-file-changed: .ghyll/grid.current', closeReason: '', clauses: 1 }
      })
      expect(world.rows.map(({ clauseId }) => clauseId)).toEqual(['C1'])
    }
  )

  it('records digests when it closes ok, and only then (GATE-89)', async () => {
    const arrow = arrowWith(clauseOf('C1'))
    const world = worldOf(gridOf([arrow]))
    world.artifact = { digest: 'artifact-1', dependencies: { 'specs/a.md': 'd' } }
    await run(world, arrow)
    expect(world.gates.history.effective(arrow.id)?.pass.dependencyDigests).toEqual({ 'specs/a.md': 'd' })
    world.results.set('C1', failResult)
    await run(world, arrow)
    expect(world.gates.history.effective(arrow.id)?.pass).toMatchObject({
      artifactDigest: 'artifact-1',
      dependencyDigests: null
    })
  })
})

describe('what stops a pass (RUN-112, RUN-236)', () => {
  it.each([
    ['manual-stop', 'manual-stop'],
    ['whatever else', 'operator-interrupt']
  ])('a signal with reason %s ends it as %s before the next clause', async (reason, closeReason) => {
    const arrow = arrowWith(clauseOf('C1'), clauseOf('C2'))
    const world = worldOf(gridOf([arrow]))
    const stop = new AbortController()
    world.results.set('C1', async ({ signal }) => {
      stop.abort(reason)
      expect(signal.aborted).toBe(true)
      return stuck('evaluator-cancelled')
    })
    expect(await run(world, arrow, stop.signal)).toMatchObject({ closeReason })
    expect(world.rows.map(({ clauseId }) => clauseId)).toEqual(['C1'])
  })

  it.each(['abort', 'invalidate'])(
    '%s while a clause is evaluated: the late result is a row and decides nothing',
    async (how) => {
      const arrow = arrowWith(clauseOf('C1'), clauseOf('C2'))
      const world = worldOf(gridOf([arrow]))
      world.results.set('C1', async ({ signal, passId }) => {
        if (how === 'abort') abortPass(world.gates, passId)
        else invalidateArrow(world.gates, { arrowId: arrow.id, opId: 'bob', reason: '', source: 'operator' })
        expect(signal.aborted).toBe(true)
        return passResult
      })
      const result = await run(world, arrow)
      expect(result.closeReason).toBe(how === 'abort' ? 'operator-interrupt' : 'invalidated')
      expect(world.rows.map(({ clauseId, endStatus }) => [clauseId, endStatus])).toEqual([['C1', 'pass']])
      expect(world.gates.current(arrow.id)?.status).toBe(how === 'abort' ? 'unevaluated' : 'invalidated')
      expect(world.gates.locks.inspect()).toEqual([])
    }
  )

  it('closes after mutating and releasing: whoever hears of it sees the final state and a free lock (RUN-113)', async () => {
    const arrow = arrowWith(clauseOf('C1'))
    const world = worldOf(gridOf([arrow]))
    const seen: unknown[] = []
    const look = (who: string) =>
      seen.push([
        who,
        world.gates.passes.size(),
        world.gates.locks.inspect().length,
        world.gates.current(arrow.id)?.status
      ])
    world.gates.passes.observe(({ kind }) => kind === 'close' && look('observer'))
    world.gates.bus.subscribe(({ kind }) => kind === 'pass-closed' && look('bus'))
    await run(world, arrow)
    expect(seen).toEqual([
      ['observer', 0, 0, 'complete'],
      ['bus', 0, 0, 'complete']
    ])
  })
})

describe('an arrow with attested clauses', () => {
  it('parks with one request per clause, its row before the event, and keeps its lock (RUN-230, RUN-240)', async () => {
    const arrow = arrowWith(clauseOf('C1'), attestedOf('C2'), attestedOf('C3'))
    const world = worldOf(gridOf([arrow]))
    let rowsAtRequest = 0
    world.gates.bus.subscribe(({ kind }) => {
      if (kind === 'attestation-requested' && rowsAtRequest === 0) rowsAtRequest = world.rows.length
    })
    expect(await run(world, arrow)).toMatchObject({
      arrowStatus: 'provisional',
      isParked: true,
      pendingRefs: [`att-${arrow.id}-C2-v1`, `att-${arrow.id}-C3-v1`],
      closeReason: '',
      blockingClauses: 2
    })
    expect(rowsAtRequest).toBe(3)
    expect(world.rows[1]).toMatchObject({
      endStatus: 'running',
      attestationRef: `att-${arrow.id}-C2-v1`,
      completedAt: ''
    })
    expect(world.kinds()).toEqual(['pass-opened', 'attestation-requested', 'attestation-requested'])
    expect(world.gates.locks.inspect()).toMatchObject([{ passId: 'p-1' }])
    expect(world.gates.current(arrow.id)).toMatchObject({ status: 'unevaluated', isStarted: false })
  })

  it('is blocked rather than provisional when something worse holds (RUN-240)', async () => {
    const arrow = arrowWith(clauseOf('C1'), attestedOf('C2'))
    const world = worldOf(gridOf([arrow]))
    world.results.set('C1', failResult)
    expect(await run(world, arrow)).toMatchObject({ arrowStatus: 'blocked', isParked: true })
  })

  it('asks with the synthesised hint, and evidence of the evaluator where the clause has one (ATT-360)', async () => {
    const arrow = arrowWith(attestedOf('C1'), clauseOf('C2', { eval: 'attested', concept: 'lint-clean' }))
    const world = worldOf(gridOf([arrow]))
    world.results.set('C2', { status: 'fail', reason: null, details: { problems: 3 } })
    await run(world, arrow)
    const hints = world.events
      .filter(({ kind }) => kind === 'attestation-requested')
      .map(({ detail }) => parseHint(detail ?? ''))
    expect(hints).toEqual([
      {
        arrow_id: arrow.id,
        clause_id: 'C1',
        concept: 'attested',
        attestation_ref: `att-${arrow.id}-C1-v1`,
        artifact_digest: 'artifact-1',
        description: 'what C1 demands'
      },
      {
        arrow_id: arrow.id,
        clause_id: 'C2',
        concept: 'lint-clean',
        attestation_ref: `att-${arrow.id}-C2-v1`,
        artifact_digest: 'artifact-1',
        description: 'what C2 demands',
        evidence: 'fail\nproblems: 3'
      }
    ])
    expect(world.gates.passes.get('p-1')?.board.get('C2')?.status).toBe('awaiting-attestation')
  })

  it('aborted while parked: one cancellation per open request, then pass-closed (EVT-508)', async () => {
    const arrow = arrowWith(attestedOf('C1'), attestedOf('C2'))
    const world = worldOf(gridOf([arrow]))
    await run(world, arrow)
    world.events.length = 0
    expect(abortPass(world.gates, 'p-1')).toMatchObject({ kind: 'aborted', cancelled: 2 })
    expect(world.kinds()).toEqual(['attestation-cancelled-by-abort', 'attestation-cancelled-by-abort', 'pass-closed'])
    expect(abortPass(world.gates, 'p-1')).toMatchObject({ refusal: { text: 'no open pass "p-1"' } })
  })

  it('invalidated while parked: told before the pass closes (EVT-507)', async () => {
    const arrow = arrowWith(attestedOf('C1'))
    const world = worldOf(gridOf([arrow]))
    await run(world, arrow)
    world.events.length = 0
    const outcome = invalidateArrow(world.gates, { arrowId: arrow.id, opId: 'bob', reason: '', source: 'operator' })
    expect(outcome).toMatchObject({ invalidation: { reason: 'operator-requested' }, aborted: [{ id: 'p-1' }] })
    expect(world.kinds()).toEqual(['arrow-invalidated', 'attestation-cancelled-by-abort', 'pass-closed'])
    expect(world.events.at(-1)?.payload).toMatchObject({ close_reason: 'invalidated', arrow_status: 'invalidated' })
  })
})

function cycleOf(outcome: LoopOutcome, more: Partial<CycleReport> = {}, hint?: Cycle['hint']): Cycle {
  const report = { outcome, roundsUsed: 2, detail: '', results: new Map(), ...more }
  return { run: async () => report, ...(hint !== undefined && { hint }) }
}

describe('a pass with an adversarial cycle', () => {
  const arrow = arrowWith(
    clauseOf('C1'),
    sensitiveOf('C2', 2),
    sensitiveOf('C3', 2, { eval: 'attested', concept: null })
  )

  function sensitiveWorld(cycle: Cycle) {
    const world = worldOf(gridOf([arrow]))
    world.adversary = { disabled: false, cycle }
    return world
  }

  it('verifies robust and attested clauses and what it adds by itself, and takes machine ones from the last round (RUN-231)', async () => {
    const world = sensitiveWorld(cycleOf('converged', { results: new Map([['C2', passResult]]) }))
    world.results.set('C2', new Error('must not run again'))
    expect(await run(world, arrow)).toMatchObject({
      isParked: true,
      clauses: 3,
      remediation: { outcome: 'converged', roundsUsed: 2 }
    })
    expect(world.rows.map(({ clauseId, endStatus }) => [clauseId, endStatus])).toEqual([
      ['C1', 'pass'],
      ['C2', 'pass'],
      ['C3', 'running'],
      [`auto/${arrow.id}/no-open-finding`, 'pass'],
      [`auto/${arrow.id}/every-requirement-meets-min-depth`, 'pass']
    ])
    expect(world.kinds()).toEqual(['pass-opened', 'gate-routing', 'attestation-requested'])
    expect(world.events[1]?.payload).toEqual({ required_rank: '2', model: 'deep', outcome: 'gate-floor' })
    expect(world.events[2]?.payload?.adversary_role).toBe('adversary')
  })

  it('leaves a machine clause the cycle has no result for unevaluated', async () => {
    const world = sensitiveWorld(cycleOf('converged'))
    expect(await run(world, arrow)).toMatchObject({ arrowStatus: 'unevaluated' })
  })

  it.each(['escalated-rounds-max', 'escalated-no-progress', 'escalated-hook-error'] as const)(
    '%s aborts and becomes the arrow status (RUN-650)',
    async (outcome) => {
      const world = sensitiveWorld(cycleOf(outcome))
      expect(await run(world, arrow)).toMatchObject({
        closeReason: `aborted-remediation:${outcome}`,
        arrowStatus: 'aborted-remediation'
      })
      expect(world.rows).toEqual([])
      expect(world.gates.current(arrow.id)?.status).toBe('aborted-remediation')
    }
  )

  it('a cancelled cycle leaves the arrow as it was', async () => {
    const world = sensitiveWorld(cycleOf('context-cancelled'))
    expect(await run(world, arrow)).toMatchObject({ closeReason: 'operator-interrupt', arrowStatus: 'unevaluated' })
    expect(world.gates.current(arrow.id)?.isStarted).toBe(false)
  })

  it('a cycle that throws is kept apart from the others', async () => {
    const world = sensitiveWorld({
      run: async () => {
        throw new Error('hook broke')
      }
    })
    expect(await run(world, arrow)).toMatchObject({ closeReason: 'adversarial-phase-error: hook broke' })
  })

  it('an unreachable model leaves sensitive clauses unevaluated, without a request, and the robust ones verified (RUN-224)', async () => {
    const world = sensitiveWorld(cycleOf('model-unreachable'))
    expect(await run(world, arrow)).toMatchObject({ arrowStatus: 'unevaluated', blockingClauses: 2, isParked: false })
    expect(world.rows.map(({ clauseId, unevaluatedReason }) => [clauseId, unevaluatedReason])).toEqual([
      ['C1', null],
      ['C2', 'depth-below-required'],
      ['C3', 'depth-below-required']
    ])
  })

  it.each([
    ['a lock', { lockedModel: 'deep' }, 'gate-locked-conflict', '--model vouches for no tier'],
    ['no deep model', { deepModel: null }, 'gate-unsatisfiable', 'no configured model offers it']
  ])(
    'with %s no cycle runs and every clause above the rank goes to the operator, machine ones too (RUN-223)',
    async (_, routing, outcome, why) => {
      const world = sensitiveWorld(cycleOf('converged'))
      world.routing = { ...world.routing, ...routing }
      expect(await run(world, arrow)).toMatchObject({
        isParked: true,
        remediation: null,
        pendingRefs: [`att-${arrow.id}-C2-v1`, `att-${arrow.id}-C3-v1`]
      })
      expect(world.events[1]).toMatchObject({ kind: 'gate-routing', payload: { outcome } })
      expect(parseHint(world.events[2]?.detail ?? '')).toMatchObject({
        unevaluated_reason: 'depth-below-required',
        note: `needs rank 2, ${why}`
      })
      expect(world.passRows[0]?.actualTier).toBe(1)
    }
  )

  it('runs no cycle for an arrow of robust clauses (RUN-600)', async () => {
    const robust = arrowWith(clauseOf('C1'))
    const world = worldOf(gridOf([robust]))
    world.adversary = {
      disabled: false,
      cycle: {
        run: async () => {
          throw new Error('not for this arrow')
        }
      }
    }
    expect(await run(world, robust)).toMatchObject({ closeReason: 'ok', remediation: null })
  })

  const goodHint: ProducerHint = { kind: 'hint', locations: ['src/a.ts:1-9'], basis: 'files changed', residue: 'tests' }

  it('asks with the hint of the producer', async () => {
    const world = sensitiveWorld(cycleOf('converged', { results: new Map([['C2', passResult]]) }, async () => goodHint))
    await run(world, arrow)
    expect(parseHint(world.events.at(-1)?.detail ?? '')).toMatchObject({
      locations: ['src/a.ts:1-9'],
      basis: 'files changed',
      residue: 'tests'
    })
  })

  it.each([
    ['judges', { ...goodHint, basis: 'This LOOKS GOOD to me' }],
    ['is incomplete', { ...goodHint, residue: ' ' }],
    ['chooses by no rule', { kind: 'no-rule' }]
  ] as const)(
    'a hint that %s leaves the clause unevaluated and raises it against the producer (GATE-39, GATE-58)',
    async (what, hint) => {
      let asked = 0
      const ask = async () => {
        asked += 1
        return hint
      }
      const world = sensitiveWorld(cycleOf('converged', { results: new Map([['C2', passResult]]) }, ask))
      expect(await run(world, arrow)).toMatchObject({ arrowStatus: 'blocked', isParked: false })
      expect(asked).toBe(what === 'chooses by no rule' ? 1 : 2)
      expect(world.rows.find(({ clauseId }) => clauseId === 'C3')?.unevaluatedReason).toBe(
        'no-rule-selectable-locations'
      )
      expect(world.gates.findings.all()).toMatchObject([
        { type: 'unable-to-hint', raisedByRole: 'analyst', targetClause: 'C3' }
      ])
    }
  )

  it('a silent producer leaves the clause unevaluated', async () => {
    const world = sensitiveWorld(
      cycleOf('converged', { results: new Map([['C2', passResult]]) }, async () => ({ kind: 'no-response' }))
    )
    expect(await run(world, arrow)).toMatchObject({ arrowStatus: 'unevaluated' })
    expect(world.rows.find(({ clauseId }) => clauseId === 'C3')?.unevaluatedReason).toBe('producer-no-response')
  })
})

it("an integrator's pass imports its ledger before verification and is scanned after it closed (EVT-506, RUN-711)", async () => {
  const arrow = arrowOf('integrator', 'analyst', [clauseOf('C1')])
  const world = worldOf(gridOf([arrow]))
  const order: string[] = []
  world.gates.bus.subscribe(({ kind }) => order.push(kind))
  world.results.set('C1', async () => {
    order.push('verify')
    return passResult
  })
  world.amendments = {
    beforeVerification: async () => void order.push('import'),
    afterClose: () => void order.push('scan'),
    counts: () => ({ pending: 0, drained: 0 })
  }
  await run(world, arrow)
  expect(order).toEqual(['pass-opened', 'import', 'verify', 'pass-closed', 'scan'])
})
