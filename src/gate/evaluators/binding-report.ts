import type { EvaluationResult } from '../../protocol/gate.ts'
import type { BindingProtocol } from '../../protocol/grid.ts'
import type { BindingRun } from './binding-run.ts'
import { recordedTail, recordedText, recordedValue } from './mask.ts'
import { type Details, failed, unevaluated } from './result.ts'

/** What a binding reported by the protocols `json` and `exit`, before its concept has looked at it. */
export type Report = {
  readonly pass: boolean
  /** Texts in it are masked and cut. */
  readonly details: Details
  /** From a JSON object, whose details the concept knows how to read. */
  readonly structured: boolean
}

/** Levels of nesting in `details` beyond which JSON counts as malformed (CONC-22). */
const maxDepth = 8

/**
 * Reads a run by its protocol (CONC-21…23): a report, or the result where there is none. `auto` is JSON when the output begins with a
 * brace, else the exit code.
 */
export function reportOf(run: BindingRun, protocol: Exclude<BindingProtocol, 'edges'>): Report | EvaluationResult {
  if ('settled' in run) return run.settled
  const { code, stdout, stderr } = run
  const kept = stderr === '' ? {} : { stderr: recordedText(stderr) }
  const isJson = protocol === 'json' || (protocol === 'auto' && stdout.trimStart().startsWith('{'))
  // With valid JSON the exit code says nothing more (CONC-22).
  const report = isJson ? parseReport(stdout) : null
  if (report !== null) return { ...report, details: { ...report.details, ...kept } }
  const missing = notRunnable(code)
  if (missing !== null)
    return unevaluated('evaluator-error', { error: 'evaluator-error', detail: missing, 'exit-code': code, ...kept })
  if (isJson)
    return failed({ error: 'evaluator-output-malformed', 'exit-code': code, output: recordedTail(stdout), ...kept })
  if (code === 0) return { pass: true, details: kept, structured: false }
  return { pass: false, details: { 'exit-code': code, output: recordedTail(stdout), ...kept }, structured: false }
}

/** What the shell says with these two codes (CONC-23); null for any other. */
export function notRunnable(code: number): string | null {
  if (code === 126) return 'command not executable'
  return code === 127 ? 'command not found' : null
}

/** One JSON object with a boolean `pass` and, if any, a map of `details`; null for anything else. */
function parseReport(stdout: string): Report | null {
  let value: unknown
  try {
    value = JSON.parse(stdout.replace(/^\ufeff/, ''))
  } catch {
    return null // malformed output is an answer, and the caller's to name
  }
  if (!isMap(value)) return null
  const { pass, details = {} } = value
  if (typeof pass !== 'boolean' || !isMap(details) || isDeeper(details, maxDepth)) return null
  return { pass, details: recordedValue(details) as Details, structured: true }
}

/** A JSON object, not an array. */
export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}
