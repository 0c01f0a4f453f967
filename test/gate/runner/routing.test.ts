import { describe, expect, it } from 'vitest'
import { floorWithRetry, type RoutingSettings, routeOf } from '../../../src/gate/runner/routing.ts'

const settings: RoutingSettings = {
  gateFloorEnabled: true,
  escalateAtRank: 2,
  fastModel: 'fast',
  deepModel: 'deep',
  lockedModel: null
}

describe('routing by the floor (RUN-220…223, GATE-23, ROUTE-012)', () => {
  it.each([
    [0, {}, 'fast', 1, null],
    [1, {}, 'fast', 1, null],
    [2, {}, 'deep', 3, 'gate-floor'],
    [3, {}, 'deep', 3, 'gate-floor'],
    [3, { escalateAtRank: 3 }, 'deep', 3, 'gate-floor'],
    [2, { escalateAtRank: 3 }, 'fast', 2, null],
    [1, { escalateAtRank: 1 }, 'deep', 3, 'gate-floor'],
    [0, { escalateAtRank: 1 }, 'fast', 0, null],
    [2, { deepModel: null }, 'fast', 1, 'gate-unsatisfiable'],
    [1, { deepModel: null }, 'fast', 1, null],
    [2, { lockedModel: 'deep' }, 'deep', 1, 'gate-locked-conflict'],
    [2, { lockedModel: 'other' }, 'other', 1, 'gate-locked-conflict'],
    [1, { lockedModel: 'deep' }, 'deep', 3, null],
    [1, { lockedModel: 'other' }, 'other', 1, null],
    [3, { gateFloorEnabled: false }, 'fast', 3, null],
    [3, { escalateAtRank: 0 }, 'fast', 3, null],
    [3, { gateFloorEnabled: false, lockedModel: 'other' }, 'other', 3, null]
  ] as const)('floor %i with %j: %s at rank %i, %s', (floor, more, model, actualTier, outcome) => {
    expect(routeOf(floor, { ...settings, ...more })).toEqual({ minTier: floor, model, actualTier, outcome })
  })

  it.each([
    [1, null, 1],
    [1, { closeReason: 'ok', actualTier: 1 }, 1],
    [1, { closeReason: 'requires-deeper-artifact', actualTier: 1 }, 2],
    [0, { closeReason: 'requires-deeper-artifact', actualTier: 3 }, 3],
    [3, { closeReason: 'requires-deeper-artifact', actualTier: 0 }, 3],
    [0, { closeReason: 'requires-deeper-artifact', actualTier: null }, 1]
  ] as const)('floor %i after %j is %i (RUN-222)', (floor, latest, expected) => {
    expect(floorWithRetry(floor, latest)).toBe(expected)
  })
})
