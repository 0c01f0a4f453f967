// A dialogue that goes one question at a time, on a screen or line by line. Every value is immutable: an answer gives the next one, so
// that a screen keeps the one it draws, and nothing is written before the end.

export type WizardStep =
  /** Which bounded contexts there are. */
  | 'contexts'
  /** Whether the project suits this way of working at all. */
  | 'fit'
  /** A refusal is proposed: accept or override it. */
  | 'refusal'
  /** One proposed clause after the other. */
  | 'clause'
  /** Everything is answered; what follows is written. */
  | 'done'
  /** Left by the operator: nothing is written. */
  | 'quit'
  /** The proposed refusal was accepted: nothing is written. */
  | 'refused'

export type WizardChoice = {
  /** The word an answer begins with. */
  readonly word: string
  /** What follows the word, for a text field; null when nothing does. */
  readonly takes: string | null
  /** What it does, one line. */
  readonly label: string
}

export type WizardArgument = {
  readonly name: string
  /** As text; null when there is no value yet. */
  readonly value: string | null
  readonly type: string
  /** Where the value came from (INIT-51). */
  readonly origin: 'contract' | 'placeholder' | 'default' | 'missing'
}

/** A proposed clause with everything a verdict needs (INIT-51). */
export type WizardClause = {
  readonly arrow: string
  readonly id: string
  readonly description: string
  readonly layers: readonly number[]
  readonly evaluation: 'machine' | 'attested'
  readonly depth: string
  readonly minTier: number
  readonly cost: number
  /** null for an attested clause. */
  readonly concept: string | null
  /** What the concept asserts, one line. */
  readonly asserts: string | null
  readonly arguments: readonly WizardArgument[]
  /** May not be skipped. */
  readonly isBase: boolean
}

export type WizardView = {
  readonly step: WizardStep
  readonly title: string
  /** What to read before answering, one line each, plain text. */
  readonly lines: readonly string[]
  readonly clause: WizardClause | null
  /** The clauses of the operator's own on the arrow that is asked about, one line each. */
  readonly added: readonly string[]
  /** Of the clauses, 1-based; null outside of them. */
  readonly position: { readonly at: number; readonly of: number } | null
  /** The question, on one line. */
  readonly prompt: string
  readonly choices: readonly WizardChoice[]
  /** Why the last answer was not taken; null when it was. */
  readonly refusal: string | null
}

export interface Wizard {
  readonly view: WizardView
  /** Takes one line of text; what cannot be taken gives the same question with a refusal. */
  answer(line: string): Wizard
}
