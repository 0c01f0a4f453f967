// Words of the running gate: statuses, passes, findings, verdicts, and the one envelope of its events.

/** The closed set of statuses (GATE-29). */
export const clauseStatuses = [
  'pending',
  'running',
  'pass',
  'fail',
  'awaiting-attestation',
  'insufficient-basis',
  'unevaluated'
] as const
/** Stored per (pass, clause) (GATE-29…37). */
export type ClauseStatus = (typeof clauseStatuses)[number]

export const unevaluatedReasons = [
  'depth-below-required',
  'no-rule-selectable-locations',
  'producer-no-response',
  'args-unbound',
  'evaluator-timeout',
  'evaluator-cancelled',
  'evaluator-error',
  'scan-incomplete',
  'store-unavailable',
  'baseline-failed',
  'restore-failed',
  'unsupported-query'
] as const
/** The closed set of GATE-38. */
export type UnevaluatedReason = (typeof unevaluatedReasons)[number]

/** Derived, never written by a caller (GATE-53); `in-progress` is never persisted. */
export type ArrowStatus =
  | 'complete'
  | 'provisional'
  | 'unevaluated'
  | 'blocked'
  | 'aborted-remediation'
  | 'invalidated'
  | 'in-progress'

export type PassState = 'open' | 'closed' | 'aborted'
export type FindingStatus = 'open' | 'running' | 'resolved' | 'accepted-risk' | 'unevaluated'
export type Verdict = 'pass' | 'fail' | 'insufficient-basis'
export type VerdictUnit = 'confirm' | 'record-locations-inspected' | 'write-residue-note'

/** What an evaluator found out. `details` is small, plain JSON for people and records. */
export type EvaluationResult = {
  readonly status: 'pass' | 'fail' | 'unevaluated'
  readonly reason: UnevaluatedReason | null
  readonly details: Readonly<Record<string, unknown>>
}

/** The one event envelope of the gate (EVT-100); absent fields are absent. */
export type OperatorEvent = {
  readonly kind: string
  /** RFC 3339 UTC with nanoseconds; stamped by the bus when absent. */
  readonly timestamp?: string
  readonly arrow_id?: string
  readonly clause_id?: string
  readonly finding_id?: string
  readonly pass_id?: string
  readonly role?: string
  readonly op_id?: string
  readonly detail?: string
  readonly payload?: Readonly<Record<string, string>>
}
