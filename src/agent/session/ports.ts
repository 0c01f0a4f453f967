import type { Clock } from '../../lib/clock.ts'
import type { CheckpointDraft, CheckpointReceipt } from '../../protocol/checkpoint.ts'
import type { CommandInfo, Delivery } from '../../protocol/command.ts'
import type { ContextEntry } from '../../protocol/entry.ts'
import type { DurableEvent, InboxRow, NoticeLevel, TransientEvent } from '../../protocol/event.ts'
import type { EntryId, SessionId, StepId } from '../../protocol/ids.ts'
import type { ModelPort } from '../../protocol/model.ts'
import type { ToolPort } from '../../protocol/tool.ts'

/** Everything a session needs from outside. `app` supplies it; a test supplies fakes. */
export interface Ports {
  readonly clock: Clock
  readonly ids: IdPort
  readonly store: SessionStorePort
  /** Transient events: told, never kept. */
  tell(event: TransientEvent): void
  readonly model: ModelPort
  readonly tools: ToolPort
  readonly checkpoints: CheckpointPort
  readonly gate: GatePort
  readonly workflow: WorkflowPort
  /** Absent until the memory wing is opened: no drift is measured and nothing is backfilled (CTX-040). */
  readonly drift?: DriftPort
  /** A number in [0, 1) for the jitter of a backoff (MODEL-053). */
  random(): number
  /** Replaces API keys and what looks like one before a text is hashed and kept (CTX-072). */
  redact(text: string): string
  /** One line for the log file; never shown. */
  log(line: string): void
}

export interface IdPort {
  entry(): EntryId
  step(): StepId
}

/** The durable session store (session.md section 4). */
export interface SessionStorePort {
  /** One transaction for all `events` (SESS-025); announced to the listeners of `app` only after the commit. */
  record(events: readonly DurableEvent[]): void
  /** Every durable event's effect on this session, as the fold of replay needs it, in order. */
  load(session: SessionId): readonly DurableEvent[]
  /** Pending rows of the session's inbox, oldest first. */
  pending(session: SessionId): readonly InboxRow[]
  /** Adds a row; refused, never dropped, beyond the caps of SESS-038. Announced after the commit. */
  submit(
    session: SessionId,
    row: {
      readonly kind: InboxRow['kind']
      readonly delivery: Delivery
      readonly origin: InboxRow['origin']
      readonly text: string
    }
  ):
    | { readonly row: InboxRow }
    | { readonly refused: { readonly code: 'inbox-full' | 'input-too-large'; readonly text: string } }
  /** Takes a pending row out again and announces `input-dropped`; null when it was already promoted or dropped. */
  drop(session: SessionId, seq: number): InboxRow | null
  /** The other sessions of this repository that no running process owns, newest first (SESS-102, SESS-103). */
  predecessors(session: SessionId): readonly Predecessor[]
}

/** A session found in the store at start; `active` means that its process died before it closed it. */
export type Predecessor = { readonly session: SessionId; readonly state: 'active' | 'closed' }

/** Where checkpoints go (memory.md); an in-memory implementation serves until the memory wing is opened. */
export interface CheckpointPort {
  create(draft: CheckpointDraft): Promise<CheckpointReceipt>
}

/** What the session asks of the gate; it never tells it anything. */
export interface GatePort {
  /** Highest minimum tier of the passes open in this session, 0 without one (SESS-074). */
  floor(): number
  /** Presents what waits for the operator before a turn's first model call (SESS-031); resolves when the drain ended. */
  drainVerdicts(signal: AbortSignal): Promise<void>
}

/** Instructions and commands found at start (context.md sections 8 and 9). */
export interface WorkflowPort {
  /** Trimmed texts, empty when absent. */
  instructions(): { readonly global: string; readonly project: string }
  commands(): readonly CommandInfo[]
  /**
   * The system prompt in the order of CTX-105, instructions fitted to their budget by `count` (CTX-106). `warnings` are the
   * texts of CTX-106 without glyph; the session shows them once per change (CTX-107).
   */
  compose(parts: {
    readonly base: string
    /** Plan overlay, null when plan mode is off or the audience has none. */
    readonly overlay: string | null
    /** Tokens of a text by the active dialect. */
    readonly count: (text: string) => number
  }): { readonly prompt: string; readonly warnings: readonly string[] }
  /** The text a file command stands for with its arguments filled in (CTX-124), or null. */
  expand(name: string, args: string): string | null
  /** Reads the files again (`/reload`). */
  reload(): Promise<unknown>
  /** What the last reading has to say (CTX-103, CTX-104, CTX-121), without glyphs. */
  notices(): readonly { readonly level: NoticeLevel; readonly text: string }[]
}

/** Drift and backfill (context.md section 4), kept by the memory wing. */
export interface DriftPort {
  /**
   * Looks whether the conversation has left the last checkpoint behind. `notes` are finished texts to put before the
   * conversation (CTX-049), empty when nothing drifted; `notices` are the lines of CTX-046, CTX-050 and CTX-053. `crowded`, only
   * where `canGrow` was said: there is more to add than fits, so compact and ask again (CTX-048). Never rejects.
   */
  check(
    ask: {
      readonly session: SessionId
      readonly turn: number
      readonly reason: 'interval' | 'compaction' | 'switch'
      readonly entries: readonly ContextEntry[]
      /** Tokens of the context now, and what may be added to it (CTX-048). */
      readonly tokens: number
      readonly budget: number
      /** A compaction may raise the budget, and was not tried for this yet. */
      readonly canGrow: boolean
    },
    signal: AbortSignal
  ): Promise<{
    readonly notes: readonly string[]
    readonly notices: readonly { readonly level: NoticeLevel; readonly text: string }[]
    readonly crowded?: boolean
  }>
}
