import type { Severity } from '../../protocol/grid.ts'

const severities: readonly Severity[] = ['info', 'low', 'medium', 'high', 'critical']

/** info 0 … critical 4 (GATE-65); a word outside the five ranks as high, so that it is never the reason to pass (CONC-43). */
export function severityRank(severity: string): number {
  const rank = severities.indexOf(severity as Severity)
  return rank === -1 ? severities.indexOf('high') : rank
}

/** Whether it is one of the five words (GATE-65). */
export function isSeverity(severity: string): severity is Severity {
  return severities.includes(severity as Severity)
}
