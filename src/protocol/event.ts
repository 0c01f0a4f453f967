import type { CommandInfo, Delivery } from './command.ts'
import type { AnchorEntry, AssistantEntry, EntryStatus, NoteEntry, ToolEntry, UserEntry } from './entry.ts'
import type { GateTold } from './gate-told.ts'
import type { EntryId, SessionId, StepId } from './ids.ts'
import type { Usage } from './model.ts'
import type { ScreenAnswer } from './screen-answer.ts'
import type { ToolCall, ToolProgress } from './tool.ts'

/**
 * What happened. Durable events are on disk before anyone hears of them and rebuild the session's state when replayed;
 * transient ones are only told. Every event names its session, because one process may hold several (WB-008).
 */
export type GhyllEvent = DurableEvent | TransientEvent

type Of<T> = T & { readonly session: SessionId /** Milliseconds since the epoch. */; readonly at: number }

export type InboxRow = {
  readonly seq: number
  readonly kind: 'input' | 'compaction'
  readonly delivery: Delivery
  readonly origin: 'operator' | 'remote' | 'hook'
  readonly text: string
}

export type TurnOutcome = 'completed' | 'partial' | 'failed' | 'interrupted'

export type DurableEvent = Of<
  | { readonly kind: 'session-opened'; readonly workdir: string; readonly model: string }
  | { readonly kind: 'session-closed' }
  // inbox
  | { readonly kind: 'input-submitted'; readonly row: InboxRow }
  | { readonly kind: 'input-dropped'; readonly seq: number }
  /** Rows left the inbox and became user entries, in `seq` order, in one transaction (SESS-035). */
  | { readonly kind: 'input-promoted'; readonly seqs: readonly number[]; readonly entries: readonly UserEntry[] }
  | { readonly kind: 'hold-changed'; readonly held: boolean }
  // turns and steps
  | { readonly kind: 'turn-started'; readonly turn: number }
  | { readonly kind: 'step-opened'; readonly step: StepId; readonly turn: number; readonly model: string }
  | { readonly kind: 'step-retried'; readonly step: StepId; readonly retriesUsed: number; readonly compacted: boolean }
  | { readonly kind: 'step-ended'; readonly step: StepId; readonly outcome: TurnOutcome }
  | {
      readonly kind: 'turn-ended'
      readonly turn: number
      readonly outcome: TurnOutcome
      /** Error code of a turn that did not complete (SESS-161), or null. */
      readonly code: string | null
    }
  // history
  /** First durable output of an attempt; fixes its place in the history (SESS-050). */
  | { readonly kind: 'reply-opened'; readonly entry: AssistantEntry }
  /** The open row's text so far, at most once a second. */
  | { readonly kind: 'reply-updated'; readonly entry: EntryId; readonly text: string; readonly reasoning: string }
  /** The open row's one and only end. */
  | {
      readonly kind: 'reply-settled'
      readonly entry: EntryId
      readonly status: Exclude<EntryStatus, 'open'>
      readonly text: string
      readonly reasoning: string
      readonly toolCalls: readonly ToolCall[]
    }
  | { readonly kind: 'tool-started'; readonly message: EntryId; readonly call: ToolCall }
  | { readonly kind: 'tool-ended'; readonly entry: ToolEntry }
  | { readonly kind: 'note-added'; readonly entry: NoteEntry }
  | { readonly kind: 'anchored'; readonly entry: AnchorEntry /** Tokens afterwards. */; readonly tokens: number }
  // settings of the session
  | {
      readonly kind: 'model-switched'
      readonly from: string
      readonly to: string
      /** A routing reason (ROUTE-004) or `fallback`. */
      readonly reason: string
      /** 0-based index of the checkpoint it was loaded from, or null. */
      readonly checkpoint: number | null
    }
  | { readonly kind: 'plan-mode-changed'; readonly on: boolean }
  | { readonly kind: 'deep-override-changed'; readonly on: boolean }
  | {
      readonly kind: 'checkpoint-created'
      readonly hash: string
      readonly index: number
      readonly turn: number
      readonly summary: string
    }
  | {
      readonly kind: 'usage-counted'
      readonly model: string
      readonly purpose: UsagePurpose
      readonly usage: Usage
      readonly estimated: boolean
    }
>

export type UsagePurpose = 'turn' | 'compaction' | 'sub-agent'

export type SessionPhase =
  | 'init'
  | 'ready'
  | 'turn'
  | 'compact'
  | 'handoff'
  | 'backfill'
  | 'sub-agent'
  | 'command'
  | 'shutdown'

export type NoticeLevel = 'info' | 'warning' | 'error' | 'success' | 'switch' | 'detail'

export type TransientEvent = Of<
  /** Every transition of the state machine (SESS-014). */
  | { readonly kind: 'phase-changed'; readonly from: SessionPhase; readonly to: SessionPhase; readonly reason: string }
  /** One operator message; `text` has no glyph, the level decides it. */
  | { readonly kind: 'notice'; readonly level: NoticeLevel; readonly text: string; readonly hint?: string }
  /**
   * Output of a slash command: whole lines, printed as they are. `failed`: it was refused, or could not be done. `typed`: no output but
   * the line of the command itself, which a key has given in the operator's place (OPUI-720).
   */
  | {
      readonly kind: 'command-output'
      readonly command: string
      readonly lines: readonly string[]
      readonly failed?: boolean
      readonly typed?: boolean
    }
  | {
      readonly kind: 'reply-delta'
      readonly entry: EntryId
      readonly channel: 'text' | 'reasoning'
      readonly text: string
    }
  /** The last `count` characters shown as text of this reply were reasoning (MODEL-072). */
  | { readonly kind: 'reply-reclassified'; readonly entry: EntryId; readonly count: number }
  /** A model request is under way: which, since when, and tokens received so far (TERM-25). */
  | { readonly kind: 'waiting-changed'; readonly waiting: Waiting | null }
  | { readonly kind: 'tool-progressed'; readonly call: string; readonly progress: ToolProgress }
  /** Something a sub-agent says or does, under the `agent` call it belongs to (CTX-090). */
  | { readonly kind: 'sub-agent-told'; readonly call: string; readonly text: string }
  | {
      readonly kind: 'context-measured'
      readonly tokens: number
      readonly limit: number
      readonly threshold: number
      readonly toolDepth: number
    }
  /** Routing met the gate's floor (ROUTE-009); the gate puts it on its bus as `gate-routing`. */
  | {
      readonly kind: 'gate-routed'
      readonly outcome: 'gate-floor' | 'gate-unsatisfiable' | 'gate-locked-conflict'
      readonly requiredRank: number
      readonly model: string
    }
  /** A shell line of the operator, `!cmd` (TERM-47); no part of a turn. */
  | { readonly kind: 'shell-started'; readonly id: string; readonly command: string }
  | {
      readonly kind: 'shell-ended'
      readonly id: string
      readonly text: string
      readonly status: 'done' | 'failed' | 'interrupted'
      readonly durationMs: number
    }
  /** Marks that stay in the status line: no sandbox, no embedder … (CFG-053, CTX-040). */
  | { readonly kind: 'mark-set'; readonly mark: string; readonly text: string }
  | { readonly kind: 'commands-loaded'; readonly commands: readonly CommandInfo[] }
  | { readonly kind: 'header-changed'; readonly header: Partial<HeaderFacts> }
  | { readonly kind: 'ended'; readonly lines: readonly string[]; readonly exitCode: number }
  | GateTold
  | ScreenAnswer
>

export type Waiting = {
  readonly what: 'model' | 'retry' | 'compaction' | 'tool' | 'sub-agent' | 'handoff' | 'sync'
  readonly label: string
  /** Milliseconds since the epoch. */
  readonly since: number
  /** Model tokens received so far; of a retry, how many seconds after `since` it comes. */
  readonly count: number | null
}

/** What the header shows; the gate adds its numbers when it is there. */
export type HeaderFacts = {
  readonly model: string
  readonly tier: 'fast' | 'deep' | 'locked' | 'other'
  /** Working directory with the home directory as `~`. */
  readonly workdir: string
  readonly branch: string | null
  readonly gridVersion: number | null
  readonly residue: number | null
  /** C: arrows nobody has evaluated (GATE-77). */
  readonly unevaluated: number | null
  readonly opId: string | null
}

const durableKinds = {
  'session-opened': true,
  'session-closed': true,
  'input-submitted': true,
  'input-dropped': true,
  'input-promoted': true,
  'hold-changed': true,
  'turn-started': true,
  'step-opened': true,
  'step-retried': true,
  'step-ended': true,
  'turn-ended': true,
  'reply-opened': true,
  'reply-updated': true,
  'reply-settled': true,
  'tool-started': true,
  'tool-ended': true,
  'note-added': true,
  anchored: true,
  'model-switched': true,
  'plan-mode-changed': true,
  'deep-override-changed': true,
  'checkpoint-created': true,
  'usage-counted': true
} satisfies Record<DurableEvent['kind'], true>

/** Whether an event is on disk before it is told. Durable ones reach the screen at once, transient ones with the next frame. */
export function isDurable(event: GhyllEvent): event is DurableEvent {
  return event.kind in durableKinds
}
