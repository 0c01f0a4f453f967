import type { ArrowStatus, ClauseStatus, FindingStatus, PassState, Verdict } from './gate.ts'
import type { DepthRank, DepthType, EvaluationType, Severity } from './grid.ts'

// The gate as the screen sees it: plain values of one moment, rebuilt whenever an event says that something changed (EVT-401). The
// screen keeps no counts of its own. Texts are as they are on disk; the screen makes them safe. Times are milliseconds since the epoch.

/** Rows of every panel and the numbers of header and status line, from one reading of the stores (GATE-80). */
export type GateView = {
  /** null: no readable grid (OPUI-103). */
  readonly grid: GridFacts | null
  /** Verdicts can be recorded and passes opened. */
  readonly isEngineOpen: boolean
  /** What keeps the gate closed in a project that has a grid or a store (PERS-401); null: nothing does. */
  readonly closedBy: string | null
  /** In grid order. */
  readonly arrows: readonly ArrowRow[]
  /** Open ones, then the last closed ones, each newest first (OPUI-703). */
  readonly passes: readonly PassRow[]
  readonly findings: readonly FindingRow[]
  /** What waits for the operator, in the order it will be asked (OPUI-400). */
  readonly queue: readonly QueueRow[]
}

export type GridFacts = {
  readonly version: number
  /** R, without what depends on missing bindings (GATE-78). */
  readonly residue: number
  /** C (GATE-77). */
  readonly unevaluated: number
  /** All three in one word, never just complete: the compact form of GATE-76. */
  readonly report: string
}

export type ArrowRow = {
  readonly id: string
  readonly source: string
  readonly target: string
  readonly context: string
  /** Effective status (GATE-52). */
  readonly status: ArrowStatus
  /** No effective pass and no invalidation: shown as not started. */
  readonly isStarted: boolean
  /** Valid, and its artifact has changed since (RUN-252). */
  readonly isOutdated: boolean
  /** The open pass on it, or null. */
  readonly openPass: string | null
  /** What the open pass has come to so far, shown beside the effective status (GATE-52). */
  readonly liveStatus: ArrowStatus | null
  /** Requests of it that wait for a verdict. */
  readonly waiting: number
}

export type PassRow = {
  readonly id: string
  readonly role: string
  readonly context: string
  readonly arrow: string
  readonly state: PassState
  /** null while open. */
  readonly closeReason: string | null
  readonly openedAt: number
  readonly closedAt: number | null
  /** Requests that wait for a verdict; above 0 the pass is parked. */
  readonly waiting: number
}

export type FindingRow = {
  readonly id: string
  readonly arrow: string
  readonly type: string
  readonly severity: Severity | 'unevaluated'
  readonly status: FindingStatus
  readonly description: string
  /** Raised under an older grid version (RUN-512). */
  readonly isOlder: boolean
  /** At or above the threshold of its arrow (RUN-513). */
  readonly isBlocking: boolean
}

export type QueueRow = {
  /** Id of the item, unique among all that waits; of a verdict its attestation ref (OPUI-401). */
  readonly item: string
  readonly type: 'verdict' | 'escalation' | 'risk-acceptance'
  readonly arrow: string
  /** null for a risk acceptance. */
  readonly clause: string | null
  readonly finding: string | null
  readonly round: number
  readonly since: number
}

/** What a dispatch is at (OPUI-321), or null when none runs. */
export type DispatchProgress = {
  readonly arrow: string
  /** null before the pass opened. */
  readonly pass: string | null
  readonly phase: 'checks' | 'adversarial' | 'remediation' | 'verification'
  readonly round: { readonly at: number; readonly of: number } | null
  readonly clause: { readonly id: string; readonly at: number; readonly of: number } | null
  readonly since: number
}

/** What a panel opens for a closer look. */
export type Subject =
  | { readonly kind: 'arrow'; readonly arrow: string }
  | { readonly kind: 'attestations'; readonly arrow: string }
  /** Latest evaluation of a clause. */
  | { readonly kind: 'clause'; readonly arrow: string; readonly clause: string }
  | { readonly kind: 'pass'; readonly pass: string }
  | { readonly kind: 'finding'; readonly finding: string }

/** The answer to `inspect`. */
export type Inspection =
  | ({ readonly kind: 'arrow' } & ArrowDetail)
  | { readonly kind: 'attestations'; readonly arrow: string; readonly attestations: readonly AttestationRow[] }
  | ({ readonly kind: 'clause'; readonly arrow: string } & ClauseDetail)
  | ({ readonly kind: 'pass' } & PassDetail)
  | ({ readonly kind: 'finding' } & FindingDetail)
  /** It is gone; `text` says so. */
  | { readonly kind: 'nothing'; readonly text: string }

export type ArrowDetail = {
  readonly row: ArrowRow
  /** How many files changed since the pass that made it valid, where any did (RUN-252). */
  readonly outdated: { readonly files: number; readonly passId: string } | null
  readonly stratum: string
  /** How often amendments voided it, with what to do about it; empty when never (RUN-852). */
  readonly amendmentHits: string
  /** The blocking facts; empty when the arrow is valid (OPUI-721). */
  readonly why: readonly string[]
  readonly clauses: readonly ClauseRow[]
  readonly predecessor: { readonly arrow: string; readonly status: ArrowStatus } | null
  readonly requirements: readonly {
    readonly id: string
    readonly minDepth: DepthRank
    readonly observed: DepthRank | 'unevaluated' | null
    readonly description: string
  }[]
  readonly findings: readonly FindingRow[]
  /** The last three, newest first. */
  readonly passes: readonly PassRow[]
  readonly attestations: readonly AttestationRow[]
}

export type ClauseRow = {
  readonly id: string
  readonly description: string
  /** null for an attested clause without evidence. */
  readonly concept: string | null
  readonly eval: EvaluationType
  readonly depth: DepthType
  readonly minTier: DepthRank
  /** Last outcome; null: never evaluated. */
  readonly status: ClauseStatus | null
  readonly reason: string
}

export type ClauseDetail = {
  readonly row: ClauseRow
  readonly pass: string | null
  readonly evaluatedAt: number | null
  /** Evaluator result for people; lines. */
  readonly result: string
}

export type PassDetail = {
  readonly row: PassRow
  readonly gridVersion: number
  readonly recoveredAt: number | null
  readonly clauses: readonly ClauseRow[]
  /** Word of the adversarial cycle, or null when none ran. */
  readonly remediation: { readonly outcome: string; readonly rounds: number } | null
}

export type FindingDetail = {
  readonly row: FindingRow
  readonly basis: string
  readonly evidence: string
  readonly locations: readonly string[]
  readonly clause: string | null
  readonly requirement: string | null
  readonly gridVersion: number
  readonly raisedAt: number
  readonly raisedBy: string
  /** Oldest first. */
  readonly transitions: readonly {
    readonly from: FindingStatus
    readonly to: FindingStatus
    readonly role: string
    readonly opId: string
    readonly reason: string
    readonly at: number
  }[]
}

export type AttestationRow = {
  readonly id: string
  readonly kind: 'depth-type' | 'on-the-spot'
  /** null for a whole arrow. */
  readonly clause: string | null
  readonly verdict: Verdict
  readonly opId: string
}
