import { expect, it } from 'vitest'
import { hintTimeoutMs } from '../../../../src/gate/runner/adversary/hint.ts'
import { playIn, runArrow, type Script } from '../../../support/adversary.ts'
import type { ManualClock } from '../../../support/clock.ts'
import { arrowOf, attestedOf, clauseOf, gridOf, worldOf } from '../../../support/gates.ts'

const judged = attestedOf('C7', { depth: 'depth-sensitive', minTier: 2 })
const arrow = arrowOf('analyst', 'architect', [clauseOf('C1'), judged])
const hint = { clause_id: 'C7', locations: ['specs/shop/a.md:1-4'], basis: 'every rule', residue: 'examples' }

function scene(said: NonNullable<Script['hint']>) {
  const world = worldOf(gridOf([arrow]))
  return { world, play: playIn(world, { hint: said }) }
}

it('a producer’s hint goes into the request beside what the grid says (ATT-360, GATE-58)', async () => {
  const { world } = scene(() => hint)
  await runArrow(world, arrow.id)
  const request = world.events.find(({ kind }) => kind === 'attestation-requested')
  expect(JSON.parse(request?.detail ?? '')).toMatchObject({
    clause_id: 'C7',
    attestation_ref: 'att-analyst→architect/shop-C7-v1',
    artifact_digest: 'artifact-1',
    locations: ['specs/shop/a.md:1-4'],
    basis: 'every rule',
    residue: 'examples'
  })
})

it.each([
  ['judges', { ...hint, basis: 'all of it looks good' }],
  ['is prose', 'Look at the rules.'],
  ['lacks its remainder', { ...hint, residue: '' }],
  ['names no place', { ...hint, locations: [] }]
])('a hint that %s leaves the clause unevaluated, and is a finding against the producer (GATE-39)', async (_, said) => {
  const { world, play } = scene(() => said)
  const result = await runArrow(world, arrow.id)
  expect(result.arrowStatus).toBe('blocked')
  expect(world.gates.findings.ofArrow(arrow.id)).toMatchObject([
    { type: 'unable-to-hint', severity: 'medium', raisedByRole: 'analyst', targetClause: 'C7' }
  ])
  expect(world.rows.find(({ clauseId }) => clauseId === 'C7')?.unevaluatedReason).toBe('no-rule-selectable-locations')
  // A malformed one is asked for once more, and no more often than that.
  expect(play.calls.filter((name) => name === 'hint').length).toBeLessThanOrEqual(2)
})

it('one that does not come within the hour leaves the clause unevaluated as well (producer-no-response)', async () => {
  const { world } = scene(() => new Promise(() => undefined))
  const running = runArrow(world, arrow.id)
  const clock = world.gates.ports.clock as ManualClock
  await clock.sleeper()
  await clock.advance(hintTimeoutMs)
  expect((await running).arrowStatus).toBe('unevaluated')
  expect(world.rows.find(({ clauseId }) => clauseId === 'C7')?.unevaluatedReason).toBe('producer-no-response')
})

it('a model that is not there is no rule that failed: the clause is unevaluated, nobody is blamed', async () => {
  const { world } = scene(() => ({ unreachable: 'HTTP 503' }))
  expect((await runArrow(world, arrow.id)).arrowStatus).toBe('unevaluated')
  expect(world.gates.findings.all()).toEqual([])
})
