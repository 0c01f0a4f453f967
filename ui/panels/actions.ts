import type { ArrowRow, FindingRow, PassRow } from '../../src/protocol/gate-view.ts'
import type { ActionName } from '../keys/index.ts'
import type { Ask } from '../overlays/ask.ts'
import { decisionOf } from '../overlays/decision.ts'
import { opened } from '../overlays/stack.ts'
import { dispatching, numberedRequest, only } from '../store/outcome.ts'
import type { Effect, Outcome, ScreenState } from '../store/state.ts'
import { closedText } from './closed.ts'
import { focused, inspecting } from './open.ts'
import { matrixColumns, type PanelName, withPanel } from './state.ts'

/** What the arrow panel's own keys do with the marked arrow (OPUI-720, 722). */
export function pressArrows(state: ScreenState, action: ActionName | null, arrow: ArrowRow | null): Outcome | null {
  if (action === 'arrows.matrix') {
    const isRoomy = state.terminal.columns > matrixColumns
    if (!isRoomy && !state.panels.isMatrix) return refused(state, `the matrix needs more than ${matrixColumns} columns`)
    return only({ ...state, panels: { ...state.panels, isMatrix: !state.panels.isMatrix } })
  }
  if (!isArrowAction(action)) return null
  if (arrow === null)
    return refused(state, state.gate.view?.grid == null ? `✗ ${closedText(state.gate.view)}` : 'no arrow is marked')
  switch (action) {
    case 'arrows.run':
      return withEngine(state, 'run-arrow', () => dispatching(state, { kind: 'run-arrow', arrow: arrow.id }))
    case 'arrows.invalidate':
      return withEngine(state, 'invalidate-arrow', () =>
        state.header.opId === null
          ? refused(state, '✗ /invalidate-arrow refuses: no op-id set; use /op-id <identity> first')
          : asking(state, { kind: 'invalidate', item: `invalidate ${arrow.id}`, arrow: arrow.id })
      )
    case 'arrows.attestations':
      return inspecting(state, 'arrows', { kind: 'attestations', arrow: arrow.id })
    case 'arrows.findings':
      return only(narrowed(state, 'findings', arrow.id))
    case 'arrows.passes':
      return only(narrowed(state, 'passes', arrow.id))
    case 'arrows.verdict':
      return presenting(state, arrow.id)
    case 'arrows.copy':
      return copying(state, arrow.id)
  }
}

/** `x` and `v` in the pass panel (OPUI-730). */
export function pressPasses(state: ScreenState, action: ActionName | null, pass: PassRow | null): Outcome | null {
  if (action !== 'passes.abort' && action !== 'passes.verdicts') return null
  if (pass === null) return refused(state, 'no pass is marked')
  if (action === 'passes.verdicts') return presenting(state, pass.arrow)
  if (pass.state !== 'open') return refused(state, `✗ no open pass "${pass.id}"`)
  return withEngine(state, 'abort-pass', () =>
    asking(state, { kind: 'abort-pass', item: `abort ${pass.id}`, pass: pass.id, waiting: pass.waiting })
  )
}

/** `s` in the queue (OPUI-731). */
export function pressQueue(state: ScreenState, action: ActionName | null): Outcome | null {
  if (action !== 'queue.skip') return null
  if ((state.gate.view?.queue.length ?? 0) === 0) return refused(state, 'nothing waits for a verdict')
  return dispatching(state, { kind: 'skip-verdicts' })
}

/** What the operator may do with a finding; anything else says why not (OPUI-732, 734). */
export function pressFindings(
  state: ScreenState,
  action: ActionName | null,
  finding: FindingRow | null
): Outcome | null {
  if (action === 'findings.group') {
    const { panels } = state
    return only({ ...state, panels: { ...panels, findingsBy: panels.findingsBy === 'arrow' ? 'status' : 'arrow' } })
  }
  const to = targets[action ?? '']
  if (to === undefined) return null
  if (finding === null) return refused(state, 'no finding is marked')
  const why = whyNot(finding, to)
  if (why !== null) return refused(state, why)
  return withEngine(state, 'findings', () =>
    asking(state, { kind: 'settle-finding', item: `${to} ${finding.id}`, finding, to })
  )
}

type Target = 'accepted-risk' | 'resolved' | 'open'

const targets: Readonly<Record<string, Target>> = {
  'findings.accept': 'accepted-risk',
  'findings.resolve': 'resolved',
  'findings.reopen': 'open'
}

/** Why the operator cannot move a finding there, or null (RUN-510, RUN-511). */
export function whyNot({ status }: Pick<FindingRow, 'status'>, to: Target): string | null {
  const isOpen = status === 'open' || status === 'running'
  const isAllowed = to === 'open' ? !isOpen : isOpen
  return isAllowed ? null : `✗ illegal-transition: ${status} -> ${to}`
}

type ArrowAction = Exclude<Extract<ActionName, `arrows.${string}`>, 'arrows.matrix'>

function isArrowAction(action: ActionName | null): action is ArrowAction {
  return action?.startsWith('arrows.') === true && action !== 'arrows.matrix'
}

/** Prompts wait: opens the first that concerns an arrow. */
function presenting(state: ScreenState, arrow: string): Outcome {
  const item = state.gate.view?.queue.find((row) => row.arrow === arrow)?.item
  if (item === undefined) return refused(state, `nothing of ${arrow} waits for a verdict`)
  return dispatching(state, { kind: 'present-verdicts', item })
}

function copying(state: ScreenState, text: string): Outcome {
  const { state: asked, request } = numberedRequest(state)
  const effects: Effect[] = [
    { kind: 'offer-clipboard', text },
    { kind: 'dispatch', command: { kind: 'copy', request, text } }
  ]
  return { state: asked, effects }
}

/** What needs the engine says why it cannot be done without (OPUI-103). */
function withEngine(state: ScreenState, command: string, act: () => Outcome): Outcome {
  return state.gate.view?.isEngineOpen === true
    ? act()
    : refused(state, `✗ engine not initialized; /${command} unavailable`)
}

/** Asked for by the operator's own key, so it takes keys at once (TERM-51). */
function asking(state: ScreenState, ask: Ask): Outcome {
  const overlay = { id: ask.item, content: decisionOf(ask, null, {}), by: 'operator', at: state.keys.lastAt } as const
  return only({ ...state, overlays: opened(state.overlays, overlay) })
}

function narrowed(state: ScreenState, name: PanelName, arrow: string): ScreenState {
  const panels = withPanel(state.panels, name, { arrow, details: [], filter: '' })
  return focused({ ...state, panels }, name)
}

function refused(state: ScreenState, refusal: string): Outcome {
  return only({ ...state, panels: { ...state.panels, refusal } })
}
