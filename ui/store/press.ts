import {
  type ActionName,
  actionFor,
  armsLeaving,
  decideEscape,
  decideInterrupt,
  type KeyFocus,
  type TerminalInput
} from '../keys/index.ts'
import { isTiny } from '../layout.ts'
import { layoutOverlay, type OverlaySources } from '../overlays/body.ts'
import { closeFront, type OverlayOutcome, pressOverlay } from '../overlays/press.ts'
import {
  type DecisionKey,
  decisionFocuses,
  hasField,
  leaveDecision,
  pressDecision
} from '../overlays/press-decision.ts'
import {
  declarationFocuses,
  declarationHasField,
  leaveDeclaration,
  pressDeclaration
} from '../overlays/press-declaration.ts'
import { armed, armedFront, disturbed, isAsking, type Layer, type OverlayContent } from '../overlays/stack.ts'
import { toPrompt } from '../panels/open.ts'
import { cycled, leavePanel, openPanel, panelFocuses, pressPanel, textForPanel } from '../panels/press.ts'
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

/**
 * Pasted or composed text goes to the draft, a field, a filter or a search. What asks for an answer it never answers (TERM-52): it was
 * meant for the draft and goes there.
 */
function pressText(state: ScreenState, change: { readonly kind: 'paste' | 'insert'; readonly text: string }): Outcome {
  const next = withoutChord(state)
  const front = takingFront(next)
  const { focus } = next.panels
  if (front === null && focus !== null) return textForPanel(next, focus, change.text) ?? edited(toPrompt(next), change)
  if (front === null && next.prompt.search === null) return edited(next, change)
  if (front !== null && isAsking(front.content)) {
    const key = { action: null, name: '', text: change.text, isRepeat: false, isBurst: false }
    const outcome = hasTextField(next, front.content) ? pressAsking(next, front.content, key) : null
    return outcome ?? edited(next, change)
  }
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
  const front = takingFront(state)
  const found = actionFor(state.keys.bindings, focusesOf(state), key.name, state.keys.chord)
  if (found === 'chord') return { state: { ...state, keys: { ...state.keys, chord: key.name } }, effects: [] }
  if (found === null && state.keys.chord !== null) return pressKey(withoutChord(state), key, now)
  const next = withoutChord(state)
  const anywhere = pressAnywhere(next, found, now)
  if (anywhere !== null) return anywhere
  if (front !== null) {
    const asked = pressAsking(next, front.content, { ...key, action: found })
    if (asked !== null) return asked
    // What no hand typed was meant for the draft (TERM-52).
    if (isAsking(front.content) && key.isBurst) return edited(next, { kind: 'insert', text: textOf(key) })
    const layout = layoutOverlay(front, overlaySources(next))
    const extent = { lines: layout.body.length, height: layout.height }
    const outcome = fromOverlay(next, pressOverlay(next.overlays, { ...key, action: scrolling(found) }, extent))
    return outcome ?? { state: next, effects: [] }
  }
  const { focus } = next.panels
  if (focus !== null) {
    const outcome = pressPanel(next, focus, { ...key, action: found }) ?? pressTranscript(next, found, false)
    if (outcome !== null) return outcome
    // A key that means nothing in a panel was meant for the prompt (OPUI-711).
    return key.text === '' ? { state: next, effects: [] } : edited(toPrompt(next), { kind: 'insert', text: key.text })
  }
  const isEmpty = next.prompt.editor.text === '' && next.prompt.search === null
  if (key.text === '?' && isEmpty && !key.isBurst) return { state: withHelp(next, now), effects: [] }
  const transcript = pressTranscript(next, found, isEmpty)
  if (transcript !== null) return transcript
  const outcome = pressPrompt(next, { action: found, text: key.text, isBurst: key.isBurst, now })
  if (outcome !== null) return outcome
  const isNextFocus = found === 'prompt.tab' && next.gate.view !== null
  return isNextFocus ? cycled(next, 1) : { state: next, effects: [] }
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
    case 'panel.arrows':
    case 'panel.passes':
    case 'panel.queue':
    case 'panel.findings':
    case 'panel.events': {
      // What is in front keeps the keys (OPUI-711).
      if (takingFront(state) !== null) return { state, effects: [] }
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
      return closedFront(state, 'escape')
    case 'close-list':
      return { state: closedLists(state), effects: [] }
    case 'interrupt':
      return dispatching(state, { kind: 'interrupt' })
    case 'leave-panel':
      return leavePanel(state)
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
      return closedFront(next, 'interrupt')
    case 'interrupt':
      return dispatching(next, { kind: 'interrupt' })
    case 'close-list':
      return { state: closedLists(next), effects: [] }
    case 'clear-draft':
      return clearedDraft(next)
    case 'ask-leave':
      return { state: { ...next, notice: 'press Ctrl+C again to leave' }, effects: [] }
    case 'leave-panel':
      return leavePanel(next)
  }
}

function closedFront(state: ScreenState, by: 'escape' | 'interrupt'): Outcome {
  const content = takingFront(state)?.content
  if (content?.kind === 'decision') return leaveDecision(state, content, by)
  if (content?.kind === 'declaration') return leaveDeclaration(state, content, by)
  return fromOverlay(state, closeFront(state.overlays, by)) ?? { state, effects: [] }
}

/** The front overlay if it takes keys. What asks for an answer takes none where it cannot be seen (TERM-31). */
export function takingFront(state: ScreenState): Layer | null {
  const front = armedFront(state.overlays)
  return front !== null && isAsking(front.content) && isTiny(state.terminal) ? null : front
}

/** A key for what asks for an answer; null for other overlays and for keys that mean nothing there. */
function pressAsking(state: ScreenState, content: OverlayContent, key: DecisionKey): Outcome | null {
  if (content.kind === 'decision') return pressDecision(state, content, key)
  return content.kind === 'declaration' ? pressDeclaration(state, content, key) : null
}

function hasTextField(state: ScreenState, content: OverlayContent): boolean {
  if (content.kind === 'decision') return hasField(state, content)
  return content.kind === 'declaration' && declarationHasField(state, content)
}

/** Beside a field of one row the arrows scroll the body (OPUI-740). */
function scrolling(action: ActionName | null): ActionName | null {
  if (action === 'prompt.up') return 'overlay.up'
  return action === 'prompt.down' ? 'overlay.down' : action
}

function textOf(key: { readonly name: string; readonly text: string }): string {
  return key.name === 'enter' ? '\n' : key.name === 'tab' ? '\t' : key.text
}

/** What an overlay's layout needs of the screen. */
export function overlaySources({ keys, commands, terminal, header }: ScreenState): OverlaySources {
  const { columns, rows, isAscii } = terminal
  return { bindings: keys.bindings, commands, columns, rows, cursor: isAscii ? '>' : '▸', opId: header.opId }
}

/** From the innermost: overlay, panel, list or search, prompt (OPUI-711). */
function focusesOf(state: ScreenState): KeyFocus[] {
  const front = takingFront(state)
  if (front !== null) {
    const { content } = front
    if (content.kind === 'decision') return decisionFocuses(state, content)
    if (content.kind === 'declaration') return declarationFocuses(state, content)
    if (content.kind === 'picker') return ['picker', 'overlay', 'anywhere']
    if (content.kind === 'question' && content.confirming !== null) return ['confirm', 'overlay', 'anywhere']
    return ['overlay', 'anywhere']
  }
  if (state.panels.focus !== null) return panelFocuses(state, state.panels.focus)
  if (state.prompt.search !== null) return ['search', 'prompt', 'anywhere']
  return isListOpen(state) ? ['list', 'prompt', 'anywhere'] : ['prompt', 'anywhere']
}

function escapeFacts(state: ScreenState) {
  return {
    isOverlayArmed: takingFront(state) !== null,
    isListOpen: isListOpen(state),
    isPanelFocused: state.panels.focus !== null,
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
