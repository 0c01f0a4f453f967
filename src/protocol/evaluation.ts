import type { EvaluationResult, FindingStatus, PassState } from './gate.ts'
import type { Args, DepthRank, RoleId, Severity } from './grid.ts'

// What the kernel hands to an evaluator and what it may ask back. The kernel owns the state; an
// evaluator sees plain facts of one moment and changes nothing.

/** One finding as an evaluator reads it. Words read from disk may lie outside the known sets (GATE-3). */
export type FindingFact = {
  readonly id: string
  readonly arrowId: string
  readonly type: string
  readonly severity: Severity | 'unevaluated'
  readonly status: FindingStatus | (string & {})
  readonly description: string
  readonly raisedAt: string
  readonly raisedByRole: string
}

/** A requirement with its latest classification; `classified` null: nobody has looked yet (CONC-53). */
export type RequirementFact = {
  readonly id: string
  readonly minDepth: DepthRank
  readonly classified: DepthRank | 'unevaluated' | null
  readonly evidence: string
}

export type PassFact = {
  readonly id: string
  readonly arrowId: string
  readonly role: RoleId | (string & {})
  readonly context: string
  readonly state: PassState
}

export type ArrowFact = {
  readonly id: string
  readonly source: string
  readonly target: string
  readonly context: string
  readonly stratum: string
  readonly status: string
  /** Routing floor of the arrow (GATE-71). */
  readonly depth: DepthRank
}

/** Reads of the gate's state, each one consistent in itself. null: the store behind it is not attached (`store-unavailable`). */
export interface GateQueries {
  /** Findings of one arrow, or of all arrows, at one store version (CONC-50), and the threshold in force for it (GATE-70). */
  findings(arrowId: string | null): {
    readonly storeVersion: number
    readonly findings: readonly FindingFact[]
    readonly threshold: Severity
  } | null
  requirements(arrowId: string): readonly RequirementFact[] | null
  passes(): readonly PassFact[] | null
  arrows(): readonly ArrowFact[] | null
  contexts(): readonly { readonly id: string }[] | null
}

/** Everything one evaluation gets. `args` are validated and carry the defaults (CONC-8). */
export type EvaluationContext = {
  /** Absolute path, free of symbolic links. */
  readonly projectDir: string
  readonly clauseId: string
  readonly passId: string
  readonly arrowId: string
  readonly concept: string
  readonly args: Args
  /** Aborting it ends children and walks; the result is `evaluator-cancelled`. */
  readonly signal: AbortSignal
  readonly state: GateQueries
}

/** Checks one clause on the real tree. May reject on a bug of its own, which the kernel records as `evaluator-error` (GATE-41). */
export type Evaluator = (context: EvaluationContext) => Promise<EvaluationResult>

/** An evaluator under its key, with the generation every evaluation row stores (CONC-11). */
export type Registration = { readonly key: string; readonly generation: number; readonly evaluate: Evaluator }

/**
 * The evaluators in force: an immutable value, so that a pass keeps the one it took when it opened (RUN-724). A binding that is
 * amended makes another one.
 */
export interface EvaluatorRegistry {
  /** Key of a clause: the concept, or `<concept>.<language>` when it is bound to a language (CONC-10). */
  keyOf(concept: string, args: Args): string
  /** null is a miss in both tables (`evaluator-unknown: <key>`, CONC-12). */
  lookUp(key: string): Registration | null
  /** The keys nobody registered, without repeats, sorted (CONC-16). */
  missing(keys: readonly string[]): readonly string[]
}
