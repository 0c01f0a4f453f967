import { isDeepStrictEqual } from 'node:util'
import { compilePathGlob } from '../../lib/path-glob.ts'
import type { Args, ArgValue } from '../../protocol/grid.ts'
import { isLaxer, isSeverity } from '../runner/severity.ts'
import type { ArgumentSchema, Catalogue } from './types.ts'
import { checkArguments, foldFlatArguments } from './validate.ts'

// An operator may tighten what a contract proposes and never loosen it.

export type ModifyRefusal = {
  readonly code:
    | 'cannot-weaken-default'
    | 'regex-modify-not-supported'
    | 'modify-type-not-supported'
    | 'modify-non-finite-numeric'
    | 'modify-on-unknown-field'
    | 'invalid-arguments'
  readonly argument: string | null
  /** Begins with the code, except for what validation says. */
  readonly message: string
}

export type Modified =
  /** The merged arguments as they are recorded (without defaults nobody named), and the names whose value changed, sorted. */
  { readonly args: Args; readonly modified: readonly string[] } | { readonly refused: ModifyRefusal }

/**
 * Applies `changes` to the proposed arguments of a clause, in the accepted directions only (CONC-87, CONC-88). An argument that had no
 * proposed value is supplied freely; a default counts as proposed. `allowMissing` lets required arguments stay open.
 */
export function modifyArguments(
  catalogue: Catalogue,
  concept: string,
  proposed: Args,
  changes: Args,
  options: { readonly allowMissing?: boolean } = {}
): Modified {
  const before = foldFlatArguments(concept, proposed)
  const wanted = foldFlatArguments(concept, changes)
  const schema = catalogue.get(concept)
  for (const [name, value] of Object.entries(wanted)) {
    if (schema !== undefined && !schema.arguments.some((argument) => argument.name === name))
      return refuse('modify-on-unknown-field', name, `concept ${concept} has no argument "${name}"`)
    if (typeof value === 'number' && !Number.isFinite(value))
      return refuse('modify-non-finite-numeric', name, `argument "${name}"`)
  }
  const merged = { ...before, ...wanted }
  const checked = checkArguments(catalogue, concept, merged, options)
  if ('problem' in checked) {
    const { argument, message } = checked.problem
    return { refused: { code: 'invalid-arguments', argument, message } }
  }
  const modified: string[] = []
  for (const argument of schema?.arguments ?? []) {
    const value = wanted[argument.name]
    const old = proposedValue(argument, before)
    if (value === undefined || value === null || isDeepStrictEqual(value, old)) continue
    const refused = old === null ? null : againstDirection(argument, old, value)
    if (refused !== null) return { refused }
    modified.push(argument.name)
  }
  return { args: merged, modified: modified.toSorted() }
}

/** null: there was none. An empty map stands for commands nobody has named yet. */
function proposedValue({ name, default: fallback }: ArgumentSchema, args: Args): ArgValue {
  const value = args[name] ?? fallback
  return isDeepStrictEqual(value, {}) ? null : value
}

const patternArguments: readonly string[] = ['link-rule', 'query']

function againstDirection({ name, type }: ArgumentSchema, old: ArgValue, value: ArgValue): ModifyRefusal | null {
  if (type === 'regex' || patternArguments.includes(name))
    return refusal('regex-modify-not-supported', name, `argument "${name}"`)
  switch (type) {
    case 'int':
    case 'number': {
      const upper = name === 'max-multiplicity'
      const stricter = upper ? Number(value) <= Number(old) : Number(value) >= Number(old)
      return stricter
        ? null
        : refusal('cannot-weaken-default', name, `argument "${name}": ${value} is ${upper ? 'above' : 'below'} ${old}`)
    }
    case 'severity':
      return isAtMost(value, old) ? null : refusal('cannot-weaken-default', name, 'laxer threshold')
    case 'path-glob':
      return compilePathGlob(String(value)).literal && compilePathGlob(String(old)).matches(String(value))
        ? null
        : refusal('cannot-weaken-default', name, 'wider scope')
    default:
      return refusal('modify-type-not-supported', name, `argument "${name}" of type ${type}`)
  }
}

/** Severities in their order, as the check of the values has let them through. */
function isAtMost(value: ArgValue, old: ArgValue): boolean {
  return isSeverity(value) && isSeverity(old) && !isLaxer(value, old)
}

function refusal(code: ModifyRefusal['code'], argument: string, detail: string): ModifyRefusal {
  return { code, argument, message: `${code}: ${detail}` }
}

function refuse(code: ModifyRefusal['code'], argument: string, detail: string): Modified {
  return { refused: refusal(code, argument, detail) }
}
