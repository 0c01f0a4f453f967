import type { Command, CommandInfo } from '../../src/protocol/command.ts'
import type { HeaderFacts, SessionPhase } from '../../src/protocol/event.ts'
import type { RequestId } from '../../src/protocol/ids.ts'
import type { ScreenBoot } from '../../src/protocol/screen.ts'
import type { FindState } from '../find/state.ts'
import { type Bindings, bindKeys } from '../keys/index.ts'
import type { Layer } from '../overlays/stack.ts'
import { emptyPanels, type PanelsState } from '../panels/state.ts'
import { emptyPrompt, type PromptState } from '../prompt/state.ts'
import { emptyTranscript, type TranscriptState } from '../transcript/model.ts'
import { emptyGate, type GateState } from './gate.ts'

/** All the screen shows. Events and keys change it, components read it; nothing else is kept anywhere. */
export type ScreenState = {
  readonly header: HeaderFacts
  readonly session: SessionFacts
  readonly commands: readonly CommandInfo[]
  readonly transcript: TranscriptState
  readonly prompt: PromptState
  readonly gate: GateState
  readonly panels: PanelsState
  /** Front last (TERM-50). */
  readonly overlays: readonly Layer[]
  /** The search of the transcript while it is open (TERM-22). */
  readonly find: FindState | null
  readonly terminal: TerminalFacts
  readonly keys: KeyState
  /** One line in the place of the key hints, until the next key. */
  readonly notice: string | null
  /** Set when the session has ended: what to print on the normal screen (TERM-6). */
  readonly ended: { readonly lines: readonly string[]; readonly exitCode: number } | null
  /** Number of the next screen request. */
  readonly nextRequest: number
  /** The copy that was too long for the terminal's clipboard (TERM-23). */
  readonly unoffered: RequestId | null
}

/** What the status line tells of the session. */
export type SessionFacts = {
  readonly phase: SessionPhase
  readonly turn: number
  readonly context: ContextFacts | null
  readonly tokensIn: number
  readonly tokensOut: number
  readonly isPlanning: boolean
  /** A turn did not complete and what waits is not taken up by itself (SESS-092). */
  readonly isHeld: boolean
  /** Shell lines of the operator that run (TERM-47). */
  readonly shells: readonly string[]
  /** Standing marks such as `no sandbox`, by name. */
  readonly marks: Readonly<Record<string, string>>
}

export type ContextFacts = {
  readonly tokens: number
  readonly limit: number
  /** Tokens above which the router would go deep (CTX-014). */
  readonly threshold: number
  readonly toolDepth: number
}

export type TerminalFacts = {
  readonly columns: number
  readonly rows: number
  /** A terminal that does not report its focus counts as focused (TERM-63). */
  readonly isFocused: boolean
  readonly hasMouse: boolean
  readonly isAscii: boolean
}

export type KeyState = {
  readonly bindings: Bindings
  /** First key of a sequence such as Ctrl+X Ctrl+E. */
  readonly chord: string | null
  /** When a Ctrl+C came that a second one within two seconds turns into leaving (SESS-013). */
  readonly interruptedAt: number | null
  /** When any key came last. */
  readonly lastAt: number
}

/** What a key asks for beyond a change of state. The runtime carries it out in order. */
export type Effect =
  | { readonly kind: 'dispatch'; readonly command: Command }
  /** As `dispatch`, after a pause; a later one for the same slot takes its place. */
  | { readonly kind: 'later'; readonly slot: 'complete' | 'draft'; readonly delayMs: number; readonly command: Command }
  /** Gives the terminal away, dispatches, and takes it back when the answer comes (TERM-24, TERM-47). */
  | { readonly kind: 'hand-over'; readonly command: Extract<Command, { kind: 'open-pager' | 'open-editor' }> }
  /** Offers text to the terminal's clipboard, which never confirms (TERM-23). */
  | { readonly kind: 'offer-clipboard'; readonly text: string }
  /** Moves the transcript's window, which knows its own lines (TERM-22). */
  | { readonly kind: 'scroll'; readonly move: ScrollMove }
  /** Searches the transcript; an empty query ends the search. */
  | { readonly kind: 'find'; readonly query: string }
  /** Shows the next (1) or previous (-1) match. */
  | { readonly kind: 'find-next'; readonly by: 1 | -1 }
  /** Folds or unfolds the last entry in sight that can be. */
  | { readonly kind: 'fold' }
  | { readonly kind: 'redraw' | 'suspend' | 'apply-mouse' }

export type ScrollMove =
  | { readonly kind: 'lines' | 'pages' | 'entries'; readonly by: number }
  | { readonly kind: 'top' | 'bottom' }

export type Outcome = { readonly state: ScreenState; readonly effects: readonly Effect[] }

/** The screen before the first event. */
export function initialState(boot: ScreenBoot, size: { readonly columns: number; readonly rows: number }): ScreenState {
  return {
    header: boot.header,
    session: {
      phase: 'init',
      turn: 0,
      context: null,
      tokensIn: 0,
      tokensOut: 0,
      isPlanning: false,
      isHeld: false,
      shells: [],
      marks: {}
    },
    commands: [],
    transcript: emptyTranscript,
    prompt: emptyPrompt,
    gate: emptyGate,
    panels: emptyPanels,
    overlays: [],
    find: null,
    terminal: { ...size, isFocused: true, hasMouse: boot.mouse, isAscii: boot.ascii },
    keys: { bindings: bindKeys(boot.keys), chord: null, interruptedAt: null, lastAt: Number.NEGATIVE_INFINITY },
    notice: null,
    ended: null,
    nextRequest: 1,
    unoffered: null
  }
}

const idlePhases: ReadonlySet<SessionPhase> = new Set(['init', 'ready', 'shutdown'])

/** Something runs that Esc would interrupt (TERM-45). */
export function isBusy(state: ScreenState): boolean {
  return !idlePhases.has(state.session.phase) || state.session.shells.length > 0 || state.gate.progress !== null
}
