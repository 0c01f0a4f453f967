import { parseDuration } from '../../lib/duration.ts'
import { type ArgValue, roles } from '../../protocol/grid.ts'
import { isContextId, isLanguageId } from '../runner/arrow-id.ts'
import { findingStatuses } from '../runner/finding.ts'
import { severities } from '../runner/severity.ts'
import { staysInside } from './path-text.ts'
import type { ArgumentProblem, ArgumentSchema, ArgumentType, Range } from './types.ts'

/** What is wrong with a value, without the names around it. */
export type ValueProblem = { readonly code: ArgumentProblem['code']; readonly message: string }

/**
 * What is wrong with `value` as an argument of this schema, or null. Looks at the value alone: no file is
 * touched and nothing is run (CONC-9).
 */
export function problemOf(schema: ArgumentSchema, value: ArgValue): ValueProblem | null {
  return checks[schema.type]?.(value, schema) ?? null
}

type Check = (value: ArgValue, schema: ArgumentSchema) => ValueProblem | null

const roleIds: readonly string[] = [...roles, 'init', 'adversary']

const wrongType = (message: string): ValueProblem => ({ code: 'wrong-type', message })
const requiresString = wrongType('requires string')
const requiresNumeric = wrongType('requires numeric')

/** A check on text; everything else is refused before. */
function text(check: (value: string, schema: ArgumentSchema) => ValueProblem | null): Check {
  return (value, schema) => (typeof value === 'string' ? check(value, schema) : requiresString)
}

const nonEmpty = text((value) => (value.trim() === '' ? wrongType('requires string that is not empty') : null))

const member = (members: readonly string[]) =>
  text((value) =>
    members.includes(value)
      ? null
      : { code: 'not-in-enum', message: `"${value}" not in canonical enum (${members.join(', ')})` }
  )

const checks: Readonly<Record<ArgumentType, Check>> = {
  string: text(() => null),
  int: (value, { range }) => (Number.isInteger(value) ? outside(value as number, range) : requiresWhole(value)),
  number: (value, { range }) =>
    typeof value === 'number' && Number.isFinite(value) ? outside(value, range) : requiresNumeric,
  boolean: (value) => (typeof value === 'boolean' ? null : wrongType('requires boolean')),
  list: checkList,
  map: checkMap,
  enum: text((value, { values }) =>
    values?.includes(value) === true
      ? null
      : { code: 'not-in-enum', message: `"${value}" not in enum (${(values ?? []).join(', ')})` }
  ),
  severity: member(severities),
  'finding-status': member(findingStatuses),
  'depth-tier': (value) =>
    Number.isInteger(value) ? outside(value as number, { min: 0, max: 3 }) : requiresWhole(value),
  duration: text((value) =>
    parseDuration(value) === null ? wrongType('requires duration such as 30s or 1h30m') : null
  ),
  'path-glob': text(insideProject),
  'artifact-ref': text(insideProject),
  regex: text((value) => (compiles(value) ? null : wrongType('requires pattern that compiles'))),
  command: text((value) => (value.trim() === '' ? wrongType('requires string with a command') : null)),
  'language-id': text((value) =>
    isLanguageId(value) ? null : wrongType('requires string with a language id such as go')
  ),
  'role-id': member(roleIds),
  'bounded-context-id': text((value, { values }) =>
    values?.includes(value) === true || isContextId(value) ? null : wrongType('requires string with a context id')
  ),
  'arrow-id': nonEmpty,
  'pass-id': nonEmpty,
  'dependency-id': nonEmpty,
  'enum-or-path': text((value, schema) => (schema.values?.includes(value) === true ? null : insideProject(value))),
  'int-or-range': checkIntOrRange
}

function requiresWhole(value: ArgValue): ValueProblem {
  return typeof value === 'number' && Number.isFinite(value)
    ? wrongType('requires numeric without a fraction')
    : requiresNumeric
}

/** Each bound on its own: a range may be open on either side. */
function outside(value: number, range: Range | null): ValueProblem | null {
  if (range === null) return null
  const below = range.min !== null && value < range.min
  const above = range.max !== null && value > range.max
  if (!below && !above) return null
  return { code: 'outside-range', message: `${value} outside range [${range.min ?? '~'}, ${range.max ?? '~'}]` }
}

function checkList(value: ArgValue, schema: ArgumentSchema): ValueProblem | null {
  if (!Array.isArray(value)) return wrongType('requires array')
  const { items } = schema
  if (items !== null) {
    const element: ArgumentSchema = { ...schema, type: items, items: null, range: null }
    for (const [index, item] of value.entries()) {
      const problem = problemOf(element, item)
      if (problem !== null) return { ...problem, message: `element ${index + 1}: ${problem.message}` }
    }
  }
  const count = outside(value.length, schema.range)
  return count === null ? null : { ...count, message: `number of elements ${count.message}` }
}

function checkMap(value: ArgValue): ValueProblem | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrongType('requires map')
  const bad = Object.entries(value).find(([, entry]) => typeof entry !== 'string')
  return bad === undefined ? null : wrongType(`entry "${bad[0]}": requires string`)
}

function checkIntOrRange(value: ArgValue): ValueProblem | null {
  if (Number.isInteger(value)) return null
  if (!Array.isArray(value)) return requiresNumeric
  const [min, max] = value
  if (value.length !== 2 || !Number.isInteger(min) || !Number.isInteger(max))
    return wrongType('requires numeric pair [min, max]')
  return (min as number) <= (max as number) ? null : { code: 'inverted', message: `range [${min}, ${max}] inverted` }
}

function insideProject(value: string): ValueProblem | null {
  if (value.trim() === '') return wrongType('requires string that is not empty')
  return staysInside(value) ? null : wrongType('requires string with a path inside the project')
}

function compiles(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u')
    return true
  } catch {
    return false // the syntax error itself is for whoever evaluates it
  }
}
