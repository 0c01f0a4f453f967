import type { Arrow, Clause, DepthRank, DepthType } from '../../protocol/grid.ts'

// The second axis of a clause: whether a weak model can fake it, and if so, the rank a model needs (GATE-15…24, GATE-71).

export type DepthProblem = {
  readonly code: 'clause-depth-type-unknown' | 'clause-depth-requirement-invalid'
  readonly text: string
}

/** Reads a depth type: trimmed, case ignored, `_` as `-`; null for any other spelling (GATE-16). */
export function parseDepthType(text: string): DepthType | null {
  const word = text.trim().toLowerCase().replaceAll('_', '-')
  return word === 'depth-robust' || word === 'depth-sensitive' ? word : null
}

/** What is wrong with a clause's depth declaration as it was written, or null. No axis has a default (GATE-15, GATE-17). */
export function depthProblem(depth: unknown, minTier: unknown): DepthProblem | null {
  const type = typeof depth === 'string' ? parseDepthType(depth) : null
  if (type === null) {
    const shown = depth === undefined ? 'missing' : JSON.stringify(depth)
    return { code: 'clause-depth-type-unknown', text: `clause-depth-type-unknown: ${shown}` }
  }
  const fits = type === 'depth-robust' ? minTier === 0 : minTier === 1 || minTier === 2 || minTier === 3
  if (fits) return null
  const wanted = type === 'depth-robust' ? '0' : '1..3'
  const text = `clause-depth-requirement-invalid: ${type} needs min-tier ${wanted}, got ${String(minTier)}`
  return { code: 'clause-depth-requirement-invalid', text }
}

/** Whether a pass at this rank may run the clause at all (GATE-22). */
export function reachesDepth(clause: Pick<Clause, 'depth' | 'minTier'>, rank: DepthRank): boolean {
  return clause.depth === 'depth-robust' || rank >= clause.minTier
}

export type FloorResult =
  /** `clause` is the first in grid order that set the floor; null for floor 0. */
  | { readonly kind: 'floor'; readonly floor: DepthRank; readonly clause: string | null }
  /** Never dispatched, and no floor 0 either (GATE-72). */
  | { readonly kind: 'failed'; readonly clause: string; readonly problem: DepthProblem }

/** The model rank an arrow needs: the highest min tier of its depth-sensitive clauses (GATE-71). */
export function floorOf(clauses: readonly Pick<Clause, 'id' | 'depth' | 'minTier'>[]): FloorResult {
  let floor: DepthRank = 0
  let setBy: string | null = null
  for (const { id, depth, minTier } of clauses) {
    const problem = depthProblem(depth, minTier)
    if (problem !== null) return { kind: 'failed', clause: id, problem }
    if (depth !== 'depth-sensitive' || minTier <= floor) continue
    floor = minTier
    setBy = id
  }
  return { kind: 'floor', floor, clause: setBy }
}

/** Routing label of an arrow with this floor (GATE-9). */
export function stratumOf(floor: DepthRank): 'L0' | 'L1' | 'L2' {
  if (floor <= 1) return 'L0'
  return floor === 2 ? 'L1' : 'L2'
}

/** The arrows whose recorded label is not the one their clauses make, with what that would be (GATE-9). */
export function mislabelled(
  arrows: readonly Pick<Arrow, 'id' | 'stratum' | 'clauses'>[]
): readonly { readonly id: string; readonly recorded: string; readonly derived: string }[] {
  return arrows.flatMap(({ id, stratum, clauses }) => {
    const floor = floorOf(clauses)
    if (floor.kind === 'failed' || stratumOf(floor.floor) === stratum) return []
    return [{ id, recorded: stratum, derived: stratumOf(floor.floor) }]
  })
}

export type RankSettings = { readonly gateFloorEnabled: boolean; readonly escalateAtRank: number }

/**
 * The rank a pass has: what the tier it was routed to offers (GATE-23). `vouched` is false when the router found a conflict or no
 * model for the floor: then it is the fast tier's, whatever the model.
 */
export function offeredRank(tier: 'fast' | 'deep', settings: RankSettings, vouched = true): DepthRank {
  const { gateFloorEnabled, escalateAtRank } = settings
  if (!gateFloorEnabled || escalateAtRank <= 0) return 3
  if (tier === 'deep' && vouched) return 3
  const rank = Math.min(3, escalateAtRank - 1)
  return rank === 0 || rank === 1 || rank === 2 ? rank : 3
}
