import type { Subject } from '../../src/protocol/gate-view.ts'
import { isWide } from '../layout.ts'
import { dispatching, numberedRequest } from '../store/outcome.ts'
import type { Outcome, ScreenState } from '../store/state.ts'
import { type Detail, type PanelName, withPanel } from './state.ts'

/** The prompt has the keys; where the panel covered the transcript it closes. */
export function toPrompt(state: ScreenState): ScreenState {
  const open = isWide(state.terminal.columns) ? state.panels.open : null
  return { ...state, panels: { ...state.panels, focus: null, open, refusal: null } }
}

/** A panel in front with the keys. */
export function focused(state: ScreenState, name: PanelName): ScreenState {
  return { ...state, panels: { ...state.panels, focus: name, open: name, refusal: null } }
}

/** Opens a closer look at once, and asks for what it shows. */
export function inspecting(state: ScreenState, name: PanelName, subject: Subject): Outcome {
  const { state: asked, request } = numberedRequest(state)
  const next = withDetail(asked, name, { subject, request, inspection: null, at: 0 })
  return dispatching(next, { kind: 'inspect', request, subject })
}

/** The panel with one more closer look in front. */
export function withDetail(state: ScreenState, name: PanelName, detail: Detail): ScreenState {
  const details = [...state.panels.panels[name].details, detail]
  return { ...state, panels: withPanel(state.panels, name, { details }) }
}
