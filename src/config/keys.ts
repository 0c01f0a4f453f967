import { isTable, type Report, reportValue } from './report.ts'
import { tableOf } from './sections.ts'

/** What the screen's key map finds wrong with overrides; `app` passes its check in, since only the screen knows the actions. */
export type KeyProblem =
  | { readonly kind: 'unknown-action'; readonly action: string }
  | { readonly kind: 'unknown-key'; readonly action: string; readonly key: string }
  | { readonly kind: 'clash'; readonly key: string; readonly actions: readonly [string, string] }
  | { readonly kind: 'not-for-verdict'; readonly action: string; readonly key: string }

export type KeyOverrides = Readonly<Record<string, readonly string[]>>

export type KeyCheck = (overrides: KeyOverrides) => readonly KeyProblem[]

/** Reads `[keys]`: nested tables joined with dots, a string or a list of strings each (CFG-012). */
export function readKeys(report: Report, raw: unknown, check: KeyCheck | undefined): KeyOverrides {
  const overrides: Record<string, readonly string[]> = Object.create(null)
  collect(report, 'keys', tableOf(report, 'keys', raw), overrides)
  for (const problem of check?.(overrides) ?? []) word(report, problem)
  return overrides
}

function collect(
  report: Report,
  path: string,
  table: Readonly<Record<string, unknown>>,
  into: Record<string, readonly string[]>
): void {
  for (const [name, value] of Object.entries(table)) {
    const key = `${path}.${name}`
    if (isTable(value)) collect(report, key, value, into)
    else {
      report.given.add(key)
      const names = typeof value === 'string' ? [value] : value
      if (isStrings(names)) into[key.slice('keys.'.length)] = names
      else reportValue(report, key, 'must be a key name or a list of key names', value)
    }
  }
}

function word(report: Report, problem: KeyProblem): void {
  switch (problem.kind) {
    case 'unknown-action':
      report.problems.push(`config: keys.${problem.action}: unknown action`)
      break
    case 'unknown-key':
      reportValue(report, `keys.${problem.action}`, 'unknown key', problem.key)
      break
    case 'clash':
      report.problems.push(
        `config: keys: "${problem.key}" is bound to both ${problem.actions[0]} and ${problem.actions[1]}`
      )
      break
    case 'not-for-verdict':
      report.problems.push(`config: keys.${problem.action}: not allowed for a verdict`)
  }
}

function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}
