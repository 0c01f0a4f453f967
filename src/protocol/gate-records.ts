import type { FindingStatus, PassState, UnevaluatedReason, Verdict, VerdictUnit } from './gate.ts'
import type { Arrow, DepthRank, Severity } from './grid.ts'

// What the gate keeps, and the changes its stores announce to whoever keeps it. The kernel decides and announces, the engine writes
// in the same turn (PERS-300). Times are RFC 3339 UTC text with nanoseconds, '' = not yet, unless said otherwise.

export type AttestationKind = 'depth-type' | 'on-the-spot'

/** One operator verdict, immutable (ATT-100, ATT-101). A text that is not there is ''. */
export type AttestationRecord = {
  readonly attestationId: string
  readonly kind: AttestationKind
  readonly arrowId: string
  /** null for `on-the-spot`. */
  readonly clauseId: string | null
  readonly opId: string
  readonly attestedByRole: string
  readonly sourceRole: string
  readonly targetRole: string
  readonly verdict: Verdict
  readonly reason: string
  /** Unix nanoseconds, beyond what a double holds (ATT-102). */
  readonly timestamp: bigint
  readonly gridVersion: number
  /** '' only in legacy lines. */
  readonly passId: string
  readonly context: string
  readonly stratum: string
  readonly adversaryRole: string
  /** '' only in legacy lines. */
  readonly unit: VerdictUnit | ''
  /** Text of a JSON object; '' only in legacy lines. */
  readonly unitPayloadJson: string
  /** Text of a JSON object; '' and `{}` are the same (ATT-103). */
  readonly hintJson: string
  /** Base ref where it differs from the id, else '' (ATT-203). */
  readonly attestationRef: string
  /** Keys of the line nobody knows, kept on copy, ignored by comparison (ATT-103). */
  readonly extra?: Readonly<Record<string, unknown>>
}

/** Row of a pass (RUN-300). */
export type PassRecord = {
  readonly passId: string
  readonly role: string
  readonly context: string
  readonly arrowId: string
  readonly gridVersion: number
  readonly state: PassState
  readonly openedAt: string
  readonly closedAt: string
  readonly closeReason: string
  readonly recoveredAt: string
  /** Outcome word of the adversarial cycle; null: none ran (PERS-114). */
  readonly remediationOutcome: string | null
  readonly remediationRoundsUsed: number | null
  readonly actualTier: DepthRank | null
  /** Status derived at close. */
  readonly arrowStatus: string | null
  readonly openedByOpId: string
  /** RUN-247; '' before verification started. */
  readonly artifactDigest: string
  /** Path to digest, written at close `ok` (GATE-89); null before. */
  readonly dependencyDigests: Readonly<Record<string, string>> | null
}

/** Words a run starts and ends with; waiting clauses are stored as `running` (RUN-102). */
export type RunStatus = 'pending' | 'running' | 'pass' | 'fail' | 'unevaluated'

/** One evaluation of one clause in one pass (persistence of RUN-230). */
export type EvaluationRun = {
  readonly id: string
  readonly clauseId: string
  readonly passId: string
  readonly arrowId: string
  readonly gridVersion: number
  /** Base ref, only of clauses handed to the operator; else ''. */
  readonly attestationRef: string
  readonly actualTier: DepthRank
  readonly minDepthTier: DepthRank
  readonly evaluatorConcept: string
  readonly evaluatorGeneration: number
  readonly startedAt: string
  readonly completedAt: string
  readonly startStatus: RunStatus
  readonly endStatus: RunStatus
  /** Evaluator result as JSON text, '' when there is none. */
  readonly resultJson: string
  /** Plumbing error: the evaluator broke; '' when it did not. */
  readonly runError: string
  readonly unevaluatedReason: UnevaluatedReason | ''
}

/** RUN-500 */
export type FindingRecord = {
  readonly id: string
  readonly arrowId: string
  readonly type: string
  readonly severity: Severity | 'unevaluated'
  readonly status: FindingStatus
  readonly description: string
  readonly basis: string
  readonly evidence: string
  /** `path:line[-line]` */
  readonly locations: readonly string[]
  readonly targetClause: string | null
  readonly targetRequirement: string | null
  readonly raisedAt: string
  readonly raisedByRole: string
  readonly transitionCount: number
  readonly gridVersion: number
  /** Newer wins (PERS-302). */
  readonly storeVersion: number
  readonly updatedAt: string
}

export type FindingTransition = {
  readonly findingId: string
  readonly from: FindingStatus
  readonly to: FindingStatus
  readonly role: string
  readonly reason: string
  readonly opId: string
  readonly storeVersion: number
  readonly at: string
}

/** RUN-660 */
export type RequirementRecord = {
  readonly arrowId: string
  readonly reqId: string
  readonly minDepth: 1 | 2 | 3
  readonly description: string
  readonly storeVersion: number
  readonly declaredAt: string
}

export type ClassificationRecord = {
  readonly arrowId: string
  readonly reqId: string
  readonly observed: DepthRank
  readonly evidence: string
  readonly overwriteCount: number
  readonly storeVersion: number
  readonly classifiedAt: string
  /** Seen below the needed rank (RUN-663). */
  readonly unevaluated: boolean
}

/** RUN-700 */
export type AmendmentRecord = {
  readonly id: string
  readonly reason: string
  readonly sourceArrow: string
  readonly targetRole: string
  readonly contexts: readonly string[]
  readonly findingIds: readonly string[]
  readonly description: string
  readonly createdAt: string
  /** null: pending. */
  readonly drainedAt: string | null
  readonly gridVersionAfter: number | null
}

/** RUN-850; in force while `consumedByPass` is null (PERS-220). */
export type InvalidationRecord = {
  readonly arrowId: string
  readonly opId: string
  readonly reason: string
  readonly invalidatedAt: string
  readonly gridVersion: number
  readonly source: 'operator' | 'amendment'
  readonly consumedByPass: string | null
}

/** One definition an arrow had, with the grid version that brought it. */
export type ArrowDefinition = {
  readonly arrow: Arrow
  readonly gridVersion: number
  readonly kind: 'append' | 'on-the-spot'
  readonly declaredAt: string
}

/** What the stores of the gate announce, and the journal writes: one change, one transaction (PERS-301). */
export type GateChange =
  | { readonly kind: 'pass-opened'; readonly pass: PassRecord }
  /** Cycle ended or verification started: remediation columns and artifact digest. */
  | { readonly kind: 'pass-updated'; readonly pass: PassRecord }
  /** Closed or aborted; `endsInvalidation`: it opened after the arrow's invalidation and is the effective pass now (RUN-850). */
  | { readonly kind: 'pass-ended'; readonly pass: PassRecord; readonly endsInvalidation: boolean }
  | { readonly kind: 'clause-evaluated'; readonly run: EvaluationRun }
  | { readonly kind: 'finding-raised'; readonly finding: FindingRecord }
  | {
      readonly kind: 'finding-transitioned'
      readonly finding: FindingRecord
      readonly transition: FindingTransition
    }
  | { readonly kind: 'requirement-declared'; readonly requirement: RequirementRecord }
  /** `before`: the rank that an overwrite replaced, null for a first observation (RUN-661). */
  | {
      readonly kind: 'depth-observed'
      readonly classification: ClassificationRecord
      readonly before: DepthRank | null
    }
  | { readonly kind: 'arrow-declared'; readonly definition: ArrowDefinition }
  | { readonly kind: 'amendment-enqueued'; readonly amendment: AmendmentRecord }
  | { readonly kind: 'amendment-drained'; readonly amendment: AmendmentRecord }
  | { readonly kind: 'attestation-recorded'; readonly record: AttestationRecord; readonly recordedAt: string }
  | { readonly kind: 'arrow-invalidated'; readonly invalidation: InvalidationRecord }

/** Called in the turn of the change; several changes of one atomic section come in one call (PERS-303). */
export type GateObserver = (changes: readonly GateChange[]) => void

/**
 * The one writer whose failure refuses a record (ATT-302). Returns the record as it stands on disk: `reason` may have been
 * annotated (ATT-424). Throws a `Failure` with code `attestation-audit-write-failed`, and then nothing was recorded.
 */
export type AttestationWriter = { append(record: AttestationRecord): AttestationRecord }
