import type { DepthRank } from '../../protocol/grid.ts'
import { offeredRank } from './depth.ts'
import { reasonCode } from './derive.ts'

// Which tier serves a pass, from the floor of its arrow alone (RUN-220…223). Self-assessed difficulty is never an input (GATE-74).

export type RoutingSettings = {
  readonly gateFloorEnabled: boolean
  readonly escalateAtRank: number
  readonly fastModel: string
  /** null without a deep tier, or when it is the fast model. */
  readonly deepModel: string | null
  /** Model of `--model`, or null. */
  readonly lockedModel: string | null
}

export type Route = {
  /** The floor asked for, a deeper retry included. */
  readonly minTier: DepthRank
  readonly model: string
  /** Rank this pass has (GATE-23). */
  readonly actualTier: DepthRank
  /** What `gate-routing` says, or null when the floor had no say. */
  readonly outcome: 'gate-floor' | 'gate-unsatisfiable' | 'gate-locked-conflict' | null
}

/** Routes a pass with this floor. A lock while the floor is active vouches for nothing, whichever model it is (ROUTE-007). */
export function routeOf(minTier: DepthRank, settings: RoutingSettings): Route {
  const { gateFloorEnabled, escalateAtRank, fastModel, deepModel, lockedModel } = settings
  const isActive = gateFloorEnabled && escalateAtRank > 0 && minTier >= escalateAtRank
  const fastRank = offeredRank('fast', settings)
  if (lockedModel !== null) {
    if (isActive) return { minTier, model: lockedModel, actualTier: fastRank, outcome: 'gate-locked-conflict' }
    const tier = lockedModel === deepModel ? 'deep' : 'fast'
    return { minTier, model: lockedModel, actualTier: offeredRank(tier, settings), outcome: null }
  }
  if (!isActive) return { minTier, model: fastModel, actualTier: fastRank, outcome: null }
  if (deepModel === null) return { minTier, model: fastModel, actualTier: fastRank, outcome: 'gate-unsatisfiable' }
  return { minTier, model: deepModel, actualTier: offeredRank('deep', settings), outcome: 'gate-floor' }
}

/** The floor of a dispatch: the arrow's, one rank above the pass that asked for a deeper artifact (RUN-222). */
export function floorWithRetry(
  floor: DepthRank,
  latest: { readonly closeReason: string; readonly actualTier: DepthRank | null } | null
): DepthRank {
  if (latest === null || reasonCode(latest.closeReason) !== 'requires-deeper-artifact') return floor
  return Math.max(floor, Math.min(3, (latest.actualTier ?? 0) + 1)) as DepthRank
}
