import { describe, expect, it } from 'vitest'
import { cycleOutcomeOf } from '../../../../src/gate/runner/adversary/report.ts'
import { dispositions, edit, foundOne, nothingFound, playIn, runArrow } from '../../../support/adversary.ts'
import { arrowOf, attestedOf, gridOf, sensitiveOf, worldOf } from '../../../support/gates.ts'

const judged = attestedOf('C7', { depth: 'depth-sensitive', minTier: 2 })
const arrow = arrowOf('analyst', 'architect', [sensitiveOf('C5', 2), judged])

it.each([
  ['converged', 'converged'],
  ['converged-with-unevaluated', 'converged'],
  ['escalated-rounds-max', 'escalated-after-max-rounds'],
  ['escalated-no-progress', 'producer-error'],
  ['escalated-hook-error', 'producer-error'],
  ['context-cancelled', 'canceled'],
  ['model-unreachable', 'canceled']
] as const)('%s of the loop is %s of the cycle (RUN-650)', (loop, cycle) => {
  expect(cycleOutcomeOf(loop)).toBe(cycle)
})

describe('the report of a cycle (RUN-631, RUN-652)', () => {
  it('says per round what was raised, what the producer answered, and what a new attack did not find again', async () => {
    const world = worldOf(gridOf([arrow]))
    const play = playIn(world, {
      sweep: ({ round }) => (round === 1 ? foundOne() : nothingFound),
      fix: (ask) => {
        edit(world, 'fixed')
        return dispositions(ask, 'fixed')
      }
    })
    await runArrow(world, arrow.id)
    const [finding] = world.gates.findings.all().map(({ id }) => id)
    expect(play.records[0]?.rounds).toMatchObject([
      { round: 1, raised: [finding], resolved: [], dispositions: [`${finding}: fixed`] },
      { round: 2, raised: [], resolved: [finding], dispositions: [] }
    ])
    const [first, second] = play.records[0]?.rounds ?? []
    expect(first?.activities[1]?.lines).toEqual(['0 files read'])
    expect(second?.activities[1]?.lines).toEqual(['1 files read', 'no defect found'])
  })

  it('shows the clause an adversary without means to refute it left alone (RUN-610)', async () => {
    const world = worldOf(gridOf([arrow]))
    const play = playIn(world, { factory: () => ({}) })
    expect((await runArrow(world, arrow.id)).remediation?.outcome).toBe('converged')
    expect(play.records[0]?.rounds[0]?.activities[0]?.lines).toEqual([
      'C5: no defect found',
      'C7: not attacked, this adversary refutes no clauses'
    ])
  })

  it('is not written for a cycle that was cancelled before its first round, which tells nothing (RUN-630 step 1, EVT-205)', async () => {
    const world = worldOf(gridOf([arrow]))
    const play = playIn(world)
    const stop = new AbortController()
    world.gates.bus.subscribe(({ kind }) => {
      if (kind === 'pass-opened') stop.abort('manual-stop')
    })
    const result = await runArrow(world, arrow.id, stop.signal)
    expect(result).toMatchObject({ closeReason: 'manual-stop' })
    expect(world.kinds().filter((kind) => /^(adversarial|remediation)-/.test(kind))).toEqual([])
    expect([play.calls, play.records]).toEqual([[], []])
  })
})

it('what holds a cycle is at or above the threshold of its arrow (RUN-635, GATE-70)', async () => {
  const outcomeAt = async (severityThreshold: 'low' | 'critical') => {
    const world = worldOf(gridOf([{ ...arrow, severityThreshold }], { remediationRoundsMax: 1 }))
    playIn(world, {
      sweep: () => foundOne({ severity: severityThreshold === 'low' ? 'low' : 'high' }),
      fix: (ask) => {
        edit(world, 'edited')
        return dispositions(ask, 'fixed')
      }
    })
    return (await runArrow(world, arrow.id)).remediation?.outcome
  }
  expect(await outcomeAt('low')).toBe('escalated-rounds-max')
  expect(await outcomeAt('critical')).toBe('converged')
})
