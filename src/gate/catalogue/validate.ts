import type { Args, ArgValue } from '../../protocol/grid.ts'
import { problemOf } from './check-value.ts'
import type { ArgumentProblem, ArgumentSchema, Catalogue, CheckedArguments, ConceptSchema } from './types.ts'

export type CheckOptions = {
  /** Lets required arguments be absent: a deferred clause (`args-unbound`). Everything else is checked as ever. */
  readonly allowMissing?: boolean
}

/**
 * Checks the arguments of a clause and fills in the defaults (CONC-7, CONC-8). The first problem is reported, in the order: concept
 * known, no unknown argument, required ones present, types, ranges and membership.
 */
export function checkArguments(
  catalogue: Catalogue,
  concept: string,
  given: Args,
  { allowMissing = false }: CheckOptions = {}
): CheckedArguments {
  const schema = catalogue.get(concept)
  if (schema === undefined) return refuse('unknown-concept', concept, null, `unknown concept "${concept}"`)
  const args = foldFlatArguments(concept, given)
  const named = new Map(schema.arguments.map((argument) => [argument.name, argument]))
  for (const name of Object.keys(args))
    if (!named.has(name)) return refuse('unknown-argument', concept, name, 'unknown argument')
  const missing = allowMissing ? undefined : schema.arguments.find((argument) => isMissing(argument, args))
  if (missing !== undefined) return refuse('missing-argument', concept, missing.name, 'missing required argument')
  for (const argument of schema.arguments) {
    const value = args[argument.name]
    if (isAbsent(value)) continue
    const problem = problemOf(argument, value)
    if (problem !== null) return refuse(problem.code, concept, argument.name, problem.message)
  }
  const filled = withDefaults(schema, args)
  const inverted = invertedBounds(filled)
  return inverted === null ? { args: filled } : refuse('inverted', concept, 'max-multiplicity', inverted)
}

/** Required arguments without a value, as `<name>:<type>` (the `missing` list of a deferred clause, INIT-60). */
export function missingArguments(schema: ConceptSchema, args: Args): readonly string[] {
  return schema.arguments.filter((argument) => isMissing(argument, args)).map(({ name, type }) => `${name}:${type}`)
}

const flatSpellings = { 'kill-cmd.': 'kill-commands', 'unkill-cmd.': 'restore-commands' } as const

/** The flat spellings `kill-cmd.<dep>` and `unkill-cmd.<dep>` as entries of the two maps (CONC-64); the map's own entry wins. */
export function foldFlatArguments(concept: string, args: Args): Args {
  if (concept !== 'kill-server-fails-integration') return args
  const folded: Record<string, ArgValue> = {}
  const flat = { 'kill-commands': new Map<string, ArgValue>(), 'restore-commands': new Map<string, ArgValue>() }
  for (const [name, value] of Object.entries(args)) {
    const spelling = Object.entries(flatSpellings).find(
      ([prefix]) => name.startsWith(prefix) && name.length > prefix.length
    )
    if (spelling === undefined) folded[name] = value
    else flat[spelling[1]].set(name.slice(spelling[0].length), value)
  }
  for (const [name, entries] of Object.entries(flat)) {
    const map = folded[name] ?? {}
    // Something else than a map is left for the type check to refuse.
    if (entries.size === 0 || typeof map !== 'object' || Array.isArray(map)) continue
    folded[name] = Object.fromEntries([...entries, ...Object.entries(map)])
  }
  return folded
}

function isMissing({ required, name }: ArgumentSchema, args: Args): boolean {
  return required && isAbsent(args[name])
}

/** A null is no value: YAML writes it where somebody left the place empty. */
function isAbsent(value: ArgValue | undefined): value is undefined | null {
  return value === undefined || value === null
}

/** Absent optional arguments with a default get a copy of it, so that no clause shares a value with another (CONC-8). */
function withDefaults(schema: ConceptSchema, args: Args): Args {
  const filled: Record<string, ArgValue> = {}
  for (const { name, default: fallback } of schema.arguments) {
    const value = args[name]
    if (!isAbsent(value)) filled[name] = value
    else if (fallback !== null) filled[name] = structuredClone(fallback)
  }
  return filled
}

function invertedBounds(args: Args): string | null {
  const { 'min-multiplicity': min, 'max-multiplicity': max } = args
  if (typeof min !== 'number' || typeof max !== 'number' || min <= max) return null
  return `range [${min}, ${max}] inverted`
}

function refuse(
  code: ArgumentProblem['code'],
  concept: string,
  argument: string | null,
  message: string
): CheckedArguments {
  const where = argument === null ? '' : `${concept}: argument "${argument}": `
  return { problem: { code, concept, argument, message: where + message } }
}
