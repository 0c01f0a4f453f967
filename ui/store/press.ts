import { findClosed, pressFind, textForFind } from '../find/find.ts'
import {
  type ActionName,
  actionFor,
  armsLeaving,
  decideEscape,
  decideInterrupt,
  type KeyFocus,
  type TerminalInput
} from '../keys/index.ts'
import { frontFocuses, leaveFront, pressFront, takingFront, textForFront } from '../overlays/front.ts'
import { armed, disturbed } from '../overlays/stack.ts'
import { toPrompt } from '../panels/open.ts'
import { cycled, leavePanel, openPanel, panelFocuses, pressPanel, textForPanel } from '../panels/press.ts'
import { clearedDraft, closedLists, edited, isListOpen, pressPrompt } from '../prompt/press.ts'
import { withHelp } from '../prompt/submit.ts'
import { dispatching, only } from './outcome.ts'
import { pressTranscript } from './scroll.ts'
import { isBusy, type Outcome, type ScreenState } from './state.ts'
import { wheeled } from './wheel.ts'

/** What the terminal told, applied to the screen: the new state, and what has to be done outside it. Pure. */
export function press(state: ScreenState, input: TerminalInput, now: number): Outcome {
  switch (input.kind) {
    case 'focus':
      return only({ ...state, terminal: { ...state.terminal, isFocused: input.isFocused } })
    case 'reply':
      return only(state)
    case 'wheel':
      return wheeled(state, input)
    case 'paste':
      return pressText(touched(state, now), { kind: 'paste', text: input.text })
    case 'text':
      return pressText(touched(state, now), { kind: 'insert', text: input.text })
    case 'key':
      return pressKey(touched(state, now), input, now)
  }
}

/** A key or paste came: an unarmed overlay waits again (TERM-51), and a passing notice goes. */
function touched(state: ScreenState, now: number): ScreenState {
  const overlays = disturbed(armed(state.overlays, now), now)
  return { ...state, overlays, notice: null, keys: { ...state.keys, lastAt: now } }
}

/** Pasted or composed text goes to the draft, or to the field, filter or search that is being written. */
function pressText(state: ScreenState, change: { readonly kind: 'paste' | 'insert'; readonly text: string }): Outcome {
  const next = withoutChord(state)
  const front = takingFront(next)
  if (front !== null) return textForFront(next, front, change)
  const { focus } = next.panels
  if (focus !== null) return textForPanel(next, focus, change.text) ?? edited(toPrompt(next), change)
  if (next.find?.isTyping) return textForFind(next, next.find, change.text)
  if (next.prompt.search === null) return edited(next, change)
  const text = change.text.replaceAll(/\s+/g, ' ')
  const searched = pressPrompt(next, { action: null, text, isBurst: false, now: next.keys.lastAt })
  return searched ?? only(next)
}

function pressKey(state: ScreenState, key: Extract<TerminalInput, { kind: 'key' }>, now: number): Outcome {
  const front = takingFront(state)
  const found = actionFor(state.keys.bindings, focusesOf(state), key.name, state.keys.chord)
  if (found === 'chord') return only({ ...state, keys: { ...state.keys, chord: key.name } })
  if (found === null && state.keys.chord !== null) return pressKey(withoutChord(state), key, now)
  const next = withoutChord(state)
  const anywhere = pressAnywhere(next, found, now)
  if (anywhere !== null) return anywhere
  if (front !== null) return pressFront(next, front, { ...key, action: found })
  const { focus } = next.panels
  if (focus !== null) {
    const outcome = pressPanel(next, focus, { ...key, action: found }) ?? pressTranscript(next, found, false)
    if (outcome !== null) return outcome
    // A key that means nothing in a panel was meant for the prompt (OPUI-711).
    return key.text === '' ? only(next) : edited(toPrompt(next), { kind: 'insert', text: key.text })
  }
  if (next.find !== null) {
    const outcome = pressFind(next, next.find, { action: found, text: key.text }) ?? pressTranscript(next, found, true)
    if (outcome !== null) return outcome
    // Whatever means nothing in a search that is kept ends it.
    return next.find.isTyping ? only(next) : withEffects(findClosed(next), (rest) => press(rest, key, now))
  }
  const isEmpty = next.prompt.editor.text === '' && next.prompt.search === null
  if (key.text === '?' && isEmpty && !key.isBurst) return only(withHelp(next, 'keys', now))
  const transcript = pressTranscript(next, found, isEmpty)
  if (transcript !== null) return transcript
  const outcome = pressPrompt(next, { action: found, text: key.text, isBurst: key.isBurst, now })
  if (outcome !== null) return outcome
  const isNextFocus = found === 'prompt.tab' && next.gate.view !== null
  return isNextFocus ? cycled(next, 1) : only(next)
}

/** Keys that mean the same whatever is in front. */
function pressAnywhere(state: ScreenState, action: ActionName | null, now: number): Outcome | null {
  switch (action) {
    case 'help':
      return only(withHelp(state, 'keys', now))
    case 'redraw':
    case 'suspend':
      return { state, effects: [{ kind: action }] }
    case 'escape':
      return pressEscape(state)
    case 'interrupt':
      return pressInterrupt(state, now)
    case 'panel.arrows':
    case 'panel.passes':
    case 'panel.queue':
    case 'panel.findings':
    case 'panel.events': {
      // What is in front keeps the keys (OPUI-711).
      if (takingFront(state) !== null) return only(state)
      return openPanel(state, panelOf[action])
    }
    default:
      return null
  }
}

const panelOf = {
  'panel.arrows': 'arrows',
  'panel.passes': 'passes',
  'panel.queue': 'queue',
  'panel.findings': 'findings',
  'panel.events': 'events'
} as const

/** Esc (TERM-45a). */
function pressEscape(state: ScreenState): Outcome {
  switch (decideEscape(escapeFacts(state))) {
    case 'close-overlay':
      return leaveFront(state, 'escape')
    case 'close-list':
      return listsClosed(state)
    case 'interrupt':
      return dispatching(state, { kind: 'interrupt' })
    case 'leave-panel':
      return leavePanel(state)
    case 'nothing':
      return only(state)
  }
}

/** Ctrl+C (TERM-45a, SESS-013); while the session is being closed it asks to skip what can be skipped (SESS-142). */
function pressInterrupt(state: ScreenState, now: number): Outcome {
  if (state.session.phase === 'shutdown') return dispatching(state, { kind: 'leave', reason: 'exit' })
  const since = state.keys.interruptedAt
  const decision = decideInterrupt({
    ...escapeFacts(state),
    isDraftEmpty: state.prompt.editor.text === '',
    sinceFirstMs: since === null ? null : now - since
  })
  const interruptedAt = armsLeaving(decision) ? now : null
  const next: ScreenState = { ...state, keys: { ...state.keys, interruptedAt } }
  switch (decision) {
    case 'leave':
      return dispatching(next, { kind: 'leave', reason: 'exit' })
    case 'close-overlay':
      return leaveFront(next, 'interrupt')
    case 'interrupt':
      return dispatching(next, { kind: 'interrupt' })
    case 'close-list':
      return listsClosed(next)
    case 'clear-draft':
      return clearedDraft(next)
    case 'ask-leave':
      return only({ ...next, notice: 'press Ctrl+C again to leave' })
    case 'leave-panel':
      return leavePanel(next)
  }
}

/** From the innermost: overlay, panel, list or search, prompt (OPUI-711). */
function focusesOf(state: ScreenState): KeyFocus[] {
  const front = takingFront(state)
  if (front !== null) return frontFocuses(state, front)
  if (state.panels.focus !== null) return panelFocuses(state, state.panels.focus)
  if (state.find !== null) return [state.find.isTyping ? 'find' : 'found', 'anywhere']
  if (state.prompt.search !== null) return ['search', 'prompt', 'anywhere']
  return isListOpen(state) ? ['list', 'prompt', 'anywhere'] : ['prompt', 'anywhere']
}

function escapeFacts(state: ScreenState) {
  return {
    isOverlayArmed: takingFront(state) !== null,
    isListOpen: isListOpen(state) || state.find !== null,
    isPanelFocused: state.panels.focus !== null,
    isBusy: isBusy(state)
  }
}

function listsClosed(state: ScreenState): Outcome {
  return state.find === null ? only(closedLists(state)) : findClosed(state)
}

/** One outcome after the other. */
function withEffects({ state, effects }: Outcome, then: (state: ScreenState) => Outcome): Outcome {
  const next = then(state)
  return { state: next.state, effects: [...effects, ...next.effects] }
}

function withoutChord(state: ScreenState): ScreenState {
  return state.keys.chord === null ? state : { ...state, keys: { ...state.keys, chord: null } }
}
