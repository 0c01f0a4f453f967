import type { TerminalInput } from '../keys/index.ts'
import { divideColumns, isTiny } from '../layout.ts'
import { overlaySources } from '../overlays/front.ts'
import { wheeledOverlay } from '../overlays/wheel.ts'
import { wheeledPanel } from '../panels/press.ts'
import type { PanelName } from '../panels/state.ts'
import { only } from './outcome.ts'
import type { Outcome, ScreenState } from './state.ts'

const WHEEL_LINES = 3

/**
 * The mouse wheel, three lines a notch and one move for a burst (TERM-22): for the overlay in front, else for the panel under the
 * pointer, else for the transcript. It moves what is read and answers nothing (TERM-52).
 */
export function wheeled(
  state: ScreenState,
  { notches, column }: Extract<TerminalInput, { readonly kind: 'wheel' }>
): Outcome {
  const by = notches * WHEEL_LINES
  if (by === 0) return only(state)
  if (state.overlays.length > 0 && !isTiny(state.terminal)) {
    const overlays = wheeledOverlay(state.overlays, by, overlaySources(state))
    return only({ ...state, overlays })
  }
  const panel = panelUnder(state, column)
  if (panel !== null) return only(wheeledPanel(state, panel, by))
  return { state, effects: [{ kind: 'scroll', move: { kind: 'lines', by } }] }
}

/** The panel whose column it is: of two the one that has the keys, else the upper one. */
function panelUnder(state: ScreenState, column: number): PanelName | null {
  if (column < divideColumns(state).transcript) return null
  return state.panels.focus ?? state.panels.open ?? 'arrows'
}
