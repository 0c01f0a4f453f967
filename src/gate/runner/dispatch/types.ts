import type { ArrowStatus } from '../../../protocol/gate.ts'
import type { Arrow } from '../../../protocol/grid.ts'
import type { LockBusy } from '../locks.ts'
import type { OpenRefusal } from '../passes.ts'
import type { Cycle } from '../ports.ts'
import type { TransitionInvalidInput, TransitionRefusal } from '../predecessor.ts'
import type { LoopOutcome, Outdated, Stamp } from '../records.ts'
import type { Refusal } from '../refusal.ts'
import type { Route } from '../routing.ts'

/** One dispatch = one pass over one arrow (RUN-200). */
export type DispatchRequest = {
  readonly arrowId: string
  /** Absent: the arrow's own. */
  readonly context?: string | undefined
  /** Active op-id or empty. */
  readonly opId: string
  /** Its reason says why: `manual-stop` when the session closes, anything else is the operator's interrupt (RUN-236). */
  readonly signal: AbortSignal
  /** Nesting depth, 0 unless a hook dispatches (RUN-235). */
  readonly depth?: number
  /** Called before the pass opens when the arrow before it is valid on an artifact that has moved since (RUN-252). */
  readonly onOutdated?: ((upstream: Outdated) => void) | undefined
  /** Called with the outcome of each arrow that had to be run first, as soon as it is known (OPUI-327). */
  readonly onPredecessor?: ((arrowId: string, outcome: DispatchOutcome) => void) | undefined
}

export type MissingBinding = Refusal<'missing-binding'> & { readonly keys: readonly string[] }

/** An answer before anything is written (RUN-210). */
export type DispatchRefusal =
  | Refusal<
      | 'engine-not-initialized'
      | 'no-audit-subscriber'
      | 'dispatch-recursion-exceeded'
      | 'no-grid'
      | 'unknown-arrow'
      | 'unknown-context'
      | 'clause-depth-type-unknown'
      | 'clause-depth-requirement-invalid'
      | 'adversarial-hooks-not-wired'
      | 'gate-file-changed'
      | 'operator-interrupt'
    >
  | MissingBinding
  | TransitionRefusal
  | TransitionInvalidInput
  | LockBusy
  | OpenRefusal

/** RUN-201 */
export type DispatchResult = {
  readonly passId: string
  readonly arrowId: string
  readonly arrowStatus: ArrowStatus
  /** Declared clauses that left `pending` (RUN-263). */
  readonly clauses: number
  readonly blockingClauses: number
  readonly blockingFindings: number
  /** Ids of the evaluation rows, in order. */
  readonly runs: readonly string[]
  /** The pass is still open: verdicts are outstanding, or `held` says why it may not close. */
  readonly isParked: boolean
  readonly held: string | null
  readonly pendingRefs: readonly string[]
  readonly closedAt: Stamp
  readonly closeReason: string
  readonly remediation: { readonly outcome: LoopOutcome; readonly roundsUsed: number } | null
  /** What keeps the arrow from being valid, worst first: clauses, then findings (OPUI-323). */
  readonly blocking: readonly Blocker[]
}

/** A clause or finding that stands in the way, and the first line of why. */
export type Blocker = { readonly id: string; readonly status: string; readonly why: string }

export type DispatchOutcome =
  | { readonly kind: 'refused'; readonly refusal: DispatchRefusal }
  /** Already valid, and nothing it depends on changed (RUN-213). */
  | { readonly kind: 'cached'; readonly arrowId: string; readonly passId: string }
  | { readonly kind: 'dispatched'; readonly result: DispatchResult }

/** What the checks settled: how the pass that opens now is to be run. */
export type Plan = {
  readonly arrow: Arrow
  readonly route: Route
  /** The hook bundle of this pass, taken once (RUN-211); null: no cycle runs. */
  readonly cycle: Cycle | null
}
