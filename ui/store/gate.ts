import type { GhyllEvent } from '../../src/protocol/event.ts'
import type { ArrowStatus, OperatorEvent } from '../../src/protocol/gate.ts'
import type { DispatchProgress, GateView } from '../../src/protocol/gate-view.ts'
import type { DecisionTexts } from '../overlays/decision.ts'

/** What the screen knows of the gate. All of it is told; nothing is counted here (EVT-401). */
export type GateState = {
  /** null until it was told once. */
  readonly view: GateView | null
  readonly progress: DispatchProgress | null
  /** The last events of the gate's bus, oldest first (OPUI-706). */
  readonly events: readonly ToldEvent[]
  /** Number of the next event. */
  readonly nextEvent: number
  /** The arrow that settled last, for three seconds (OPUI-746). */
  readonly settled: { readonly text: string; readonly status: ArrowStatus } | null
  /** What was typed into decisions that were left, by item (OPUI-742). */
  readonly drafts: Readonly<Record<string, DecisionTexts>>
}

export type ToldEvent = { readonly serial: number; readonly at: number; readonly event: OperatorEvent }

export const emptyGate: GateState = {
  view: null,
  progress: null,
  events: [],
  nextEvent: 1,
  settled: null,
  drafts: {}
}

const MAX_EVENTS = 500

/** The gate's share of an event; the same state back when it is none of its business. */
export function foldGate(gate: GateState, event: GhyllEvent): GateState {
  switch (event.kind) {
    case 'gate-viewed':
      return { ...gate, view: event.view }
    case 'dispatch-progressed':
      return { ...gate, progress: event.progress }
    case 'gate-event-told':
      return withEvents(gate, [{ at: event.at, event: event.event }])
    case 'gate-events-read':
      return withEvents(
        gate,
        event.events.map((read) => ({ at: Date.parse(read.timestamp ?? '') || event.at, event: read }))
      )
    case 'arrow-settled':
      return { ...gate, settled: { text: event.text, status: event.status } }
    case 'prompt-closed': {
      if (event.how === 'skipped') return gate
      const { [event.item]: _, ...drafts } = gate.drafts
      return { ...gate, drafts }
    }
    default:
      return gate
  }
}

function withEvents(gate: GateState, more: readonly Omit<ToldEvent, 'serial'>[]): GateState {
  const told = more.map((one, n) => ({ serial: gate.nextEvent + n, ...one }))
  return { ...gate, nextEvent: gate.nextEvent + told.length, events: [...gate.events, ...told].slice(-MAX_EVENTS) }
}
