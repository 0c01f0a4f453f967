import type { Subject } from '../../src/protocol/gate-view.ts'
import { requestId } from '../../src/protocol/ids.ts'
import { isWide } from '../layout.ts'
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
  const request = requestId(`ui-${state.nextRequest}`)
  const next = withDetail({ ...state, nextRequest: state.nextRequest + 1 }, name, {
    subject,
    request,
    inspection: null,
    at: 0
  })
  return { state: next, effects: [{ kind: 'dispatch', command: { kind: 'inspect', request, subject } }] }
}

/** The panel with one more closer look in front. */
export function withDetail(state: ScreenState, name: PanelName, detail: Detail): ScreenState {
  const details = [...state.panels.panels[name].details, detail]
  return { ...state, panels: withPanel(state.panels, name, { details }) }
}
