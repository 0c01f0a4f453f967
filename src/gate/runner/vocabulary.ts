import type { Args } from '../../protocol/grid.ts'

/** What the runner has to know about concepts; the catalogue supplies it. */
export interface Vocabulary {
  /** What is wrong with these arguments, in words that name concept and argument, or null (CONC-7). */
  problem(concept: string, args: Args, options: { readonly allowMissing: boolean }): string | null
  /** Required arguments without a value, as `<name>:<type>`. */
  missing(concept: string, args: Args): readonly string[]
  /** What a clause of this concept costs at least, in operator-action units (GATE-75). */
  leastCost(concept: string): number
}

/** Where in the grid something is wrong (`arrows[2].clauses[0].depth`, empty for the whole), and what. */
export type GridProblem = { readonly at: string; readonly text: string }
