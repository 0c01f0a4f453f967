import { expect, it } from 'vitest'
import { dispatch } from '../../../src/gate/runner/dispatch/dispatch.ts'
import { verdictsHolding } from '../../../src/gate/runner/holding.ts'
import { recordVerdict } from '../../../src/gate/runner/verdicts/record.ts'
import { arrowOf, attestedOf, gridOf, quiet, type World, worldOf } from '../../support/gates.ts'

const upstream = arrowOf('analyst', 'architect', [attestedOf('C1'), attestedOf('C2')])
const downstream = arrowOf('architect', 'implementer', [attestedOf('C1')])
const ref = (clause: string) => `att-${upstream.id}-${clause}-v1`

async function refused(world: World, arrowId: string) {
  const outcome = await dispatch(world.gates, { arrowId, opId: '', signal: quiet() })
  return outcome.kind === 'refused' ? verdictsHolding(world.gates, outcome.refusal) : outcome.kind
}

it('a run that is refused waits for the verdicts of the pass in its way, and for no others (OPUI-801)', async () => {
  const world = worldOf(gridOf([upstream, downstream]))
  expect(await refused(world, 'nowhere')).toEqual([])
  expect(await refused(world, downstream.id)).toEqual([])
  expect(await refused(world, upstream.id)).toBe('dispatched')
  expect(await refused(world, upstream.id)).toEqual([ref('C1'), ref('C2')])
  expect(await refused(world, downstream.id)).toEqual([ref('C1'), ref('C2')])
  const answer = { passId: 'p-1', verdict: 'pass', text: '', reason: '', opId: 'alice' } as const
  expect(recordVerdict(world.gates, { ...answer, clauseId: 'C1' }).kind).toBe('recorded')
  expect(await refused(world, downstream.id)).toEqual([ref('C2')])
})

it('verdicts of an arrow in another context are in nobody’s way', async () => {
  const elsewhere = arrowOf('analyst', 'architect', [attestedOf('C9')], { context: 'pay' })
  const world = worldOf(gridOf([elsewhere, upstream, downstream]))
  expect(await refused(world, elsewhere.id)).toBe('dispatched')
  expect(await refused(world, upstream.id)).toBe('dispatched')
  expect(await refused(world, upstream.id)).toEqual([ref('C1'), ref('C2')])
  expect(await refused(world, downstream.id)).toEqual([ref('C1'), ref('C2')])
})
