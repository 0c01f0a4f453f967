import { z } from 'zod'
import { parseDuration } from '../../lib/duration.ts'
import type { Args, Retention } from '../../protocol/grid.ts'
import { argValue } from '../catalogue/index.ts'
import { parseDepthType } from '../runner/depth.ts'
import { positiveProblem } from '../runner/grid-check.ts'
import { severities } from '../runner/severity.ts'

// The keys of a grid file and the types of their values. What the values have to say to each other is
// checked on the grid they make. Keys nobody knows pass (INIT-71).

const severity = z.enum(severities)
/** A value that is looked at below; null for an absent key. */
const anything = z.unknown().default(null)
const optionalText = z
  .string()
  .nullish()
  .transform((text) => text ?? null)
const whole = z.int().min(0)

const args: z.ZodType<Args> = z.record(z.string(), argValue)

function setting(key: string, fallback: number, zeroIsDefault = false) {
  return anything.transform((value, context): number => {
    if (value === null || (zeroIsDefault && value === 0)) return fallback
    const problem = positiveProblem(key, value)
    if (problem === null) return value as number
    context.addIssue({ code: 'custom', message: problem })
    return z.NEVER
  })
}

const depth = anything.transform((value, context) => {
  const type = typeof value === 'string' ? parseDepthType(value) : null
  if (type !== null) return type
  const shown = value === null ? 'missing' : JSON.stringify(value)
  context.addIssue({ code: 'custom', message: `clause-depth-type-unknown: ${shown}` })
  return z.NEVER
})

export const clauseShape = z.looseObject({
  id: z.string(),
  description: z.string(),
  layers: z.array(z.literal([1, 2, 3, 4, 5, 6])),
  eval: z.enum(['machine', 'attested']),
  depth,
  'min-tier': z.int(),
  cost: whole,
  source: z.string(),
  concept: optionalText,
  // A copy, for an alias in the file is the same value in several places (INIT-59).
  args: args.nullish().transform((value) => structuredClone(value ?? {})),
  modified: z.array(z.string()).default([]),
  deferred: z.boolean().default(false),
  missing: z.array(z.string().regex(/^[^:]+:[^:]+$/)).default([])
})

export const requirementShape = z.looseObject({ id: z.string(), 'min-depth': z.int(), description: z.string() })

export const dependencyShape = z.looseObject({
  artifact: z.string().min(1),
  granularity: z.enum(['file', 'section', 'clause-id']),
  'on-change': z.literal('invalidate')
})

export const arrowShape = z.looseObject({
  id: z.string(),
  'source-role': z.string(),
  'target-role': z.string(),
  'producer-role': z.string(),
  context: z.string(),
  stratum: z.string(),
  'severity-threshold': severity.nullish().transform((value) => value ?? null),
  clauses: z.array(clauseShape),
  requirements: z.array(requirementShape).default([]),
  dependencies: z
    .array(dependencyShape)
    .nullish()
    .transform((list) => list ?? null)
})

export const residueShape = z.looseObject({
  kind: z.string(),
  arrow: z.string(),
  'clause-id': optionalText,
  concept: optionalText,
  description: z.string(),
  reason: z.string(),
  cost: whole.nullish().transform((cost) => cost ?? null)
})

export const contextShape = z.looseObject({ id: z.string(), description: optionalText })

const retention = anything.transform((value, context): Retention => {
  const read = readRetention(value)
  if (read !== null) return read
  context.addIssue({ code: 'custom', message: 'keep-all, {max-count: <n>} or {max-age: <duration>}' })
  return z.NEVER
})

/** Reads a retention setting (INIT-73), or null when it is none. */
export function readRetention(value: unknown): Retention | null {
  if (value === null || value === 'keep-all') return { kind: 'keep-all' }
  if (typeof value !== 'object' || Object.keys(value).length !== 1) return null
  const { 'max-count': count, 'max-age': age } = value as { 'max-count'?: unknown; 'max-age'?: unknown }
  if (typeof count === 'number' && Number.isSafeInteger(count) && count > 0) return { kind: 'max-count', count }
  const ageMs = typeof age === 'string' ? parseDuration(age) : null
  return ageMs === null ? null : { kind: 'max-age', ageMs }
}

export const gridShape = z.looseObject({
  'grid-version': z.int().min(1),
  'contract-revision': z.string(),
  'created-at': z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/, 'not a time in UTC (RFC 3339)'),
  'created-by-op-id': z.string().min(1),
  mode: z.enum(['greenfield', 'brownfield']),
  languages: z.array(z.string()).default([]),
  'bounded-contexts': z.array(contextShape),
  'language-bindings': z.record(z.string(), z.unknown()).default({}),
  'depth-ladder': z.array(z.looseObject({ tier: z.int(), label: z.unknown() })).nullish(),
  'severity-threshold': severity.default('medium'),
  'insufficient-basis-rounds-max': setting('insufficient-basis-rounds-max', 3),
  'remediation-rounds-max': setting('remediation-rounds-max', 5),
  'residue-note-max-bytes': setting('residue-note-max-bytes', 16_384, true),
  'modal-pending-max-len': setting('modal-pending-max-len', 64, true),
  'on-the-spot-interruptions': whole.default(0),
  'strict-op-id-separation': z.boolean().default(false),
  retention,
  'amendment-id': optionalText,
  'refusal-override': optionalText,
  arrows: z.array(arrowShape),
  residue: z.array(residueShape).default([])
})

export type RawGrid = z.output<typeof gridShape>
export type RawArrow = z.output<typeof arrowShape>
export type RawClause = z.output<typeof clauseShape>
