import type { Args, ArgValue } from '../../protocol/grid.ts'

// The vocabulary in memory: what the schema files of gates/concepts say.

/** The common argument types, as schemas name them. */
export const argumentTypes = [
  'string',
  'int',
  'number',
  'boolean',
  'list',
  'map',
  'enum',
  'severity',
  'finding-status',
  'depth-tier',
  'duration',
  'path-glob',
  'artifact-ref',
  'regex',
  'command',
  'language-id',
  'role-id',
  'bounded-context-id',
  'arrow-id',
  'pass-id',
  'dependency-id',
  'enum-or-path',
  'int-or-range'
] as const
/** The common argument types of the catalogue. */
export type ArgumentType = (typeof argumentTypes)[number]

/** Both ends belong to the range; null is unbounded. On a list the range counts its elements. */
export type Range = { readonly min: number | null; readonly max: number | null }

export type ArgumentSchema = {
  readonly name: string
  readonly type: ArgumentType
  readonly required: boolean
  /** null: no default (CONC-8). */
  readonly default: ArgValue
  readonly description: string
  readonly range: Range | null
  /** Members of an enum; for other types literals that are accepted beside what the type takes. */
  readonly values: readonly string[] | null
  /** Type of a list's elements. */
  readonly items: ArgumentType | null
}

/** `base` applies to nearly every arrow, `auto-inserted` is added by verification, the rest is declared per arrow (CONC-4). */
export type Category = 'base' | 'auto-inserted' | 'per-arrow'

export type ConceptSchema = {
  readonly concept: string
  readonly description: string
  /** Needs a binding per language; the others have an evaluator of their own (CONC-3). */
  readonly languageBound: boolean
  readonly category: Category
  /** In the order of the file. */
  readonly arguments: readonly ArgumentSchema[]
  /** Shape of `details`, in words. */
  readonly details: Readonly<Record<string, string>>
  /** Operator-action units. */
  readonly defaultCost: number
  readonly edgeCases: readonly string[]
}

/** The closed set of concepts, by name, in the order of the catalogue. */
export type Catalogue = ReadonlyMap<string, ConceptSchema>

/** The first thing wrong with the arguments of a clause (CONC-7), a value and not an error. */
export type ArgumentProblem = {
  readonly code:
    | 'unknown-concept'
    | 'unknown-argument'
    | 'missing-argument'
    | 'wrong-type'
    | 'outside-range'
    | 'not-in-enum'
    | 'inverted'
    | 'unknown-type'
  readonly concept: string
  /** null when the concept itself is the problem. */
  readonly argument: string | null
  readonly message: string
}

export type CheckedArguments = { readonly args: Args } | { readonly problem: ArgumentProblem }
