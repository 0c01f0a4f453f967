import type { ActionName, KeyFocus } from '../keys/index.ts'
import { isTiny } from '../layout.ts'
import { edited } from '../prompt/press.ts'
import { dispatching, only } from '../store/outcome.ts'
import type { Outcome, ScreenState } from '../store/state.ts'
import { glyphsFor } from '../theme/glyphs.ts'
import { layoutOverlay, type OverlaySources } from './body.ts'
import { closeFront, type OverlayOutcome, pressOverlay } from './press.ts'
import { type DecisionKey, decisionFocuses, hasField, leaveDecision, pressDecision } from './press-decision.ts'
import { declarationFocuses, declarationHasField, leaveDeclaration, pressDeclaration } from './press-declaration.ts'
import { armedFront, isAsking, type Layer, type OverlayContent } from './stack.ts'

// The overlay in front as the dispatcher of keys sees it, whatever kind it is.

/** The front overlay if it takes keys. What asks for an answer takes none where it cannot be seen (TERM-31). */
export function takingFront(state: ScreenState): Layer | null {
  const front = armedFront(state.overlays)
  return front !== null && isAsking(front.content) && isTiny(state.terminal) ? null : front
}

/** What an overlay's layout needs of the screen. */
export function overlaySources({ keys, commands, terminal, header }: ScreenState): OverlaySources {
  const { columns, rows, isAscii } = terminal
  const { cursor } = glyphsFor(isAscii)
  return { bindings: keys.bindings, commands, columns, rows, cursor, opId: header.opId }
}

/** Where the keys of an overlay are looked up, from the innermost. */
export function frontFocuses(state: ScreenState, { content }: Layer): KeyFocus[] {
  if (content.kind === 'decision') return decisionFocuses(state, content)
  if (content.kind === 'declaration') return declarationFocuses(state, content)
  return 'filter' in content ? ['picker', 'overlay', 'anywhere'] : ['overlay', 'anywhere']
}

/** A key for the overlay in front. */
export function pressFront(state: ScreenState, front: Layer, key: DecisionKey): Outcome {
  const asked = pressAsking(state, front.content, key)
  if (asked !== null) return asked
  // What no hand typed was meant for the draft (TERM-52).
  if (isAsking(front.content) && key.isBurst) return edited(state, { kind: 'insert', text: textOf(key) })
  const layout = layoutOverlay(front, overlaySources(state))
  const extent = { lines: layout.body.length, height: layout.height }
  return outcomeOf(state, pressOverlay(state.overlays, { ...key, action: scrolling(key.action) }, extent))
}

/**
 * Pasted or composed text while an overlay is in front: for its field or filter. What asks for an answer it never answers (TERM-52): then
 * it was meant for the draft and goes there.
 */
export function textForFront(
  state: ScreenState,
  { content }: Layer,
  change: { readonly kind: 'paste' | 'insert'; readonly text: string }
): Outcome {
  if (isAsking(content)) {
    const key = { action: null, name: '', text: change.text, isRepeat: false, isBurst: false }
    return (hasTextField(state, content) ? pressAsking(state, content, key) : null) ?? edited(state, change)
  }
  const typed = { action: null, text: change.text.replaceAll(/\s+/g, ' ') }
  const outcome = 'filter' in content ? pressOverlay(state.overlays, typed, { lines: 0, height: 0 }) : null
  return outcomeOf(state, outcome)
}

/** Esc or Ctrl+C on the overlay in front (TERM-45a, TERM-54). */
export function leaveFront(state: ScreenState, by: 'escape' | 'interrupt'): Outcome {
  const content = takingFront(state)?.content
  if (content?.kind === 'decision') return leaveDecision(state, content, by)
  if (content?.kind === 'declaration') return leaveDeclaration(state, content, by)
  return outcomeOf(state, closeFront(state.overlays))
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

function outcomeOf(state: ScreenState, outcome: OverlayOutcome | null): Outcome {
  if (outcome === null) return only(state)
  return dispatching({ ...state, overlays: outcome.layers }, ...outcome.commands)
}
