import type { Clock } from '../../lib/clock.ts'
import type { EvaluationResult } from '../../protocol/gate.ts'
import type { Args, Arrow } from '../../protocol/grid.ts'
import type { Attestation, LoopOutcome, PassRecord, RunRow, Stamp } from './records.ts'
import type { RoutingSettings } from './routing.ts'

// What the kernel needs from outside. It imports no persistence, screen, model or file code (RUN-110): the composition root wires these
// ports and the observers of the stores.

/** The two writes that can refuse what the kernel is about to do. Everything else the journal learns as an observer (PERS-300). */
export interface Journal {
  /** Inserts the row of a pass that is about to open. A throw keeps it closed: `pass-persist-failed` (RUN-234). */
  openPass(pass: PassRecord): void
  /** Appends one evaluation row. A throw aborts the pass with `clause-error` (RUN-230). */
  appendRun(row: RunRow): void
}

/**
 * Primary writer of attestations: the line is on disk when it returns. A throw refuses the record with
 * `attestation-audit-write-failed` (ATT-301). It may return the record as it was written, with an annotated reason (ATT-424).
 */
export type AttestationWriter = (record: Attestation) => Attestation | undefined

/** What an arrow's artifact and its declared dependencies are right now (RUN-232, GATE-89). */
export type ArtifactState = {
  /** SHA-256 over the sorted (path, SHA-256) list of the artifact scope. */
  readonly digest: string
  /** Declared dependency → digest; null when the arrow declares none of them (GATE-90). */
  readonly dependencies: Readonly<Record<string, string>> | null
}

export interface Artifacts {
  /** May reject; the pass then aborts, as nothing can be said about what was verified. */
  take(arrow: Arrow, signal: AbortSignal): Promise<ArtifactState>
  /** How many files of the scope changed after this time, as well as can be told; for texts alone (RUN-252). */
  changedSince?(arrow: Arrow, since: Stamp, signal: AbortSignal): Promise<number>
}

/** The gate's own files (RUN-214). */
export interface GateFiles {
  /** The first file that differs from what ghyll loaded or wrote, or null. Synchronous: it is asked inside atomic sections. */
  changed(): { readonly path: string; readonly reason: string } | null
}

/** How the operator is asked for bindings that a pass needs (INIT-130). */
export interface BindingPrompt {
  /** Resolves to true when every key has been declared and is registered, false when the operator declined or the signal fired. */
  declare(keys: readonly string[], asked: { readonly arrowId: string; readonly signal: AbortSignal }): Promise<boolean>
}

/** What a pass hands to the adversarial cycle, and keeps for its hints. */
export type CycleInput = {
  readonly pass: PassRecord
  readonly arrow: Arrow
  /** The model this pass was routed to; it offers the rank the pass has (RUN-221). */
  readonly model: string
  readonly signal: AbortSignal
  /** Opens a pass from inside a hook, one level deeper (RUN-235). */
  readonly depth: number
}

export type CycleReport = {
  readonly outcome: LoopOutcome
  readonly roundsUsed: number
  /** Detail of `escalated-hook-error`: `producer-loop-bomb`, `producer-fix-error` or `adversary-error`; else empty. */
  readonly detail: string
  /** Last-round results of machine sensitive clauses, by clause id (RUN-231). */
  readonly results: ReadonlyMap<string, EvaluationResult>
}

/** What a producer said about one clause to be attested (GATE-58). */
export type ProducerHint =
  | {
      readonly kind: 'hint'
      readonly locations: readonly string[]
      readonly basis: string
      readonly residue: string
    }
  /** It cannot choose by a rule, or kept judging (GATE-39). */
  | { readonly kind: 'no-rule' }
  /** Nothing within the hint timeout. */
  | { readonly kind: 'no-response' }

/** A complete hook bundle, ready to drive one pass (RUN-610). Anything less is not wired, and sensitive arrows refuse. */
export type Cycle = {
  run(input: CycleInput): Promise<CycleReport>
  /** Absent: requests carry the synthesised hint alone. */
  readonly hint?: (input: CycleInput, clauseId: string) => Promise<ProducerHint>
}

/** Slot of the adversarial cycle; read once per dispatch (RUN-211). */
export interface AdversarySlot {
  /** The operator said `/adversary disable`. */
  readonly disabled: boolean
  readonly cycle: Cycle | null
}

/** Slot of the amendments (RUN-700…726). */
export interface AmendmentSlot {
  /** Ledger import of an integrator's pass, before verification (RUN-711). */
  beforeVerification(pass: PassRecord): Promise<void>
  /** Scan after an integrator's pass closed (RUN-710); announced after `pass-closed` (EVT-506). */
  afterClose(pass: PassRecord): void
  counts(): { readonly pending: number; readonly drained: number }
}

export interface KernelPorts {
  readonly clock: Clock
  /** Absolute, free of symbolic links. */
  readonly projectDir: string
  /** Part of finding ids: tells the processes of one project apart (RUN-500). */
  readonly processPrefix: string
  /** Trouble that must not stop the work: a throwing observer or subscriber, an event that breaks its schema. */
  readonly warn: (message: string, cause: unknown) => void
  readonly artifacts: Artifacts
  readonly gateFiles: GateFiles
  /** null: nobody can be asked (`ghyll exec`). */
  readonly bindingPrompt: BindingPrompt | null
  /** Current routing configuration (RUN-221). */
  readonly routing: () => RoutingSettings
  readonly adversary: () => AdversarySlot
  readonly amendments: AmendmentSlot | null
  /** Arguments of a clause with the defaults of its concept filled in (CONC-8). */
  readonly argsOf: (concept: string, args: Args) => Args
  /** Whether an event that breaks its schema throws at the publisher (tests) or is logged and delivered (EVT-310). */
  readonly strictEvents: boolean
}
