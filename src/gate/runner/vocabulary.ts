import type { Args } from '../../protocol/grid.ts'

/** What the runner has to know about concepts; the catalogue supplies it. */
export interface Vocabulary {
  /** What is wrong with a concept or its arguments, in words that name both, or null (CONC-7). */
  problem(concept: string, args: Args, options: { readonly allowMissing: boolean }): VocabularyProblem | null
  /** Required arguments without a value, as `<name>:<type>`. */
  missing(concept: string, args: Args): readonly string[]
  /** What a clause of this concept costs at least, in operator-action units (GATE-75). */
  leastCost(concept: string): number
}

/** `at`: which of the two the words are about. */
export type VocabularyProblem = { readonly at: 'concept' | 'args'; readonly text: string }

/** Where in the grid something is wrong (`arrows[2].clauses[0].depth`, empty for the whole), and what. */
export type GridProblem = { readonly at: string; readonly text: string }
