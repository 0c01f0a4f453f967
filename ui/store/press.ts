import {
  type ActionName,
  actionFor,
  armsLeaving,
  decideEscape,
  decideInterrupt,
  type KeyFocus,
  type TerminalInput
} from '../keys/index.ts'
import { layoutOverlay, type OverlaySources } from '../overlays/body.ts'
import { closeFront, type OverlayOutcome, pressOverlay } from '../overlays/press.ts'
import { armed, armedFront, disturbed } from '../overlays/stack.ts'
import { clearedDraft, closedLists, edited, isListOpen, pressPrompt } from '../prompt/press.ts'
import { withHelp } from '../prompt/submit.ts'
import { pressTranscript, wheeled } from './scroll.ts'
import { type Effect, isBusy, type Outcome, type ScreenState } from './state.ts'

/** What the terminal told, applied to the screen: the new state, and what has to be done outside it. Pure. */
export function press(state: ScreenState, input: TerminalInput, now: number): Outcome {
  switch (input.kind) {
    case 'focus':
      return { state: { ...state, terminal: { ...state.terminal, isFocused: input.isFocused } }, effects: [] }
    case 'reply':
      return { state, effects: [] }
    case 'wheel':
      return wheeled(state, input.notches)
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

/** Pasted or composed text goes to the draft, a filter or a search; an armed question it never answers (TERM-52). */
function pressText(state: ScreenState, change: { readonly kind: 'paste' | 'insert'; readonly text: string }): Outcome {
  const next = withoutChord(state)
  const front = armedFront(next.overlays)
  if (front === null && next.prompt.search === null) return edited(next, change)
  const text = change.text.replaceAll(/\s+/g, ' ')
  if (front === null) {
    return (
      pressPrompt(next, { action: null, text, isBurst: false, now: next.keys.lastAt }) ?? { state: next, effects: [] }
    )
  }
  const typed = { action: null, name: '', text, isRepeat: false }
  const outcome = front.content.kind === 'picker' ? pressOverlay(next.overlays, typed, { lines: 0, height: 0 }) : null
  return fromOverlay(next, outcome) ?? { state: next, effects: [] }
}

function pressKey(state: ScreenState, key: Extract<TerminalInput, { kind: 'key' }>, now: number): Outcome {
  const front = armedFront(state.overlays)
  const found = actionFor(state.keys.bindings, focusesOf(state), key.name, state.keys.chord)
  if (found === 'chord') return { state: { ...state, keys: { ...state.keys, chord: key.name } }, effects: [] }
  if (found === null && state.keys.chord !== null) return pressKey(withoutChord(state), key, now)
  const next = withoutChord(state)
  const anywhere = pressAnywhere(next, found, now)
  if (anywhere !== null) return anywhere
  if (front !== null) {
    const layout = layoutOverlay(front, overlaySources(next))
    const extent = { lines: layout.body.length, height: layout.height }
    const outcome = fromOverlay(next, pressOverlay(next.overlays, { ...key, action: found }, extent))
    return outcome ?? { state: next, effects: [] }
  }
  const isEmpty = next.prompt.editor.text === '' && next.prompt.search === null
  if (key.text === '?' && isEmpty && !key.isBurst) return { state: withHelp(next, now), effects: [] }
  const transcript = pressTranscript(next, found, isEmpty)
  if (transcript !== null) return transcript
  return pressPrompt(next, { action: found, text: key.text, isBurst: key.isBurst, now }) ?? { state: next, effects: [] }
}

/** Keys that mean the same whatever is in front. */
function pressAnywhere(state: ScreenState, action: ActionName | null, now: number): Outcome | null {
  switch (action) {
    case 'help':
      return { state: withHelp(state, now), effects: [] }
    case 'redraw':
    case 'suspend':
      return { state, effects: [{ kind: action }] }
    case 'escape':
      return pressEscape(state)
    case 'interrupt':
      return pressInterrupt(state, now)
    default:
      return null
  }
}

/** Esc (TERM-45a). */
function pressEscape(state: ScreenState): Outcome {
  switch (decideEscape(escapeFacts(state))) {
    case 'close-overlay':
      return fromOverlay(state, closeFront(state.overlays, 'escape')) ?? { state, effects: [] }
    case 'close-list':
      return { state: closedLists(state), effects: [] }
    case 'interrupt':
      return dispatching(state, { kind: 'interrupt' })
    case 'leave-panel':
    case 'nothing':
      return { state, effects: [] }
  }
}

/** Ctrl+C (TERM-45a, SESS-013). */
function pressInterrupt(state: ScreenState, now: number): Outcome {
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
      return fromOverlay(next, closeFront(next.overlays, 'interrupt')) ?? { state: next, effects: [] }
    case 'interrupt':
      return dispatching(next, { kind: 'interrupt' })
    case 'close-list':
      return { state: closedLists(next), effects: [] }
    case 'clear-draft':
      return clearedDraft(next)
    case 'ask-leave':
      return { state: { ...next, notice: 'press Ctrl+C again to leave' }, effects: [] }
    case 'leave-panel':
      return { state: next, effects: [] }
  }
}

/** What an overlay's layout needs of the screen. */
export function overlaySources({ keys, commands, terminal }: ScreenState): OverlaySources {
  const { columns, rows, isAscii } = terminal
  return { bindings: keys.bindings, commands, columns, rows, cursor: isAscii ? '>' : '▸' }
}

/** From the innermost: overlay, list or search, prompt (OPUI-711). */
function focusesOf(state: ScreenState): KeyFocus[] {
  const front = armedFront(state.overlays)
  if (front !== null) {
    const { content } = front
    if (content.kind === 'picker') return ['picker', 'overlay', 'anywhere']
    if (content.kind === 'question' && content.confirming !== null) return ['confirm', 'overlay', 'anywhere']
    return ['overlay', 'anywhere']
  }
  if (state.prompt.search !== null) return ['search', 'prompt', 'anywhere']
  return isListOpen(state) ? ['list', 'prompt', 'anywhere'] : ['prompt', 'anywhere']
}

function escapeFacts(state: ScreenState) {
  return {
    isOverlayArmed: armedFront(state.overlays) !== null,
    isListOpen: isListOpen(state),
    isPanelFocused: false,
    isBusy: isBusy(state)
  }
}

function fromOverlay(state: ScreenState, outcome: OverlayOutcome | null): Outcome | null {
  if (outcome === null) return null
  return {
    state: { ...state, overlays: outcome.layers },
    effects: outcome.commands.map((command) => ({ kind: 'dispatch', command }))
  }
}

function withoutChord(state: ScreenState): ScreenState {
  return state.keys.chord === null ? state : { ...state, keys: { ...state.keys, chord: null } }
}

function dispatching(state: ScreenState, command: Extract<Effect, { kind: 'dispatch' }>['command']): Outcome {
  return { state, effects: [{ kind: 'dispatch', command }] }
}
