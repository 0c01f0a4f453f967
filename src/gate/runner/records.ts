import type {
  ArrowStatus,
  ClauseStatus,
  EvaluationResult,
  FindingStatus,
  PassState,
  UnevaluatedReason,
  Verdict,
  VerdictUnit
} from '../../protocol/gate.ts'
import type { Dependency, DepthRank, RoleId, Severity } from '../../protocol/grid.ts'

// What the kernel keeps and tells: one plain record per row that somebody stores. `''` stands for "not yet" in texts and times, so that
// a record reads the same in memory and on disk. Times are RFC 3339 UTC with nanoseconds (RUN-300).

export type Stamp = string

/** Loop outcomes of the adversarial cycle (RUN-650). */
export type LoopOutcome =
  | 'converged'
  | 'converged-with-unevaluated'
  | 'escalated-rounds-max'
  | 'escalated-no-progress'
  | 'escalated-hook-error'
  | 'context-cancelled'
  | 'model-unreachable'

export type PassRecord = {
  /** `p-<n>` (RUN-301). */
  readonly id: string
  readonly role: RoleId
  readonly context: string
  readonly arrowId: string
  readonly gridVersion: number
  readonly state: PassState
  readonly openedAt: Stamp
  readonly closedAt: Stamp
  /** Code, optionally `:` and detail (RUN-105). */
  readonly closeReason: string
  /** Stamped at most once, by recovery. */
  readonly recoveredAt: Stamp
  readonly actualTier: DepthRank | null
  /** What was derived when it closed; the current status is always recomputed (RUN-251). */
  readonly arrowStatus: ArrowStatus | null
  readonly openedByOpId: string
  /** null: no cycle ran. */
  readonly remediationOutcome: LoopOutcome | null
  readonly remediationRoundsUsed: number | null
  /** Taken before verification (RUN-247). */
  readonly artifactDigest: string
  /** Dependency → digest, recorded at close `ok` (GATE-89); null: none recorded. */
  readonly dependencyDigests: Readonly<Record<string, string>> | null
}

/** What became of one clause in one pass. A word read from disk may lie outside the known sets (GATE-3, GATE-38). */
export type ClauseOutcome = {
  readonly clauseId: string
  readonly status: ClauseStatus | (string & {})
  /** Set exactly when the status is `unevaluated` (RUN-104). */
  readonly reason: UnevaluatedReason | (string & {}) | null
  /** One line for people: why, as the evaluator or the plumbing said. */
  readonly note: string
}

/** One evaluation of one clause, inserted once (PERS-200). */
export type RunRow = {
  /** `ev-<YYYYMMDD>-<HHMMSS>-<nanos>-<counter>`. */
  readonly id: string
  readonly clauseId: string
  readonly passId: string
  readonly arrowId: string
  readonly gridVersion: number
  /** Base ref; not empty only for clauses handed to the operator. */
  readonly attestationRef: string
  readonly actualTier: DepthRank
  readonly minTier: DepthRank
  readonly concept: string
  /** Registry generation of the evaluator; 0: none ran. */
  readonly generation: number
  readonly startedAt: Stamp
  readonly completedAt: Stamp
  readonly startStatus: ClauseStatus
  /** `running` for a clause that waits for the operator (RUN-102). */
  readonly endStatus: ClauseStatus
  readonly result: EvaluationResult | null
  /** Trouble of the plumbing: the evaluator broke instead of failing the clause (GATE-41). */
  readonly runError: string
  readonly unevaluatedReason: UnevaluatedReason | null
}

export type Finding = {
  readonly id: string
  readonly arrowId: string
  readonly type: string
  readonly severity: Severity
  readonly status: FindingStatus | (string & {})
  readonly description: string
  readonly basis: string
  readonly evidence: string
  /** `path:line[-line]`. */
  readonly locations: readonly string[]
  readonly targetClause: string | null
  readonly targetRequirement: string | null
  readonly raisedAt: Stamp
  readonly raisedByRole: string
  readonly transitionCount: number
  /** Version in force when it was raised; never rewritten (RUN-500). */
  readonly gridVersion: number
  /** Newer wins (PERS-302). */
  readonly storeVersion: number
  readonly updatedAt: Stamp
}

export type FindingTransition = {
  readonly findingId: string
  readonly from: FindingStatus | (string & {})
  readonly to: FindingStatus
  readonly role: string
  readonly opId: string
  readonly reason: string
  readonly at: Stamp
  readonly storeVersion: number
}

export type DeclaredRequirement = {
  readonly arrowId: string
  readonly id: string
  readonly minDepth: 1 | 2 | 3
  readonly description: string
  readonly declaredAt: Stamp
  readonly storeVersion: number
}

export type Classification = {
  readonly arrowId: string
  readonly requirementId: string
  readonly observed: DepthRank
  /** The classifier ran too shallow; `observed` says nothing then (RUN-663). */
  readonly unevaluated: boolean
  readonly evidence: string
  readonly overwriteCount: number
  readonly classifiedAt: Stamp
  readonly storeVersion: number
}

/** Why an amendment voids an arrow (RUN-722); a dependency is named by its granularity. */
export type InvalidationCause = 'source' | 'superseded' | 'undeclared' | Dependency['granularity']

export type Invalidation = {
  readonly arrowId: string
  readonly opId: string
  readonly reason: string
  readonly at: Stamp
  readonly gridVersion: number
  readonly source: 'operator' | 'amendment'
  /** What an amendment reached it through (RUN-852); absent for the operator's own. */
  readonly because?: readonly InvalidationCause[]
  /** The pass that ended it by becoming the effective one; null: in force (PERS-220). */
  readonly consumedByPass: string | null
}

export type AttestationKind = 'depth-type' | 'on-the-spot'

/** What decides the file of the tree a verdict goes to (ATT-400). */
export type AttestationPlace = Pick<
  Attestation,
  'gridVersion' | 'context' | 'stratum' | 'sourceRole' | 'targetRole' | 'adversaryRole' | 'attestedByRole' | 'passId'
>

/** One operator verdict, immutable (ATT-100, ATT-101). */
export type Attestation = {
  readonly id: string
  readonly kind: AttestationKind
  readonly arrowId: string
  /** `''` for `on-the-spot`. */
  readonly clauseId: string
  readonly opId: string
  readonly attestedByRole: string
  readonly sourceRole: string
  readonly targetRole: string
  readonly verdict: Verdict
  readonly reason: string
  /** Nanoseconds since the epoch; never a double (ATT-102). */
  readonly timestamp: bigint
  readonly gridVersion: number
  readonly passId: string
  readonly context: string
  readonly stratum: string
  readonly adversaryRole: string
  /** `''` only in legacy lines. */
  readonly unit: VerdictUnit | ''
  /** Text of a JSON object; `''` only in legacy lines. */
  readonly unitPayloadJson: string
  /** Text of a JSON object: what the operator was shown; `{}` and `''` mean the same. */
  readonly hintJson: string
  /** Base ref when it differs from `id` (ATT-203), else `''`. */
  readonly ref: string
  /** Keys of a line that are not known here, kept as they are (ATT-103). */
  readonly unknownKeys?: Readonly<Record<string, unknown>>
}

/** A valid arrow whose artifact has moved since (RUN-252). */
export type Outdated = {
  readonly arrowId: string
  /** The effective pass whose artifact it was. */
  readonly passId: string
  /** At least 1. */
  readonly files: number
}
