import type * as z from 'zod'
import { isTable, type Report, reportNoTable, reportUnknown, reportValue } from './report.ts'

/** Remarks that follow the warning about an unknown key. */
const unknownHints: Readonly<Record<string, string>> = {
  'tools.max_call_depth': ' (the ceiling of 50 tool calls is fixed)'
}

/**
 * Reads one table of the file key by key, so that one wrong value hides no other: what is wrong is reported and stands at its
 * default in the result. `nested` names tables inside it that are read on their own.
 */
export function readSection<Schema extends z.ZodObject>(
  report: Report,
  path: string,
  schema: Schema,
  raw: unknown,
  nested: readonly string[] = []
): z.output<Schema> {
  const table = tableOf(report, path, raw)
  const shape = schema.shape as Record<string, z.ZodType>
  for (const key of Object.keys(table)) {
    const name = `${path}.${key}`
    if (nested.includes(key)) continue
    if (Object.hasOwn(shape, key)) report.given.add(name)
    else reportUnknown(report, name, unknownHints[name])
  }
  const values: Record<string, unknown> = {}
  for (const [key, field] of Object.entries(shape)) {
    const read = field.safeParse(table[key])
    values[key] = read.success ? read.data : field.parse(undefined)
    if (read.success) continue
    const [issue] = read.error.issues
    reportValue(report, `${path}.${key}`, issue?.message ?? 'is not valid', table[key])
  }
  return values as z.output<Schema>
}

/** The table at `path`, or an empty one where there is none; anything else there is a problem. */
export function tableOf(report: Report, path: string, raw: unknown): Readonly<Record<string, unknown>> {
  if (raw === undefined) return {}
  if (isTable(raw)) return raw
  reportNoTable(report, path, raw)
  return {}
}
