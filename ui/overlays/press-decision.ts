import type { Command } from '../../src/protocol/command.ts'
import type { ActionName, KeyFocus } from '../keys/index.ts'
import { edit } from '../prompt/editor.ts'
import { dispatching, numberedRequest, only } from '../store/outcome.ts'
import type { Outcome, ScreenState } from '../store/state.ts'
import { focusOf, isAskedByGate, notAnAnswer } from './ask.ts'
import { choicesOf } from './choices.ts'
import {
  begun,
  chosenOf,
  type Decision,
  type DecisionTexts,
  editorOf,
  fieldOf,
  type Stage,
  stageOf
} from './decision.ts'
import { editedField, fieldText } from './field.ts'
import { fieldProblem } from './field-rule.ts'
import { innerWidth, isCramped } from './frame.ts'
import { closed, opened, withFront } from './stack.ts'

export type DecisionKey = {
  readonly action: ActionName | null
  readonly name: string
  readonly text: string
  readonly isRepeat: boolean
  readonly isBurst: boolean
}

/** Where the keys of a decision are looked up, from the innermost. */
export function decisionFocuses(state: ScreenState, decision: Decision): KeyFocus[] {
  const stage = stageOf(decision, state.header.opId)
  if (fieldOf(decision, stage, isCramped(state.terminal)) !== null) return ['field', 'prompt', 'overlay', 'anywhere']
  if (stage === 'confirm') return ['confirm', 'overlay', 'anywhere']
  return stage === 'sent' ? ['overlay', 'anywhere'] : [focusOf(decision.ask), 'overlay', 'anywhere']
}

/** Whether typed and pasted text has a field to go to. Everywhere else it was meant for the draft (TERM-51, TERM-52). */
export function hasField(state: ScreenState, decision: Decision): boolean {
  return fieldOf(decision, stageOf(decision, state.header.opId), isCramped(state.terminal)) !== null
}

/** A key for the armed decision in front (OPUI-740…742); null when it means nothing there and may scroll the body. */
export function pressDecision(state: ScreenState, decision: Decision, key: DecisionKey): Outcome | null {
  const stage = stageOf(decision, state.header.opId)
  const field = fieldOf(decision, stage, isCramped(state.terminal))
  if (field !== null) return pressField(state, decision, { stage, field }, key)
  // What comes in a burst no hand typed (TERM-52).
  if (key.isBurst) return null
  if (stage === 'confirm') {
    if (key.action === 'confirm.no') {
      // Where the confirmation is all there is, no leaves it.
      return begun(decision).stage === 'confirm'
        ? leaveDecision(state, decision, 'escape')
        : asked(state, back(decision))
    }
    return key.action === 'confirm.yes' && !key.isRepeat ? answered(state, decision) : null
  }
  if (stage !== 'choose') return null
  if (key.action === 'verdict.files') return viewed(state, decision)
  const choice = choicesOf(decision.ask).find(({ action }) => action === key.action)
  if (choice === undefined) return null
  // A held key is one press.
  return key.isRepeat ? only(state) : chosen(state, decision, choice.action, key.name)
}

/** Esc (`escape`) or Ctrl+C (`interrupt`) on a decision (TERM-54, OPUI-405, 434). */
export function leaveDecision(state: ScreenState, decision: Decision, by: 'escape' | 'interrupt'): Outcome {
  const { ask } = decision
  if (by === 'interrupt')
    return left(state, decision, isAskedByGate(ask) ? [{ kind: 'cancel-prompt', item: ask.item }] : [])
  const stage = stageOf(decision, state.header.opId)
  if (stage === 'sent') return only(state)
  const start = begun(decision)
  // Out of the text or the confirmation the way back is the question; from there Esc leaves.
  if (stage !== 'op-id' && decision.stage !== start.stage) return asked(state, back(decision))
  switch (ask.kind) {
    case 'verdict':
    case 'risk-acceptance':
    case 'binding':
      return left(state, decision, [{ kind: 'skip-prompt', item: ask.item }])
    case 'escalation':
      return asked(state, {
        ...decision,
        note: 'this one has no skip: choose 1 or 2, or Ctrl+C to leave it open'
      })
    case 'amendment':
      return left(state, decision, [{ kind: 'cancel-prompt', item: ask.item }])
    case 'invalidate':
    case 'abort-pass':
    case 'settle-finding':
      return left(state, decision, [])
  }
}

/** What is kept of a decision for the next time it is asked (OPUI-742). */
function keptTexts({ texts }: Decision): DecisionTexts {
  const { 'op-id': _, line: __, ...kept } = texts
  return kept
}

function pressField(
  state: ScreenState,
  decision: Decision,
  at: { readonly stage: Stage; readonly field: string },
  key: DecisionKey
): Outcome | null {
  // The key that opened the field may still be held (TERM-52).
  if (key.isRepeat && key.name === decision.held) return only(state)
  const next = decision.held === null ? decision : { ...decision, held: null }
  const isSingleLine = at.stage !== 'text'
  if (key.action === 'field.done' && !key.isBurst) return entered(state, next, at)
  const editor = editorOf(next, at.field)
  const typed = key.action === 'field.done' ? { action: null, text: '\n' } : key
  const changed = editedField(editor, typed, { width: innerWidth(state.terminal), isSingleLine })
  if (changed === null) return null
  return asked(state, { ...next, note: '', texts: { ...next.texts, [at.field]: changed } })
}

/** Enter in a field: on to what follows, never to a record (OPUI-742). */
function entered(
  state: ScreenState,
  decision: Decision,
  { stage, field }: { readonly stage: Stage; readonly field: string }
): Outcome {
  const text = fieldText(editorOf(decision, field))
  if (stage === 'op-id') {
    return text === '' ? only(state) : dispatching(presenting(state, decision), { kind: 'set-op-id', opId: text })
  }
  if (stage === 'choose') return enteredLine(state, decision, text.trim())
  const asksFor = chosenOf(decision)?.field ?? null
  const note = asksFor === null ? null : fieldProblem(asksFor, text)
  return asked(state, note === null ? { ...decision, stage: 'confirm', note: '' } : { ...decision, note })
}

/** A typed answer where the window is too small for keys of its own (OPUI-422, 745). */
function enteredLine(state: ScreenState, decision: Decision, typed: string): Outcome {
  if (typed === '') return only(state)
  const cleared: Decision = {
    ...decision,
    texts: {
      ...decision.texts,
      line: edit(editorOf(decision, 'line'), { kind: 'set', draft: { text: '', pastes: {} } })
    }
  }
  const choice = choicesOf(decision.ask).find(({ words }) => words.includes(typed.toLowerCase()))
  if (choice === undefined) return asked(state, { ...cleared, note: notAnAnswer(decision.ask, typed) })
  return chosen(state, cleared, choice.action, 'enter')
}

function chosen(state: ScreenState, decision: Decision, action: ActionName, key: string): Outcome {
  const choice = choicesOf(decision.ask).find((each) => each.action === action)
  if (choice === undefined) return only(state)
  const next: Decision = { ...decision, chosen: action, note: '', held: key }
  if (choice.field !== null) return asked(state, { ...next, stage: 'text' })
  if (choice.consequence !== null) return asked(state, { ...next, stage: 'confirm' })
  const command = choice.command('')
  return command.kind === 'skip-prompt'
    ? left(state, next, [command])
    : dispatching(presenting(state, { ...next, stage: 'sent' }), command)
}

/** `y`: the answer goes out; what the gate asked stays in front until it tells what came of it. */
function answered(state: ScreenState, decision: Decision): Outcome {
  const choice = chosenOf(decision)
  if (choice === null) return only(state)
  const command = choice.command(fieldText(editorOf(decision, choice.action)))
  return isAskedByGate(decision.ask)
    ? dispatching(presenting(state, { ...decision, stage: 'sent', note: '' }), command)
    : left(state, decision, [command])
}

function back(decision: Decision): Decision {
  const isText = decision.stage === 'confirm' && chosenOf(decision)?.field !== null
  return isText ? { ...decision, stage: 'text', note: '' } : begun({ ...decision, note: '' })
}

/** `e`: evidence and the named places, read-only, over the decision (OPUI-740). */
function viewed(state: ScreenState, { ask }: Decision): Outcome | null {
  if (ask.kind !== 'verdict') return null
  const { state: numbered, request } = numberedRequest(state)
  const evidence = ask.evidence === '' ? [] : ['evidence:', ask.evidence, '']
  const body = [...evidence, ask.locations.length === 0 ? 'no places are named' : 'reading …'].join('\n')
  const overlay = {
    id: placesLayer(request),
    content: { kind: 'text' as const, title: `places of ${ask.clause}`, body },
    by: 'operator' as const,
    at: state.keys.lastAt
  }
  const next = { ...numbered, overlays: opened(state.overlays, overlay) }
  if (ask.locations.length === 0) return only(next)
  return dispatching(next, { kind: 'read-places', request, places: ask.locations })
}

/** Id of the layer that shows the answer to a `read-places`. */
export function placesLayer(request: string): string {
  return `places/${request}`
}

function asked(state: ScreenState, decision: Decision): Outcome {
  return only(presenting(state, decision))
}

function presenting(state: ScreenState, decision: Decision): ScreenState {
  return { ...state, overlays: withFront(state.overlays, (layer) => ({ ...layer, content: decision })) }
}

/** The overlay closes; what was typed is kept for the next time. */
function left(state: ScreenState, decision: Decision, commands: readonly Command[]): Outcome {
  const { item } = decision.ask
  const front = state.overlays.at(-1)
  const drafts = isAskedByGate(decision.ask) ? { ...state.gate.drafts, [item]: keptTexts(decision) } : state.gate.drafts
  const overlays = front === undefined ? state.overlays : closed(state.overlays, front.id)
  return dispatching({ ...state, gate: { ...state.gate, drafts }, overlays }, ...commands)
}
