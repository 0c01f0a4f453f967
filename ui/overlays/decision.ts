import { type Editor, emptyEditor } from '../prompt/editor.ts'
import { type Ask, needsOpId } from './ask.ts'
import { type Choice, choicesOf } from './choices.ts'

/**
 * A decision in front of the operator: verdict, escalation, risk acceptance, amendment, binding, or one that a panel asks for. It goes
 * from the choice through a text, where one belongs to it, to a confirmation that names the consequence, and only `y` there answers
 * (TERM-52, OPUI-424). The answer leaves as a command; the overlay stays until the gate says what came of it (OPUI-405).
 */
export type Decision = {
  readonly kind: 'decision'
  readonly ask: Ask
  /** `1 of 2`, or null for what a panel asks. */
  readonly place: { readonly at: number; readonly of: number } | null
  readonly stage: 'choose' | 'text' | 'confirm' | 'sent'
  /** Action of the choice made. */
  readonly chosen: string | null
  readonly texts: DecisionTexts
  /** Why a key or answer was refused. */
  readonly note: string
  /** The key that opened the text field, while it may still be held. */
  readonly held: string | null
}

/** What was typed, by field: an action for the text of a choice, `op-id`, and `line` where answers are typed (OPUI-745). */
export type DecisionTexts = Readonly<Record<string, Editor>>

/** Where a decision stands, given the op-id in force: it is asked for first where one is needed (OPUI-407). */
export type Stage = Decision['stage'] | 'op-id'

/** A decision just opened. `texts` is what was typed when the same item was asked before (OPUI-742). */
export function decisionOf(ask: Ask, place: Decision['place'], texts: DecisionTexts): Decision {
  return begun({ kind: 'decision', ask, place, stage: 'choose', chosen: null, texts, note: '', held: null })
}

/** Back to its first question. Where there is nothing to choose from, that is the text or the confirmation. */
export function begun(decision: Decision): Decision {
  const [only, ...others] = choicesOf(decision.ask)
  if (only === undefined || others.length > 0) return { ...decision, stage: 'choose', chosen: null }
  return { ...decision, stage: only.field === null ? 'confirm' : 'text', chosen: only.action }
}

/** Where it stands, given the op-id in force (OPUI-407). */
export function stageOf(decision: Decision, opId: string | null): Stage {
  if (decision.stage === 'sent' || opId !== null || !needsOpId(decision.ask)) return decision.stage
  return 'op-id'
}

/** The choice that was made, or null before there is one. */
export function chosenOf(decision: Decision): Choice | null {
  return choicesOf(decision.ask).find(({ action }) => action === decision.chosen) ?? null
}

/** The name of the text under the caret in a stage, or null where none is typed. */
export function fieldOf(decision: Decision, stage: Stage, isTyped: boolean): string | null {
  if (stage === 'op-id') return 'op-id'
  if (stage === 'text') return decision.chosen
  return stage === 'choose' && isTyped ? 'line' : null
}

/** What was typed in a field so far. */
export function editorOf({ texts }: Pick<Decision, 'texts'>, field: string): Editor {
  return texts[field] ?? emptyEditor
}
