import type { Arrow } from '../../protocol/grid.ts'

/** Sum that stays at the largest exact integer instead of going wrong (GATE-79). */
export function addCosts(costs: Iterable<number>): number {
  let sum = 0
  for (const cost of costs) sum = Math.min(Number.MAX_SAFE_INTEGER, sum + cost)
  return sum
}

/** Weight of an arrow: the sum of its clauses' costs (GATE-75). */
export function weightOf(arrow: Pick<Arrow, 'clauses'>): number {
  return addCosts(arrow.clauses.map((clause) => clause.cost))
}
