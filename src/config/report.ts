import { withoutUserInfo } from './urls.ts'

/** Gathers what reading the configuration comes upon, so that all of it is told at once (CFG-006). */
export type Report = {
  readonly problems: string[]
  /** Without glyph. */
  readonly warnings: string[]
  /** Dotted names of the keys that the file sets (CFG-008). */
  readonly given: Set<string>
}

/** A report nothing was found for yet. */
export function emptyReport(): Report {
  return { problems: [], warnings: [], given: new Set() }
}

/** Adds `config: <key>: <problem>, got <value>` (CFG-006). */
export function reportValue(report: Report, key: string, problem: string, value: unknown): void {
  report.problems.push(`config: ${key}: ${problem}, got ${isSecret(key) ? kindOf(value) : shown(value)}`)
}

/** Adds the problem of something else than a table at `key`: only its kind is told, as a misspelt table may hold a key. */
export function reportNoTable(report: Report, key: string, value: unknown): void {
  report.problems.push(`config: ${key}: must be a table, got ${kindOf(value)}`)
}

/** Adds the warning about a key that means nothing here (CFG-005). */
export function reportUnknown(report: Report, key: string, hint = ''): void {
  report.warnings.push(`config: unknown key ${key}${hint}`)
}

/** Whether a value read from TOML is a table; dates are values. */
export function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}

/** Keys whose values are never shown, whatever is wrong with them (MODEL-066). */
function isSecret(key: string): boolean {
  return key.endsWith('.api_key') || key === 'vault.token'
}

function shown(value: unknown): string {
  if (typeof value === 'number') return String(value)
  if (value instanceof Date) return value.toISOString()
  if (isTable(value)) return 'a table'
  const text = JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'string' ? withoutUserInfo(inner) : inner
  )
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (isTable(value)) return 'a table'
  if (value instanceof Date) return 'a date'
  return `a ${typeof value}`
}
