import type { GatePort, SlashCommand } from '../../agent/session/index.ts'
import type { GateCommand } from '../../protocol/command.ts'
import type { GhyllEvent, HeaderFacts } from '../../protocol/event.ts'
import type { GateTold } from '../../protocol/gate-told.ts'
import type { ScreenAnswer } from '../../protocol/screen-answer.ts'
import type { LineSurface } from './line-surface.ts'

/** What the gate tells: its own events, and lines of the transcript. */
export type GateSay = (
  event:
    | GateTold
    | Extract<ScreenAnswer, { kind: 'inspected' | 'places-read' }>
    | {
        readonly kind: 'command-output'
        readonly command: string
        readonly lines: readonly string[]
      }
    | { readonly kind: 'notice'; readonly level: 'info' | 'warning'; readonly text: string; readonly hint?: string }
    | { readonly kind: 'header-changed'; readonly header: Partial<HeaderFacts> }
) => void

/** How the operator is asked for verdicts: by overlays, by typed lines, or not at all (OPUI-800, OPUI-801). */
export type Asking = 'screen' | 'lines' | 'nobody'

/** What panels and overlays ask; an arrow is run by the session, where Esc and `busy` are at home (SESS-016, SESS-037). */
export type PanelCommand = Exclude<GateCommand, { kind: 'run-arrow' }>

/** The gate as the program holds it, open or closed. */
export interface GateHost {
  readonly port: GatePort
  readonly commands: readonly SlashCommand[]
  /** Questions as typed lines; null unless it asks by lines. */
  readonly questions: Pick<LineSurface, 'asking' | 'enter' | 'cancel'> | null
  /** Shows the first view and the banners, and asks what waits since an earlier process. */
  start(): void
  dispatch(command: PanelCommand): void
  /** Events of the session that the gate follows. */
  follow(event: GhyllEvent): void
  /** Refs that wait for a verdict now. */
  waiting(): readonly string[]
  /** Those of them that a command of this session asked for, or was refused for want of (OPUI-801). */
  needed(): readonly string[]
  /** No question is open and nothing of a verdict is still on its way. */
  isQuiet(): boolean
  /** Ends what runs and closes the store; parked passes stay (RUN-244). */
  close(): Promise<void>
}
