import type { ArrowStatus, OperatorEvent } from './gate.ts'
import type { GatePrompt } from './gate-prompt.ts'
import type { DispatchProgress, GateView } from './gate-view.ts'

/**
 * What the gate tells the screen. The facts themselves are durable before (EVT-118); these only show them. Transcript lines of the
 * gate (OPUI-300, results, refusals) arrive as `notice` and `command-output`.
 */
export type GateTold =
  /** Panels, counters and the numbers of the header, read anew after a change (EVT-401). */
  | { readonly kind: 'gate-viewed'; readonly view: GateView }
  /** One event of the gate's bus, for the event panel (OPUI-706). */
  | { readonly kind: 'gate-event-told'; readonly event: OperatorEvent }
  /** The last of those that earlier sessions left in the log, oldest first; once, before any is told (OPUI-706). */
  | { readonly kind: 'gate-events-read'; readonly events: readonly OperatorEvent[] }
  | { readonly kind: 'dispatch-progressed'; readonly progress: DispatchProgress | null }
  /** A command of a panel was refused; for the panel's last line (OPUI-722). Without a glyph. */
  | { readonly kind: 'gate-refused'; readonly text: string }
  /** An arrow settled: shown in the status line for three seconds (OPUI-746). Without a glyph. */
  | { readonly kind: 'arrow-settled'; readonly text: string; readonly status: ArrowStatus }
  /** A decision to be made now, `at` of `of` in this drain (OPUI-404, 743). */
  | {
      readonly kind: 'prompt-opened'
      readonly prompt: GatePrompt
      readonly place: { readonly at: number; readonly of: number }
    }
  /** Answered and recorded, skipped, or withdrawn; `notice` says what the operator has to know, else ''. */
  | {
      readonly kind: 'prompt-closed'
      readonly item: string
      readonly how: 'recorded' | 'skipped' | 'withdrawn'
      readonly notice: string
    }
  /** The answer could not be recorded or was not valid; the question stays with what was entered (OPUI-405, 406). */
  | { readonly kind: 'prompt-refused'; readonly item: string; readonly text: string }
  /** `error` null: the op-id is set and in the header. */
  | { readonly kind: 'op-id-answered'; readonly error: string | null }
  /** A command line asks for a panel (OPUI-310, `/verdicts`). */
  | { readonly kind: 'panel-asked'; readonly panel: 'arrows' | 'queue' }
