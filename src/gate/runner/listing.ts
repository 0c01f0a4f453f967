import type { Grid } from '../../protocol/grid.ts'

/** The lines of `/list-arrows` in grid order; counts recorded clauses only (GATE-12, OPUI-310). */
export function arrowListing(grid: Grid): readonly string[] {
  return [
    `grid arrows (${grid.arrows.length}, version=${grid.version}):`,
    ...grid.arrows.map((arrow) => {
      const pair = `${arrow.sourceRole} → ${arrow.targetRole}`
      const facts = `stratum=${arrow.stratum} context=${arrow.context} clauses=${arrow.clauses.length}`
      return `  ${arrow.id.padEnd(28)} ${pair.padEnd(22)} ${facts}`
    })
  ]
}
