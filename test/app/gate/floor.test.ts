import { expect, test } from 'vitest'
import { announceRoute, floorOfOpen } from '../../../src/app/gate/floor.ts'
import { dispatch } from '../../../src/gate/runner/index.ts'
import { sessionId } from '../../../src/protocol/ids.ts'
import { arrowOf, attestedOf, gridOf, quiet, worldOf } from '../../support/gates.ts'

const deep = arrowOf('analyst', 'architect', [attestedOf('C1', { depth: 'depth-sensitive', minTier: 3 })])
const robust = arrowOf('init', 'analyst', [attestedOf('C1')])

test('the floor is that of the deepest open pass, and goes with it (SESS-074)', async () => {
  const world = worldOf(gridOf([robust, deep]))
  // A lock vouches for nothing, so that the sensitive clause asks the operator (RUN-223).
  world.routing = { ...world.routing, lockedModel: 'fast' }
  expect(floorOfOpen(world.gates)).toBeNull()
  await dispatch(world.gates, { arrowId: robust.id, opId: 'alice', signal: quiet() })
  expect(floorOfOpen(world.gates)).toBeNull()
  await dispatch(world.gates, { arrowId: deep.id, opId: 'alice', signal: quiet() })
  expect(floorOfOpen(world.gates)).toEqual({ arrowId: deep.id, passId: 'p-2', floor: 3 })
})

test('what it does to a turn is told on the bus, with the pass that set it (ROUTE-009)', async () => {
  const world = worldOf(gridOf([deep]))
  world.routing = { ...world.routing, lockedModel: 'fast' }
  const routed = { kind: 'gate-routed', outcome: 'gate-floor', requiredRank: 3, model: 'deep' } as const
  const event = { ...routed, session: sessionId('s'), at: 0 }
  announceRoute(world.gates, event)
  expect(world.kinds()).not.toContain('gate-routing')
  await dispatch(world.gates, { arrowId: deep.id, opId: 'alice', signal: quiet() })
  announceRoute(world.gates, event)
  expect(world.events.at(-1)).toMatchObject({
    kind: 'gate-routing',
    arrow_id: deep.id,
    pass_id: 'p-1',
    payload: { outcome: 'gate-floor', required_rank: '3', model: 'deep' }
  })
})
