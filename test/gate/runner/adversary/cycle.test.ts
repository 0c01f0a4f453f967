import { describe, expect, it } from 'vitest'
import type { Finding } from '../../../../src/gate/runner/records.ts'
import type { Grid } from '../../../../src/protocol/grid.ts'
import {
  dispositions,
  edit,
  foundOne,
  nothingFound,
  playIn,
  runArrow,
  type Script
} from '../../../support/adversary.ts'
import {
  arrowOf,
  attestedOf,
  clauseOf,
  failResult,
  gridOf,
  passResult,
  sensitiveOf,
  worldOf
} from '../../../support/gates.ts'

const judged = attestedOf('C7', { depth: 'depth-sensitive', minTier: 2 })
const arrow = arrowOf('analyst', 'architect', [clauseOf('C1'), sensitiveOf('C5', 2), judged])
const id = arrow.id

function scene(script: Script, more: { grid?: Partial<Grid>; arrow?: Partial<typeof arrow> } = {}) {
  const world = worldOf(gridOf([{ ...arrow, ...more.arrow }], more.grid))
  const play = playIn(world, script)
  return { world, play, findings: (): readonly Finding[] => world.gates.findings.ofArrow(id) }
}

const cycleKinds = (kinds: readonly string[]) =>
  kinds.filter((kind) => /^(pass-|adversarial-|producer-|remediation-|risk-|attestation-req)/.test(kind))

describe('converging', () => {
  it('an attack that finds nothing converges in round 1 without a word to the producer (RUN-630, EVT-502)', async () => {
    const { world, play } = scene({})
    const result = await runArrow(world, id)
    expect(result.remediation).toEqual({ outcome: 'converged', roundsUsed: 1 })
    expect(cycleKinds(world.kinds())).toEqual([
      'pass-opened',
      'adversarial-round-start',
      'remediation-converged',
      'attestation-requested'
    ])
    expect(play.calls).toEqual(['falsify C7', 'sweep'])
    expect(result.isParked).toBe(true)
  })

  it('a finding that the next fresh attack does not find again is resolved, and round 2 converges (EVT-501)', async () => {
    const { world, play, findings } = scene({
      sweep: ({ round }) => (round === 1 ? foundOne() : nothingFound),
      fix: (ask) => {
        edit(world, 'fixed')
        return dispositions(ask, 'fixed')
      }
    })
    const result = await runArrow(world, id)
    expect(result.remediation).toEqual({ outcome: 'converged', roundsUsed: 2 })
    expect(cycleKinds(world.kinds())).toEqual([
      'pass-opened',
      'adversarial-round-start',
      'producer-fix-signal',
      'adversarial-round-start',
      'remediation-converged',
      'attestation-requested'
    ])
    expect(findings().map(({ status }) => status)).toEqual(['resolved'])
    const moves = world.events.filter(({ kind }) => kind === 'finding-transitioned')
    expect(moves.map(({ role, payload }) => `${role}: ${payload?.from} → ${payload?.outcome}`)).toEqual([
      'producer: open → running',
      'adversary: running → resolved'
    ])
    expect(play.records).toMatchObject([{ outcome: 'converged', cycle_outcome: 'converged', rounds_used: 2 }])
    expect(world.gates.passes.all()[0]?.record).toMatchObject({
      remediationOutcome: 'converged',
      remediationRoundsUsed: 2
    })
  })

  it('requests after a cycle carry the role adversary and never a model (RUN-233)', async () => {
    const { world } = scene({})
    await runArrow(world, id)
    const request = world.events.find(({ kind }) => kind === 'attestation-requested')
    expect(request?.payload?.adversary_role).toBe('adversary')
  })

  it('round-start tells round, maximum, open findings and the label of the tier', async () => {
    const { world } = scene({ sweep: ({ round }) => (round === 1 ? foundOne() : nothingFound) })
    await runArrow(world, id)
    const starts = world.events.filter(({ kind }) => kind === 'adversarial-round-start')
    expect(starts.map(({ payload }) => payload)).toMatchObject([
      { round: '1', rounds_max: '5', open_findings: '0', tier_label: 'REALISTIC' },
      { round: '2', rounds_max: '5', open_findings: '1', tier_label: 'REALISTIC' }
    ])
  })

  it('findings below the threshold never hold the cycle: it converges after the producer had its turn (RUN-635)', async () => {
    const { world, findings } = scene({ sweep: () => foundOne({ severity: 'low' }) })
    const result = await runArrow(world, id)
    expect(result.remediation).toEqual({ outcome: 'converged', roundsUsed: 1 })
    expect(findings().map(({ severity, status }) => [severity, status])).toEqual([['low', 'running']])
  })

  it('a claim of "fixed" never converges by itself: only a new attack settles a finding (RUN-633)', async () => {
    let rounds = 0
    const { world } = scene({
      sweep: ({ round }) => {
        rounds = round
        return round === 1 ? foundOne() : nothingFound
      },
      recheck: ({ findingId }) => ({ finding_id: findingId, reproduced: 'cannot-tell', evidence: '' }),
      fix: (ask) => {
        edit(world, `edit ${ask.round}`)
        return dispositions(ask, 'fixed')
      }
    })
    const result = await runArrow(world, id)
    expect(result.remediation).toEqual({ outcome: 'escalated-rounds-max', roundsUsed: 5 })
    expect(rounds).toBe(5)
  })

  it('what nobody could give a severity leaves the cycle converged-with-unevaluated, and the arrow not complete (RUN-650)', async () => {
    const { world, findings } = scene({ sweep: () => foundOne({ severity: 'unevaluated' }) })
    world.results.set(`auto/${id}/no-open-finding`, { status: 'fail', reason: null, details: {} })
    const result = await runArrow(world, id)
    expect(result.remediation?.outcome).toBe('converged-with-unevaluated')
    // A clause that verification added by itself says what it demands as well (OPUI-323).
    expect(result.blocking[0]).toEqual({
      id: `auto/${id}/no-open-finding`,
      status: 'fail',
      why: 'no finding of the arrow is open at or above the threshold'
    })
    expect(findings()).toMatchObject([{ status: 'unevaluated' }])
    expect(result.arrowStatus).toBe('blocked')
    expect(world.kinds()).not.toContain('producer-fix-signal')
  })
})

describe('machine clauses', () => {
  it('are attacked through their evaluator under an id of the round, and that result is theirs for the pass (RUN-231)', async () => {
    const { world, findings } = scene({
      fix: (ask) => {
        world.results.set('C5/adv/round2', passResult)
        edit(world, 'fixed')
        return dispositions(ask, 'fixed')
      }
    })
    world.results.set('C5/adv/round1', failResult)
    const result = await runArrow(world, id)
    expect(result.remediation).toEqual({ outcome: 'converged', roundsUsed: 2 })
    expect(findings()).toMatchObject([
      {
        type: 'clause-falsification',
        severity: 'high',
        targetClause: 'C5',
        status: 'resolved',
        raisedByRole: 'adversary'
      }
    ])
    const rows = world.rows.filter(({ clauseId }) => clauseId.startsWith('C5'))
    expect(rows.map(({ clauseId, endStatus }) => [clauseId, endStatus])).toEqual([
      ['C5/adv/round1', 'fail'],
      ['C5/adv/round2', 'pass'],
      ['C5', 'pass']
    ])
  })

  it('a clause that still fails is one finding, reopened, not a new one each round (RUN-632)', async () => {
    const { world, findings } = scene({
      fix: (ask) => {
        edit(world, `edit ${ask.round}`)
        return dispositions(ask, 'fixed')
      }
    })
    for (let round = 1; round <= 5; round += 1) world.results.set(`C5/adv/round${round}`, failResult)
    const result = await runArrow(world, id)
    expect(result.remediation).toEqual({ outcome: 'escalated-rounds-max', roundsUsed: 5 })
    expect(result.arrowStatus).toBe('aborted-remediation')
    expect(result.closeReason).toBe('aborted-remediation:escalated-rounds-max')
    expect(findings()).toHaveLength(1)
    expect(findings()[0]?.status).toBe('running')
  })

  it('an edit that leads to convergence in mid-round is evaluated again, so that no old result stands for it', async () => {
    const { world } = scene({
      sweep: () => foundOne({ severity: 'low' }),
      fix: (ask) => {
        world.results.set('C5/adv/round1', failResult)
        edit(world, 'broken meanwhile')
        return dispositions(ask, 'fixed')
      }
    })
    const result = await runArrow(world, id)
    expect(result.remediation?.outcome).toBe('converged')
    expect(result.arrowStatus).toBe('blocked')
  })

  it('a row that cannot be written ends the pass, and the cycle is told as cancelled (RUN-230)', async () => {
    const { world } = scene({})
    world.failRun = new Error('disk full')
    const result = await runArrow(world, id)
    expect(result.closeReason).toBe('clause-error: clause C5/adv/round1: disk full')
    expect(world.events.find(({ kind }) => kind === 'remediation-escalated')?.payload?.outcome).toBe(
      'context-cancelled'
    )
  })
})

describe('escalating', () => {
  it('the maximum is the grid’s: after it the pass aborts and the finding stays open (GATE-68, RUN-650)', async () => {
    const { world, play, findings } = scene(
      {
        sweep: () => foundOne(),
        fix: (ask) => {
          edit(world, `edit ${ask.round}`)
          return dispositions(ask, 'fixed')
        }
      },
      { grid: { remediationRoundsMax: 2 } }
    )
    const result = await runArrow(world, id)
    expect(result).toMatchObject({
      closeReason: 'aborted-remediation:escalated-rounds-max',
      arrowStatus: 'aborted-remediation',
      remediation: { outcome: 'escalated-rounds-max', roundsUsed: 2 },
      isParked: false
    })
    expect(findings()).toHaveLength(1)
    expect(play.records[0]?.cycle_outcome).toBe('escalated-after-max-rounds')
    expect(world.kinds()).not.toContain('attestation-requested')
  })

  it('a producer that changes nothing sets off the loop bomb in round 2, and is told of it in round 1 (RUN-640)', async () => {
    const { world, play } = scene({ sweep: () => foundOne() })
    const result = await runArrow(world, id)
    expect(result.remediation).toEqual({ outcome: 'escalated-hook-error', roundsUsed: 2 })
    expect(world.kinds()).toContain('producer-signal-without-change')
    const escalated = world.events.find(({ kind }) => kind === 'remediation-escalated')
    expect(escalated?.payload?.reason).toBe(
      'producer-loop-bomb: producer-fix: loop-bomb (unchanged artifact across rounds)'
    )
    expect(play.records[0]).toMatchObject({ cycle_outcome: 'producer-error', detail: 'producer-loop-bomb' })
  })

  it('other words about the same artifact are another answer only when an action differs (RUN-640)', async () => {
    const { world } = scene({
      sweep: () => foundOne(),
      fix: (ask) => dispositions(ask, ask.round === 1 ? 'fixed' : 'propose-accepted-risk')
    })
    const result = await runArrow(world, id)
    // Rounds 2 and 3 say the same about the same artifact.
    expect(result.remediation).toEqual({ outcome: 'escalated-hook-error', roundsUsed: 3 })
  })

  it('a producer that can fix nothing ends the cycle at once as no progress', async () => {
    const { world, play } = scene({ sweep: () => foundOne(), fix: (ask) => dispositions(ask, 'cannot-fix') })
    const result = await runArrow(world, id)
    expect(result.remediation).toEqual({ outcome: 'escalated-no-progress', roundsUsed: 1 })
    expect(result.closeReason).toBe('aborted-remediation:escalated-no-progress')
    expect(play.records[0]?.cycle_outcome).toBe('producer-error')
  })

  it('the second producer error in a row ends it, a single one does not (RUN-634)', async () => {
    const twice = scene({ sweep: () => foundOne(), fix: () => new Error('no such tool') })
    expect((await runArrow(twice.world, id)).remediation).toEqual({ outcome: 'escalated-hook-error', roundsUsed: 2 })
    expect(twice.play.records[0]?.detail).toBe('producer-fix-error')

    const once = scene({
      sweep: ({ round }) => (round < 3 ? foundOne() : nothingFound),
      fix: (ask) => {
        if (ask.round === 1) return new Error('no such tool')
        edit(once.world, 'fixed')
        return dispositions(ask, 'fixed')
      }
    })
    expect((await runArrow(once.world, id)).remediation).toEqual({ outcome: 'converged', roundsUsed: 3 })
  })

  it('an adversary that says nothing usable twice in a row proves nothing: hook error (RUN-636)', async () => {
    const { world, play } = scene({ sweep: () => 'I found nothing, looks fine to me.' })
    const result = await runArrow(world, id)
    expect(result.remediation).toEqual({ outcome: 'escalated-hook-error', roundsUsed: 2 })
    expect(play.records[0]?.detail).toBe('adversary-error')
    expect(play.records[0]?.rounds.map(({ harnessErrors }) => harnessErrors)).toEqual([
      ['round 1: open sweep: malformed reply: the answer held no complete JSON object'],
      ['round 2: open sweep: malformed reply: the answer held no complete JSON object']
    ])
    // Once, and once more with the reason.
    expect(play.calls.filter((name) => name === 'sweep')).toHaveLength(4)
    expect(play.reminders.filter((reminder) => reminder !== null)).toHaveLength(2)
  })

  it('a failed attack cannot converge, one that is followed by a whole attack does no harm', async () => {
    const { world } = scene({ sweep: ({ round }) => (round === 1 ? 'no' : nothingFound) })
    expect((await runArrow(world, id)).remediation).toEqual({ outcome: 'converged', roundsUsed: 2 })
  })

  it('a failed attack in the last round ends as hook error, not as converged (RUN-636)', async () => {
    const { world } = scene({ sweep: () => '' }, { grid: { remediationRoundsMax: 1 } })
    expect((await runArrow(world, id)).remediation).toEqual({ outcome: 'escalated-hook-error', roundsUsed: 1 })
  })

  it.each([
    ['none', () => null],
    [
      'one that has attacked before',
      (() => {
        const same = {}
        return () => same
      })()
    ],
    [
      'a factory that throws',
      () => {
        throw new Error('no model')
      }
    ]
  ])('no fresh adversary (%s) is a hook error (RUN-610)', async (_, factory) => {
    const { world } = scene({
      factory,
      sweep: () => foundOne(),
      fix: (ask) => {
        edit(world, `edit ${ask.round}`)
        return dispositions(ask, 'fixed')
      }
    })
    expect((await runArrow(world, id)).remediation?.outcome).toBe('escalated-hook-error')
  })

  it('tells how it ended exactly once, whatever the end (EVT-205)', async () => {
    const { world } = scene({ sweep: () => foundOne() })
    await runArrow(world, id)
    expect(world.kinds().filter((kind) => kind.startsWith('remediation-'))).toHaveLength(1)
  })

  it('trouble outside the loop aborts the pass with adversarial-phase-error and is told once', async () => {
    const { world } = scene({ sweep: () => foundOne() })
    world.artifact = new Error('tree gone')
    const result = await runArrow(world, id)
    expect(result.closeReason).toBe('adversarial-phase-error: tree gone')
    expect(world.kinds().filter((kind) => kind.startsWith('remediation-'))).toEqual(['remediation-escalated'])
  })
})

describe('cancelling', () => {
  it('an interrupt in the middle of a call aborts with its own reason and leaves the arrow as it was (RUN-650)', async () => {
    const stop = new AbortController()
    const { world, findings } = scene({
      sweep: () => {
        stop.abort('interrupt')
        return foundOne()
      }
    })
    const result = await runArrow(world, id, stop.signal)
    expect(result.closeReason).toBe('operator-interrupt')
    expect(result.arrowStatus).toBe('unevaluated')
    expect(findings()).toEqual([])
    expect(world.events.find(({ kind }) => kind === 'remediation-escalated')?.payload?.outcome).toBe(
      'context-cancelled'
    )
  })

  it('what arrives after the session said stop derives nothing (RUN-112)', async () => {
    const stop = new AbortController()
    const { world, findings } = scene({
      sweep: () => foundOne(),
      fix: (ask) => {
        stop.abort('manual-stop')
        return dispositions(ask, 'fixed')
      }
    })
    const result = await runArrow(world, id, stop.signal)
    expect(result.closeReason).toBe('manual-stop')
    expect(findings().map(({ status }) => status)).toEqual(['open'])
  })

  it('a changed gate file stops the cycle after the call, and the open pass stays as it is (RUN-214)', async () => {
    const { world, findings } = scene({
      sweep: () => foundOne(),
      fix: (ask) => {
        world.changedFile = { path: '.ghyll/grid.current', reason: 'content differs' }
        return dispositions(ask, 'fixed')
      }
    })
    const result = await runArrow(world, id)
    expect(result).toMatchObject({ isParked: true, held: 'gate-file-changed: .ghyll/grid.current' })
    expect(findings().map(({ status }) => status)).toEqual(['open'])
    // Who was at work meanwhile stands in the record.
    expect(world.events.find(({ kind }) => kind === 'gate-file-changed')).toMatchObject({
      arrow_id: id,
      pass_id: 'p-1',
      role: 'producer',
      payload: { path: '.ghyll/grid.current' }
    })
    expect(world.gates.passes.size()).toBe(1)
  })
})

describe('a model that does not answer', () => {
  const away = { unreachable: 'HTTP 503 after 3 retries' }

  it('before any attack is complete: sensitive clauses unevaluated, the robust verified, no abort (RUN-224)', async () => {
    const { world, findings } = scene({ falsify: () => away, sweep: () => away })
    world.results.set('C5/adv/round1', failResult)
    const result = await runArrow(world, id)
    expect(result.remediation).toEqual({ outcome: 'model-unreachable', roundsUsed: 1 })
    expect(result.closeReason).toBe('derived-unevaluated')
    expect(findings()).toEqual([])
    const rows = world.rows.map(({ clauseId, endStatus, unevaluatedReason }) => [
      clauseId,
      endStatus,
      unevaluatedReason
    ])
    expect(rows).toContainEqual(['C1', 'pass', null])
    expect(rows).toContainEqual(['C5', 'unevaluated', 'depth-below-required'])
    expect(rows).toContainEqual(['C7', 'unevaluated', 'depth-below-required'])
    expect(world.kinds()).not.toContain('attestation-requested')
  })

  it('after one it is an error of the round like any other (RUN-224, RUN-636)', async () => {
    const { world } = scene({
      sweep: ({ round }) => (round === 1 ? foundOne() : away),
      fix: (ask) => {
        edit(world, `edit ${ask.round}`)
        return dispositions(ask, 'fixed')
      }
    })
    expect((await runArrow(world, id)).remediation).toEqual({ outcome: 'escalated-hook-error', roundsUsed: 3 })
  })
})

describe('risks', () => {
  const propose = (world: () => ReturnType<typeof worldOf>) => ({
    sweep: () => foundOne(),
    fix: (ask: Parameters<NonNullable<Script['fix']>>[0]) => {
      edit(world(), `edit ${ask.round}`)
      return dispositions(ask, 'propose-accepted-risk')
    }
  })

  it('an accepted risk lets the round converge; the operator is who accepted it (RUN-633, OPUI-540)', async () => {
    const { world, play, findings } = scene(propose(() => world))
    play.onRisk = (findingId) =>
      void world.gates.findings.transition({
        id: findingId,
        to: 'accepted-risk',
        role: 'operator',
        opId: 'alice',
        reason: 'rare'
      })
    const result = await runArrow(world, id)
    expect(result.remediation).toEqual({ outcome: 'converged', roundsUsed: 1 })
    expect(findings().map(({ status }) => status)).toEqual(['accepted-risk'])
    const asked = world.events.find(({ kind }) => kind === 'risk-acceptance-requested')
    expect(asked?.payload).toEqual({ severity: 'high', rationale: 'why' })
  })

  it('a risk the operator passes over stays open', async () => {
    const { world, findings } = scene(
      propose(() => world),
      { grid: { remediationRoundsMax: 1 } }
    )
    expect((await runArrow(world, id)).remediation?.outcome).toBe('escalated-rounds-max')
    expect(findings().map(({ status }) => status)).toEqual(['open'])
  })

  it('an accepted risk is not raised again by the next attack, a graver or another defect is', async () => {
    const { world, play, findings } = scene(propose(() => world))
    play.onRisk = (findingId) =>
      void world.gates.findings.transition({
        id: findingId,
        to: 'accepted-risk',
        role: 'operator',
        opId: 'a',
        reason: 'r'
      })
    await runArrow(world, id)
    world.gates.passes.abort(world.gates.passes.all()[0] as never, 'operator-interrupt')
    await runArrow(world, id)
    expect(findings()).toHaveLength(1)
    world.gates.passes.abort(world.gates.passes.all()[0] as never, 'operator-interrupt')
    playIn(world, { sweep: () => foundOne({ severity: 'critical' }), fix: (ask) => dispositions(ask, 'cannot-fix') })
    await runArrow(world, id)
    expect(findings().map(({ severity, status }) => [severity, status])).toEqual([
      ['high', 'accepted-risk'],
      ['critical', 'open']
    ])
  })
})

describe('what earlier passes left', () => {
  it('an open finding is looked at by claim alone: no status, no words of the producer (RUN-632)', async () => {
    const { world, play, findings } = scene({})
    world.gates.findings.raise([
      {
        id: 'op-1',
        arrowId: id,
        type: 'local-bug',
        severity: 'high',
        description: 'the cart forgets an item',
        basis: 'seen in use',
        evidence: 'screenshot',
        locations: ['src/cart.ts:3'],
        raisedByRole: 'operator',
        gridVersion: 1
      }
    ])
    await runArrow(world, id)
    expect(play.claims).toEqual([
      { findingId: 'op-1', claim: 'the cart forgets an item', locations: ['src/cart.ts:3'], evidence: 'screenshot' }
    ])
    expect(findings().map(({ status }) => status)).toEqual(['resolved'])
  })

  it('one that was resolved and is found again is a regression of the same finding (RUN-511)', async () => {
    const { world, findings } = scene({
      sweep: ({ round }) => (round === 1 ? foundOne() : nothingFound),
      fix: (ask) => {
        edit(world, `edit ${Math.random()}`)
        return dispositions(ask, 'fixed')
      }
    })
    await runArrow(world, id)
    world.gates.passes.abort(world.gates.passes.all()[0] as never, 'operator-interrupt')
    await runArrow(world, id)
    expect(findings()).toHaveLength(1)
    const words = world.events
      .filter(({ kind }) => kind === 'finding-transitioned')
      .map(({ payload }) => payload?.outcome)
    expect(words).toEqual(['running', 'resolved', 'open', 'running', 'resolved'])
  })

  it('the packet holds definitions and artifact of the round and nothing anybody said (RUN-620)', async () => {
    const { world, play } = scene({
      sweep: ({ round }) => (round === 1 ? foundOne({ title: 'SECRET-TITLE' }) : nothingFound),
      fix: (ask) => {
        edit(world, 'fixed')
        return dispositions(ask, 'fixed')
      }
    })
    play.files = [
      { path: 'a.md', bytes: 60, sha256: 'a', text: 'first' },
      { path: 'b.md', bytes: 60, sha256: 'b', text: 'second' },
      { path: 'c.png', bytes: 10, sha256: 'c', text: null }
    ]
    await runArrow(world, id)
    expect(play.packets).toHaveLength(2)
    expect(JSON.stringify(play.packets)).not.toContain('SECRET-TITLE')
    expect(play.packets[1]).toMatchObject({
      arrowId: id,
      sourceRole: 'analyst',
      targetRole: 'architect',
      round: 2,
      ladder: ['NONE', 'SHALLOW', 'MOCKED', 'REALISTIC'],
      files: [
        { path: 'a.md', content: 'first' },
        { path: 'b.md', content: null },
        { path: 'c.png', content: null }
      ]
    })
    expect(Object.keys(play.packets[0] ?? {}).sort()).toEqual(
      ['arrowId', 'clauses', 'files', 'ladder', 'requirements', 'round', 'sourceRole', 'targetRole'].sort()
    )
  })
})

describe('depths', () => {
  const requirement = { id: 'R-1', minDepth: 3 as const, description: 'orders survive a restart' }

  it('a requirement below its minimum is a finding, and its depth is kept (RUN-661, GATE-26)', async () => {
    const { world, findings } = scene(
      {
        classify: ({ round }) => ({
          classifications: [
            { requirement_id: 'R-1', observed: round === 1 ? 'mocked' : 'REALISTIC', evidence: 'tests' }
          ]
        }),
        fix: (ask) => {
          edit(world, 'fixed')
          return dispositions(ask, 'fixed')
        }
      },
      { arrow: { requirements: [requirement] } }
    )
    const result = await runArrow(world, id)
    expect(result.remediation).toEqual({ outcome: 'converged', roundsUsed: 2 })
    expect(findings()).toMatchObject([{ type: 'depth-below-min', severity: 'high', targetRequirement: 'R-1' }])
    expect(world.gates.depths.classification(id, 'R-1')).toMatchObject({ observed: 3, overwriteCount: 1 })
  })

  it('is asked for only when a requirement is declared, and every skipped activity can be seen (RUN-631)', async () => {
    const { world, play } = scene({})
    await runArrow(world, id)
    expect(play.calls).not.toContain('classify')
    expect(play.records[0]?.rounds[0]?.activities).toEqual([
      {
        activity: 'clause-falsification',
        entered: true,
        finished: true,
        found: 0,
        lines: ['C5: no defect found', 'C7: no defect found']
      },
      { activity: 'open-sweep', entered: true, finished: true, found: 0, lines: ['1 files read', 'no defect found'] },
      { activity: 'depth-classification', entered: false, finished: false, found: 0, lines: [] }
    ])
  })

  it('a classification that leaves a requirement out is malformed', async () => {
    const { world } = scene({ classify: () => ({ classifications: [] }) }, { arrow: { requirements: [requirement] } })
    expect((await runArrow(world, id)).remediation?.outcome).toBe('escalated-hook-error')
  })

  it('an amended minimum is the one that counts, whatever was declared before', async () => {
    const { world } = scene({}, { arrow: { requirements: [requirement] } })
    world.gates.depths.declare(id, { ...requirement, minDepth: 1 })
    world.gates.depths.declare(id, { ...requirement, id: 'R-0' })
    await runArrow(world, id)
    // One that the definition no longer asks for is asked of no adversary.
    expect(world.gates.depths.requirements(id)).toMatchObject([{ id: 'R-1', minDepth: 3 }])
  })

  it('below the rank it needed, an adversary leaves findings and classifications unevaluated (RUN-663, GATE-27)', async () => {
    const { world, play, findings } = scene(
      {
        sweep: () => foundOne(),
        classify: () => ({ classifications: [{ requirement_id: 'R-1', observed: 'NONE', evidence: '' }] })
      },
      { arrow: { requirements: [requirement] } }
    )
    const opened = world.gates.passes.open({
      role: 'analyst',
      context: 'shop',
      arrow: world.gates.grid.arrow(id) as never,
      gridVersion: 1,
      actualTier: 1,
      opId: 'alice'
    })
    if ('refused' in opened) throw new Error('no pass')
    const { cycle } = world.adversary
    const report = await cycle?.run({
      pass: opened.pass.record,
      arrow: opened.pass.arrow,
      model: 'fast',
      signal: new AbortController().signal,
      depth: 1
    })
    expect(report?.outcome).toBe('converged-with-unevaluated')
    expect(findings().map(({ type, status }) => [type, status])).toEqual([
      ['open-sweep', 'unevaluated'],
      ['depth-below-min', 'unevaluated']
    ])
    expect(world.gates.depths.classification(id, 'R-1')?.unevaluated).toBe(true)
    expect(play.records[0]?.rounds[0]?.activities[0]?.lines[0]).toBe('C5: depth-below-required')
  })
})

it('a robust arrow never builds an adversary (RUN-600)', async () => {
  const robust = arrowOf('analyst', 'architect', [clauseOf('C1')])
  const world = worldOf(gridOf([robust]))
  const play = playIn(world)
  await runArrow(world, robust.id)
  expect(play.calls).toEqual([])
})
