import { cutLength } from '../../../lib/cap-text.ts'
import { safeLine } from '../../../lib/safe-text.ts'
import { defaultSeverity, type NewFinding } from '../finding.ts'
import type { Gates } from '../gates.ts'
import type { PassRecord } from '../records.ts'
import { isSeverity } from '../severity.ts'

// What an integrator wrote down in `integration/<context>/findings.md` enters the store before its pass is verified (RUN-711, ROLE-11).
// One list item per entry, its id first, with indented `type:`, `status:` and `severity:` lines.

export type LedgerEntry = {
  readonly id: string
  readonly text: string
  readonly fields: Readonly<Record<string, string>>
}

/** Types that ship with the product (GATE-64). */
const shipped: ReadonlySet<string> = new Set([
  'clause-falsification',
  'open-sweep',
  'depth-below-min',
  'unable-to-hint',
  'insufficient-basis',
  'local-bug',
  'missing-cross-context-spec'
])

/** Where a context's ledger lies, relative to the project (ROLE-11). */
export function ledgerPath(context: string): string {
  return `integration/${context}/findings.md`
}

/** Raises what the ledger has and the store has not. A finding that is known is never changed from the file (RUN-711). */
export function importLedger(
  { findings, ports }: Gates,
  { arrowId, context, gridVersion }: PassRecord,
  ledger: string
): void {
  const fresh = new Map<string, NewFinding>()
  for (const { id: entry, text, fields } of ledgerEntries(ledger)) {
    const { type = '', status = '', severity = '' } = fields
    const id = `led-${context}-${entry}`
    if (!shipped.has(type) || status === 'resolved' || fresh.has(id) || findings.get(id) !== null) continue
    fresh.set(id, {
      id,
      arrowId,
      type,
      severity: severity === '' ? defaultSeverity(type) : isSeverity(severity) ? severity : 'unevaluated',
      description: text === '' ? entry : text,
      basis: ledgerPath(context),
      raisedByRole: 'integrator',
      gridVersion
    })
  }
  const outcome = findings.raise([...fresh.values()])
  if ('refused' in outcome) ports.warn(`${ledgerPath(context)} was not taken over: ${outcome.refused.text}`, undefined)
}

/** The entries of a ledger, in order. Fenced code holds none (ROLE-11). */
export function ledgerEntries(ledger: string): readonly LedgerEntry[] {
  const entries: { id: string; text: string; fields: Record<string, string> }[] = []
  let isCode = false
  for (const line of ledger.split(/\r?\n/)) {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode
    if (isCode) continue
    const field = /^\s+(?:[-*+]\s+)?([a-z][a-z-]*):\s*(.*?)\s*$/.exec(line)
    const current = entries.at(-1)
    if (field !== null && current !== undefined) {
      const [, name = '', value = ''] = field
      current.fields[name] ??= value.toLowerCase()
      continue
    }
    const item = /^(?:[-*+]|\d{1,9}[.)])\s+(.+?)\s*$/.exec(line)
    const [first = '', ...rest] = item?.[1]?.split(/\s+/) ?? []
    const id = cutLength(safeLine(first.replace(/^[`*_[]+|[`*_\]:.,]+$/g, '')), 100)
    if (id !== '') entries.push({ id, text: rest.join(' ').replace(/^[-–—:]\s*/, ''), fields: {} })
  }
  return entries
}
