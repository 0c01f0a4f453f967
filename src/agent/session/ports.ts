import type { Clock } from '../../lib/clock.ts'
import type { CheckpointDraft, CheckpointReceipt } from '../../protocol/checkpoint.ts'
import type { CommandInfo } from '../../protocol/command.ts'
import type { DriftAnswer, DriftAsk } from '../../protocol/drift.ts'
import type { DurableEvent, InboxRow, NoticeLevel, TransientEvent } from '../../protocol/event.ts'
import type { EntryId, SessionId, StepId } from '../../protocol/ids.ts'
import type { ModelPort } from '../../protocol/model.ts'
import type { NewInboxRow, Predecessor, Submitted } from '../../protocol/session-store.ts'
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
  /** Only with `--resume`. */
  readonly resume?: ResumePort
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

/** The durable session store. */
export interface SessionStorePort {
  /** One transaction for all `events` (SESS-025); announced to the listeners of `app` only after the commit. */
  record(events: readonly DurableEvent[]): void
  /** Every durable event's effect on this session, as the fold of replay needs it, in order. */
  load(session: SessionId): readonly DurableEvent[]
  /** Pending rows of the session's inbox, oldest first. */
  pending(session: SessionId): readonly InboxRow[]
  /** Adds a row; refused, never dropped, beyond the caps of SESS-038 and while the disk takes nothing. Announced after the commit. */
  submit(session: SessionId, row: NewInboxRow): Submitted
  /** Takes a pending row out again and announces `input-dropped`; null when it is not pending any more, or the disk takes nothing. */
  drop(session: SessionId, seq: number): InboxRow | null
  /** The other sessions of this repository that no running process owns, newest first (SESS-102, SESS-103). */
  predecessors(session: SessionId): readonly Predecessor[]
}

/** Where checkpoints go (CTX-070): the memory wing. */
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

/** Instructions and commands found at start. */
export interface WorkflowPort {
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
  reload(): Promise<void>
  /** What the last reading has to say (CTX-103, CTX-104, CTX-121), without glyphs. */
  notices(): readonly { readonly level: NoticeLevel; readonly text: string }[]
}

/** What a session of before left to go on from (SESS-120…122). */
export interface ResumePort {
  /**
   * Asked once, when what a crash left is settled, so that the checkpoint made up for it counts too. `warnings`, without glyphs, say
   * what was passed over. Rejects when the memory cannot be read.
   */
  find(): Promise<{ readonly found: ResumedSession | null; readonly warnings: readonly string[] }>
}

/** The finished note, already cleaned, and what goes on with it (SESS-123…125). */
export type ResumedSession = {
  readonly note: string
  readonly turn: number
  readonly planMode: boolean
  readonly from: { readonly session: string; readonly hash: string }
}

/** Drift and backfill, kept by the memory wing. */
export interface DriftPort {
  /** Looks whether the conversation has left the last checkpoint behind (CTX-040…053). Never rejects. */
  check(ask: DriftAsk, signal: AbortSignal): Promise<DriftAnswer>
}
