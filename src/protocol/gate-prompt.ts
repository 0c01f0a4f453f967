import type { Verdict } from './gate.ts'
import type { DepthType, EvaluationType, Severity } from './grid.ts'

// Decisions the gate asks of the operator, as the screen presents them. Whoever asks owns the order (OPUI-400…405); the screen shows
// one at a time and answers with a command that names the item.

export type GatePrompt =
  | VerdictPrompt
  | EscalationPrompt
  | RiskPrompt
  | DeclarationPrompt
  | AmendmentPrompt
  | BindingPrompt

/** A verdict on one clause (OPUI-420, 421). What is not known is null or empty. */
export type VerdictPrompt = {
  readonly kind: 'verdict'
  readonly item: string
  readonly ref: string
  readonly arrow: string
  readonly clause: string
  /** `attested` for a clause without one. */
  readonly concept: string
  readonly description: string
  readonly pass: string | null
  readonly round: { readonly at: number; readonly of: number } | null
  /** An earlier verdict that no longer counts (RUN-232). */
  readonly previous: string
  readonly locations: readonly string[]
  readonly basis: string
  readonly notCovered: string
  /** Evaluator result, lines. */
  readonly evidence: string
  readonly note: string
  readonly noteMaxBytes: number
}

/** Too many rounds without a basis: two ways out and no third (OPUI-430). */
export type EscalationPrompt = {
  readonly kind: 'escalation'
  readonly item: string
  readonly ref: string
  readonly arrow: string
  readonly clause: string
  readonly pass: string
  readonly rounds: number
  /** Earlier residue notes, oldest first. */
  readonly notes: readonly string[]
  readonly noteMaxBytes: number
}

/** A producer proposes to live with a finding (OPUI-540). */
export type RiskPrompt = {
  readonly kind: 'risk-acceptance'
  readonly item: string
  readonly arrow: string
  readonly finding: string
  readonly severity: Severity | 'unevaluated'
  readonly type: string
  readonly claim: string
  readonly producer: string
  readonly noteMaxBytes: number
}

/** An arrow nobody has declared yet (OPUI-550). */
export type DeclarationPrompt = {
  readonly kind: 'declaration'
  readonly item: string
  readonly arrow: string
  readonly source: string
  readonly target: string
  readonly context: string
  /** The version the declaration makes. */
  readonly gridVersionAfter: number
  /** Roles that may attest (ATT-344), the preferred one first. */
  readonly roles: readonly string[]
  readonly clauses: readonly {
    readonly id: string
    readonly description: string
    readonly eval: EvaluationType
    readonly depth: DepthType
    readonly concept: string | null
    /** Clauses of the contract can be skipped with residue, never changed; base clauses not even that. */
    readonly isSkippable: boolean
  }[]
  readonly requirements: readonly string[]
  readonly noteMaxBytes: number
}

/** What the analyst proposes for a pending amendment (OPUI-560). */
export type AmendmentPrompt = {
  readonly kind: 'amendment'
  readonly item: string
  readonly amendment: string
  /** New arrows and bindings against the grid, as a unified diff. */
  readonly diff: string
  readonly rationale: string
  readonly invalidates: readonly string[]
  readonly aborts: readonly string[]
  readonly gridVersionAfter: number
}

/** A language binding a pass needs and nobody declared (INIT-130). */
export type BindingPrompt = {
  readonly kind: 'binding'
  readonly item: string
  /** `<concept>.<language>` */
  readonly key: string
  readonly arrow: string
  /** Why it is asked again: the command is not on the path (INIT-132). */
  readonly note: string
}

/** Every answer names its item. The gate tells what came of it with `prompt-closed` or `prompt-refused`. */
export type PromptAnswer =
  /** `text`: inspected locations of a fail, residue note of insufficient-basis, else ''. */
  | { readonly kind: 'attest'; readonly item: string; readonly verdict: Verdict; readonly text: string }
  | {
      readonly kind: 'answer-escalation'
      readonly item: string
      readonly choice: 'accept-risk' | 'route-upstream'
      readonly text: string
    }
  | { readonly kind: 'answer-risk'; readonly item: string; readonly accepted: boolean; readonly rationale: string }
  | {
      readonly kind: 'declare-arrow'
      readonly item: string
      readonly role: string
      readonly skipped: readonly { readonly clause: string; readonly residue: string }[]
    }
  | { readonly kind: 'refuse-arrow'; readonly item: string }
  | { readonly kind: 'settle-amendment'; readonly item: string; readonly how: 'accept' | 'commit-empty' | 'stop' }
  | { readonly kind: 'bind'; readonly item: string; readonly command: string }
  /** Not now: it returns at the next drain point (OPUI-405). */
  | { readonly kind: 'skip-prompt'; readonly item: string }
  /** Ends the drain; the item keeps its place (OPUI-405). */
  | { readonly kind: 'cancel-prompt'; readonly item: string }
