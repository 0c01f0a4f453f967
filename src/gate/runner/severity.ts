import type { Arrow, Grid, Severity } from '../../protocol/grid.ts'

export const severities = ['info', 'low', 'medium', 'high', 'critical'] as const

/** Rank 0..4; a finding blocks at or above the threshold's (GATE-65, GATE-70). */
export function severityRank(severity: Severity): number {
  return severities.indexOf(severity)
}

/** Whether a word is one of the five severities (GATE-65). */
export function isSeverity(value: unknown): value is Severity {
  return severities.some((known) => known === value)
}

/** Whether a finding of this severity blocks under this threshold; one without a rank always does (GATE-65). */
export function blocks(severity: Severity | 'unevaluated', threshold: Severity): boolean {
  return severity === 'unevaluated' || severityRank(severity) >= severityRank(threshold)
}

/** Stricter means lower: `high` is laxer than `medium` (GATE-70). */
export function isLaxer(threshold: Severity, than: Severity): boolean {
  return severityRank(threshold) > severityRank(than)
}

/** The threshold in force on an arrow: its own, else the project's; `medium` on the bootstrap arrow whatever is declared (GATE-70). */
export function thresholdOf(grid: Grid, arrow: Arrow): Severity {
  if (arrow.sourceRole === 'init') return 'medium'
  return arrow.severityThreshold ?? grid.severityThreshold
}
