import { describe, expect, it } from 'vitest'
import { abortPass, invalidateArrow } from '../../../../src/gate/runner/acts.ts'
import { dispatch } from '../../../../src/gate/runner/dispatch/dispatch.ts'
import type { DispatchResult } from '../../../../src/gate/runner/dispatch/types.ts'
import { answerEscalation } from '../../../../src/gate/runner/verdicts/escalation.ts'
import { recordVerdict, type VerdictCommand } from '../../../../src/gate/runner/verdicts/record.ts'
import type { Arrow, Clause, Grid } from '../../../../src/protocol/grid.ts'
import { arrowOf, attestedOf, clauseOf, gridOf, quiet, type World, worldOf } from '../../../support/gates.ts'

const arrowWith = (...clauses: Clause[]): Arrow => arrowOf('analyst', 'architect', clauses)
const two = arrowWith(clauseOf('C1'), attestedOf('C2'), attestedOf('C3'))
const one = arrowWith(attestedOf('C2'))

async function run(world: World, arrow: Arrow): Promise<DispatchResult> {
  const outcome = await dispatch(world.gates, { arrowId: arrow.id, opId: 'alice', signal: quiet() })
  if (outcome.kind !== 'dispatched') throw new Error(JSON.stringify(outcome))
  return outcome.result
}

async function parked(arrow: Arrow, grid: Partial<Grid> = {}) {
  const world = worldOf(gridOf([arrow], grid))
  await run(world, arrow)
  return world
}

function give(world: World, verdict: VerdictCommand['verdict'], more: Partial<VerdictCommand> = {}) {
  const text = verdict === 'fail' ? 'src/a.ts:1' : verdict === 'pass' ? '' : 'not enough to see'
  const outcome = recordVerdict(world.gates, {
    passId: 'p-1',
    clauseId: 'C2',
    verdict,
    text,
    reason: '',
    opId: 'alice',
    ...more
  })
  return outcome
}

async function settled(outcome: ReturnType<typeof give> | ReturnType<typeof answerEscalation>) {
  if (outcome.kind !== 'recorded') throw new Error(JSON.stringify(outcome))
  return outcome.settling
}

describe('a verdict in an open pass (RUN-241, RUN-242)', () => {
  it('is on disk before it is in memory, and told last', async () => {
    const world = await parked(one)
    const order: string[] = []
    world.gates.attestations.observe(() =>
      order.push(`observer, written ${world.written.length}, in memory ${world.gates.attestations.size()}`)
    )
    world.gates.bus.subscribe(({ kind }) =>
      order.push(`${kind}, clause ${world.gates.passes.get('p-1')?.board.get('C2')?.status}`)
    )
    give(world, 'pass')
    expect(order).toEqual(['observer, written 1, in memory 1', 'attestation-recorded, clause pass'])
  })

  it('settles the pass when it was the last one wanted', async () => {
    const world = await parked(two)
    const told: DispatchResult[] = []
    world.gates.settled.observe((result) => told.push(result))
    expect(await settled(give(world, 'pass'))).toBeNull()
    expect(await settled(give(world, 'pass', { clauseId: 'C3' }))).toMatchObject({
      arrowStatus: 'complete',
      closeReason: 'ok',
      clauses: 3
    })
    expect(told).toMatchObject([{ passId: 'p-1', arrowStatus: 'complete' }])
    expect(world.gates.current(two.id)?.status).toBe('complete')
  })

  it('of fail blocks, told before and after (EVT-503)', async () => {
    const world = await parked(one)
    world.events.length = 0
    expect(await settled(give(world, 'fail'))).toMatchObject({ closeReason: 'derived-blocked', arrowStatus: 'blocked' })
    expect(world.kinds()).toEqual(['clause-fail-verdict', 'attestation-recorded', 'pass-closed'])
  })

  it('of fail is not lost when the record is refused: only the first event appears', async () => {
    const world = await parked(one)
    world.events.length = 0
    world.failWrite = new Error('disk full')
    expect(give(world, 'fail')).toMatchObject({
      refusal: { code: 'attestation-audit-write-failed', text: 'attestation-audit-write-failed: disk full' }
    })
    expect(world.kinds()).toEqual(['clause-fail-verdict'])
    expect(world.gates.attestations.size()).toBe(0)
    expect(world.gates.passes.get('p-1')?.board.get('C2')?.status).toBe('awaiting-attestation')
    world.failWrite = null
    expect(give(world, 'fail').kind).toBe('recorded')
  })

  it('of insufficient-basis counts as an answer and leads to the next round in the next pass (GATE-48)', async () => {
    const world = await parked(one)
    expect(await settled(give(world, 'insufficient-basis'))).toMatchObject({
      closeReason: 'derived-provisional',
      arrowStatus: 'provisional'
    })
    expect(await run(world, one)).toMatchObject({ isParked: true, passId: 'p-2' })
    const hint = JSON.parse(world.events.findLast(({ kind }) => kind === 'attestation-requested')?.detail ?? '{}')
    expect(hint.previous).toBe('insufficient-basis by alice in p-1')
  })

  it('of insufficient-basis can be answered again while the pass is open, as a new round (GATE-34)', async () => {
    const world = await parked(two)
    give(world, 'insufficient-basis')
    expect(give(world, 'insufficient-basis')).toMatchObject({ record: { id: `att-${two.id}-C2-v1-r2` } })
    expect(give(world, 'pass')).toMatchObject({
      kind: 'recorded',
      record: { id: `att-${two.id}-C2-v1-r3`, ref: `att-${two.id}-C2-v1` }
    })
    expect(world.gates.passes.get('p-1')?.board.get('C2')?.status).toBe('pass')
  })

  it('said twice writes nothing more, and a different one is a duplicate (ATT-204)', async () => {
    const world = await parked(two)
    give(world, 'fail')
    world.events.length = 0
    expect(give(world, 'fail')).toMatchObject({ kind: 'already', record: { id: `att-${two.id}-C2-v1` } })
    expect(give(world, 'pass')).toMatchObject({ refusal: { code: 'attestation-duplicate' } })
    expect(give(world, 'fail', { opId: 'bob' })).toMatchObject({ refusal: { code: 'attestation-duplicate' } })
    expect(world.written).toHaveLength(1)
    expect(world.kinds()).toEqual([])
  })

  it.each([
    ['no such pass', { passId: 'p-9' }, 'no-live-pass'],
    ['a clause nobody asked about', { clauseId: 'C1' }, 'no-live-pass'],
    ['no identity', { opId: '' }, 'op-id-required'],
    ['a broken identity', { opId: 'a/b' }, 'op-id-invalid-characters'],
    ['an empty note', { verdict: 'insufficient-basis', text: ' ' }, 'verdict-unit-missing-field'],
    ['an overlong note', { verdict: 'insufficient-basis', text: 'é'.repeat(9000) }, 'verdict-residue-too-long'],
    ['no locations', { verdict: 'fail', text: ' , ,' }, 'verdict-inspected-empty']
  ] as const)('with %s is refused and changes nothing', async (_, more, code) => {
    const world = await parked(two)
    expect(give(world, 'pass', more)).toMatchObject({ kind: 'refused', refusal: { code } })
    expect(world.written).toEqual([])
    expect(world.gates.openRequests(world.gates.passes.all()[0] ?? (null as never))).toHaveLength(2)
  })

  it('is refused once a file of the gate has changed (RUN-214)', async () => {
    const world = await parked(one)
    world.changedFile = { path: '.ghyll/engine.db', reason: 'another writer' }
    expect(give(world, 'pass')).toMatchObject({ refusal: { code: 'gate-file-changed' } })
    expect(world.written).toEqual([])
  })

  it('comes too late after the pass is gone', async () => {
    const world = await parked(one)
    abortPass(world.gates, 'p-1')
    expect(give(world, 'pass')).toMatchObject({ refusal: { code: 'no-live-pass' } })
  })

  it('carries what the operator saw and who they are at that moment (OPUI-409)', async () => {
    const world = await parked(one)
    give(world, 'pass', { opId: 'bob' })
    expect(world.written[0]).toMatchObject({
      kind: 'depth-type',
      opId: 'bob',
      attestedByRole: 'operator',
      sourceRole: 'analyst',
      targetRole: 'architect',
      gridVersion: 1,
      passId: 'p-1',
      context: 'shop',
      stratum: 'L0',
      unit: 'confirm',
      unitPayloadJson: '{}'
    })
    expect(JSON.parse(world.written[0]?.hintJson ?? '')).toMatchObject({ artifact_digest: 'artifact-1' })
  })

  it('of whoever opened a pass on the arrow is refused where the grid separates the two (ATT-343)', async () => {
    const strict = await parked(one, { strictOpIdSeparation: true })
    expect(give(strict, 'pass')).toMatchObject({
      refusal: { text: 'attestation-self-cert-forbidden: op-id opened pass p-1' }
    })
    expect(strict.kinds().at(-1)).toBe('self-cert-refused')
    expect(give(strict, 'pass', { opId: 'bob' }).kind).toBe('recorded')
    expect(give(await parked(one), 'pass').kind).toBe('recorded')
  })
})

describe('an artifact that moves while a pass is parked (RUN-247)', () => {
  it('aborts the pass at settlement; the verdict stays usable for the artifact it was given for', async () => {
    const world = await parked(one)
    world.artifact = { digest: 'artifact-2', dependencies: {} }
    expect(await settled(give(world, 'pass'))).toMatchObject({ closeReason: 'artifact-changed' })
    expect(world.gates.current(one.id)?.isStarted).toBe(false)
    expect(await run(world, one)).toMatchObject({ isParked: true })
    abortPass(world.gates, 'p-2')
    world.artifact = { digest: 'artifact-1', dependencies: {} }
    expect(await run(world, one)).toMatchObject({ closeReason: 'ok', arrowStatus: 'complete' })
  })

  it('settles once, however many verdicts hurry it', async () => {
    const world = await parked(two)
    const first = settled(give(world, 'pass'))
    const second = settled(give(world, 'pass', { clauseId: 'C3' }))
    const results = await Promise.all([first, second])
    expect(results.filter((result) => result !== null)).toHaveLength(1)
    expect(world.kinds().filter((kind) => kind === 'pass-closed')).toHaveLength(1)
  })

  it('is left alone when the pass is aborted while it is looked at', async () => {
    const world = await parked(one)
    const settling = settled(give(world, 'pass'))
    abortPass(world.gates, 'p-1')
    expect(await settling).toBeNull()
    expect(world.events.filter(({ kind }) => kind === 'pass-closed')).toMatchObject([
      { payload: { close_reason: 'operator-interrupt' } }
    ])
  })
})

describe('earlier verdicts (RUN-232)', () => {
  async function passedOnce(grid: Partial<Grid> = {}) {
    const world = await parked(one, grid)
    await settled(give(world, 'pass'))
    return world
  }

  it('a pass for the same artifact decides without asking; its row names the ref', async () => {
    const world = await passedOnce()
    world.events.length = 0
    expect(await run(world, one)).toMatchObject({ arrowStatus: 'complete', closeReason: 'ok' })
    expect(world.rows.at(-1)).toMatchObject({ endStatus: 'pass', attestationRef: `att-${one.id}-C2-v1` })
    expect(world.kinds()).toEqual(['pass-opened', 'pass-closed'])
  })

  it('an invalidation voids it, for good', async () => {
    const world = await passedOnce()
    invalidateArrow(world.gates, { arrowId: one.id, opId: 'alice', reason: 'x', source: 'operator' })
    expect(await run(world, one)).toMatchObject({ isParked: true })
    expect(give(world, 'pass', { passId: 'p-2' })).toMatchObject({ record: { id: `att-${one.id}-C2-v1-r2` } })
  })

  it('another grid version asks anew', async () => {
    const world = await passedOnce()
    world.gates.grid.swap(gridOf([one], { version: 2 }), world.gates.grid.registry())
    expect(await run(world, one)).toMatchObject({ pendingRefs: [`att-${one.id}-C2-v2`] })
  })

  it('a fail is asked again', async () => {
    const world = await parked(one)
    await settled(give(world, 'fail'))
    expect(await run(world, one)).toMatchObject({ isParked: true })
  })
})

describe('three times insufficient-basis', () => {
  async function crossed() {
    const world = await parked(two)
    for (let n = 0; n < 3; n += 1) give(world, 'insufficient-basis')
    return world
  }
  const answer = (world: World, option: 'accept-risk' | 'route-upstream', text = 'we know', passId = 'p-1') =>
    answerEscalation(world.gates, { passId, clauseId: 'C2', option, text, opId: 'alice' })

  it('crosses exactly once, told before the record (EVT-504, GATE-61)', async () => {
    const world = await crossed()
    const kinds = world.kinds().filter((kind) => kind === 'insufficient-basis-rounds-exceeded')
    expect(kinds).toHaveLength(1)
    expect(world.kinds().slice(-2)).toEqual(['insufficient-basis-rounds-exceeded', 'attestation-recorded'])
    expect(world.events.at(-2)?.payload).toEqual({ rounds: '3', rounds_max: '3' })
  })

  it('takes no further verdict outside the escalation (RUN-901)', async () => {
    const world = await crossed()
    for (const verdict of ['pass', 'fail', 'insufficient-basis'] as const)
      expect(give(world, verdict)).toMatchObject({ refusal: { code: 'escalation-open' } })
    expect(world.written).toHaveLength(3)
  })

  it('keeps the pass open until it is answered', async () => {
    const world = await crossed()
    expect(await settled(give(world, 'pass', { clauseId: 'C3' }))).toBeNull()
    expect(world.gates.passes.size()).toBe(1)
  })

  it('accepting the risk passes the clause, accepts its findings, and settles (EVT-504, RUN-904)', async () => {
    const world = await crossed()
    const finding = {
      arrowId: two.id,
      type: 'open-sweep',
      severity: 'high',
      description: 'x',
      raisedByRole: 'adversary',
      gridVersion: 1
    } as const
    world.gates.findings.raise([
      { ...finding, id: 'F1', targetClause: 'C2' },
      { ...finding, id: 'F2', targetClause: 'C3', severity: 'low' },
      { ...finding, id: 'F3', targetClause: 'C2', status: 'running' }
    ])
    await settled(give(world, 'pass', { clauseId: 'C3' }))
    world.events.length = 0
    expect(await settled(answer(world, 'accept-risk'))).toMatchObject({ arrowStatus: 'complete' })
    expect(world.gates.findings.all().map(({ id, status }) => [id, status])).toEqual([
      ['F1', 'accepted-risk'],
      ['F2', 'open'],
      ['F3', 'accepted-risk']
    ])
    expect(world.kinds()).toEqual([
      'escalation-presented',
      'attestation-recorded',
      'finding-transitioned',
      'finding-transitioned',
      'escalation-resolved',
      'pass-closed'
    ])
    expect(world.written.at(-1)).toMatchObject({
      verdict: 'pass',
      unit: 'write-residue-note',
      unitPayloadJson: '{"residue":"we know"}'
    })
    expect(world.gates.tracker.count(two.id, 'C2')).toBe(0)
  })

  it('accepting the risk without a finding leaves one with the note as its basis, so that the residue is visible (RUN-904)', async () => {
    const world = await crossed()
    const together: string[][] = []
    world.gates.findings.observe((changes) =>
      together.push(changes.map(({ finding, transition }) => `${transition?.opId ?? 'raised'}: ${finding.status}`))
    )
    answer(world, 'accept-risk')
    // What the journal gets as one is one transaction (PERS-303).
    expect(together).toEqual([['raised: open', 'alice: accepted-risk']])
    expect(world.gates.findings.all()).toMatchObject([
      {
        type: 'insufficient-basis',
        severity: 'medium',
        status: 'accepted-risk',
        raisedByRole: 'operator',
        targetClause: 'C2',
        basis: 'we know'
      }
    ])
  })

  it('routing upstream aborts the pass, and the next one asks for one rank more (GATE-62, RUN-222)', async () => {
    const world = await crossed()
    world.events.length = 0
    expect(await settled(answer(world, 'route-upstream'))).toMatchObject({ closeReason: 'requires-deeper-artifact' })
    expect(world.kinds()).toEqual([
      'escalation-presented',
      'attestation-recorded',
      'escalation-resolved',
      'attestation-cancelled-by-abort',
      'pass-closed'
    ])
    expect(world.gates.current(two.id)?.isStarted).toBe(false)
    await run(world, two)
    expect(world.passRows.at(-1)?.actualTier).toBe(3)
  })

  it('has no empty answer, and none where no escalation is open', async () => {
    const world = await crossed()
    expect(answer(world, 'accept-risk', ' ')).toMatchObject({ refusal: { code: 'verdict-unit-missing-field' } })
    expect(world.kinds()).not.toContain('escalation-presented')
    answer(world, 'accept-risk')
    expect(answer(world, 'accept-risk')).toMatchObject({ refusal: { code: 'no-escalation' } })
  })

  it('is not told as presented to somebody whose answer is refused (EVT-204, ATT-343)', async () => {
    const world = await parked(two, { strictOpIdSeparation: true })
    for (let n = 0; n < 3; n += 1) give(world, 'insufficient-basis', { opId: 'bob' })
    world.events.length = 0
    expect(answer(world, 'accept-risk')).toMatchObject({
      refusal: { text: 'attestation-self-cert-forbidden: op-id opened pass p-1' }
    })
    expect(world.kinds()).toEqual(['self-cert-refused'])
  })

  it('is not told as presented while the disk does not take its answer; then it is, with its resolution (EVT-204, EVT-504)', async () => {
    const world = await crossed()
    world.events.length = 0
    world.failWrite = new Error('disk full')
    expect(answer(world, 'route-upstream')).toMatchObject({ refusal: { code: 'attestation-audit-write-failed' } })
    expect(world.kinds()).toEqual([])
    expect(world.gates.tracker.isCrossed(two.id, 'C2')).toBe(true)
    world.failWrite = null
    expect(await settled(answer(world, 'route-upstream'))).toMatchObject({ closeReason: 'requires-deeper-artifact' })
    expect(world.kinds().slice(0, 3)).toEqual(['escalation-presented', 'attestation-recorded', 'escalation-resolved'])
  })

  it('stays outstanding over the end of its pass: the next request is an escalation', async () => {
    const world = await crossed()
    abortPass(world.gates, 'p-1')
    await run(world, two)
    expect(give(world, 'pass', { passId: 'p-2' })).toMatchObject({ refusal: { code: 'escalation-open' } })
    expect(answer(world, 'accept-risk', 'fine', 'p-2').kind).toBe('recorded')
    expect(world.gates.passes.get('p-2')?.board.get('C2')?.status).toBe('pass')
  })

  it('never fires below the limit of the grid', async () => {
    const world = await parked(two, { insufficientBasisRoundsMax: 5 })
    for (let n = 0; n < 4; n += 1) give(world, 'insufficient-basis')
    expect(world.kinds()).not.toContain('insufficient-basis-rounds-exceeded')
    give(world, 'insufficient-basis')
    expect(world.kinds()).toContain('insufficient-basis-rounds-exceeded')
  })

  it('is counted anew from the records at start (RUN-902)', async () => {
    const world = await crossed()
    const next = worldOf(gridOf([two]), {
      before: (gates) => {
        gates.attestations.load(world.written)
        gates.tracker.rebuild(gates.attestations.all())
      }
    })
    expect(next.gates.tracker.isCrossed(two.id, 'C2')).toBe(true)
    expect(next.events).toEqual([])
  })
})
