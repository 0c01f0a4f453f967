import type { CheckpointDraft, CheckpointReceipt } from '../../protocol/checkpoint.ts'
import type { DriftReason } from '../../protocol/drift.ts'
import type {
  AnchorEntry,
  AssistantEntry,
  ContextEntry,
  NoteEntry,
  ToolEntry,
  UserEntry
} from '../../protocol/entry.ts'
import type { InboxRow, TurnOutcome } from '../../protocol/event.ts'
import type { EntryId, StepId } from '../../protocol/ids.ts'
import type { ModelFailure, ModelReply, Usage } from '../../protocol/model.ts'
import type { ToolCall } from '../../protocol/tool.ts'
import type { RoutingDecision } from '../dialects/index.ts'
import type { Item } from './facts.ts'
import type { Errand } from './line.ts'
import type { Ending } from './state.ts'

/** What a session does next. Every kind is one state of the session, or a part of one. */
export type Step =
  /** INIT: settle what a predecessor left, then say READY. */
  | { readonly kind: 'open' }
  /** READY: nothing to do until someone wakes the session. */
  | { readonly kind: 'await' }
  | { readonly kind: 'run-command'; readonly errand: Errand }
  /** Rows become user entries; `turn` is a new number for the batch that starts a turn (SESS-036). */
  | {
      readonly kind: 'take-input'
      readonly rows: readonly InboxRow[]
      readonly turn: number
      readonly startsTurn: boolean
    }
  /** `/retry`: the last turn again, under its number (SESS-117). */
  | { readonly kind: 'resume-turn'; readonly turn: number }
  | { readonly kind: 'present-verdicts' }
  | { readonly kind: 'measure' }
  | { readonly kind: 'route' }
  | { readonly kind: 'compact'; readonly why: CompactionCause; readonly must: boolean; readonly row: number | null }
  | { readonly kind: 'hand-off'; readonly to: string; readonly reason: string }
  | { readonly kind: 'open-step'; readonly model: string }
  | { readonly kind: 'call-model'; readonly step: StepId; readonly model: string }
  | { readonly kind: 'wait'; readonly delayMs: number }
  | { readonly kind: 'fall-back'; readonly from: string; readonly to: string }
  | { readonly kind: 'run-tool'; readonly message: AssistantEntry; readonly call: ToolCall }
  /** Calls that never ran get their one result (SESS-072, SESS-091, SESS-100). */
  | { readonly kind: 'settle-calls'; readonly calls: readonly PendingCall[]; readonly why: SettlementCause }
  | { readonly kind: 'end-step'; readonly step: StepId; readonly outcome: TurnOutcome }
  /** No request is sent: the context is too long (CTX-012). */
  | { readonly kind: 'give-up'; readonly why: 'context-too-long' }
  | { readonly kind: 'checkpoint'; readonly why: 'interval' | 'compaction' | 'shutdown' }
  | { readonly kind: 'measure-drift'; readonly reason: DriftReason }
  | { readonly kind: 'end-turn'; readonly ending: Ending | null }
  | { readonly kind: 'close' }
  | { readonly kind: 'end' }

export type StepKind = Step['kind']
export type StepOf<K extends StepKind> = Extract<Step, { readonly kind: K }>

export type CompactionCause = 'proactive' | 'reactive' | 'manual' | 'hand-off' | 'backfill'
export type SettlementCause = 'interrupted' | 'too-deep' | 'stale'
export type PendingCall = { readonly message: AssistantEntry; readonly call: ToolCall }

/** What came of a step: facts, no judgement. */
export type Results = {
  readonly open: { readonly items: readonly Item[] }
  readonly await: null
  readonly 'run-command': { readonly items: readonly Item[] }
  readonly 'take-input': { readonly entries: readonly UserEntry[] }
  readonly 'resume-turn': null
  readonly 'present-verdicts': null
  readonly measure: { readonly tokens: number; readonly limit: number; readonly warnings: readonly string[] }
  readonly route: { readonly decision: RoutingDecision; readonly floor: number }
  readonly compact: CompactionResult
  readonly 'hand-off': HandoffResult
  readonly 'open-step': { readonly id: StepId }
  readonly 'call-model': CallResult
  readonly wait: null
  readonly 'fall-back': null
  readonly 'run-tool': { readonly entry: ToolEntry; readonly items: readonly Item[] }
  readonly 'settle-calls': { readonly entries: readonly ToolEntry[] }
  readonly 'end-step': null
  readonly 'give-up': null
  readonly checkpoint: CheckpointResult
  readonly 'measure-drift': {
    readonly notes: readonly NoteEntry[]
    readonly items: readonly Item[]
    /** What was found needs a compaction first (CTX-048). */
    readonly crowded: boolean
  }
  readonly 'end-turn': null
  readonly close: null
  readonly end: null
}

/** A step together with its result, so that the compiler knows which belongs to which. */
export type Outcome = {
  [K in StepKind]: { readonly kind: K; readonly step: StepOf<K>; readonly result: Results[K] }
}[StepKind]

export type CompactionResult =
  | {
      readonly kind: 'anchored'
      readonly entry: AnchorEntry
      readonly tokens: number
      readonly trips: readonly Trip[]
      /** What the server kept back of the summary, or null. */
      readonly lacks: string | null
    }
  /** On a fallback only the copy for the rest of the turn is shortened (MODEL-062). */
  | {
      readonly kind: 'copied'
      readonly covers: ReadonlySet<EntryId>
      readonly entries: readonly ContextEntry[]
      readonly tokens: number
      readonly trips: readonly Trip[]
      readonly lacks: string | null
    }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'failed'; readonly text: string; readonly trips: readonly Trip[] }
  | { readonly kind: 'interrupted'; readonly trips: readonly Trip[] }

/** One model round trip, for the usage totals (WB-040). */
export type Trip = { readonly model: string; readonly usage: Usage; readonly estimated: boolean }

export type CheckpointResult = {
  /** null when it could not be stored; the notices say why. */
  readonly stored: { readonly receipt: CheckpointReceipt; readonly draft: CheckpointDraft } | null
  readonly items: readonly Item[]
}

export type HandoffResult = {
  readonly checkpoint: CheckpointResult | null
  readonly entry: AnchorEntry
  /** Tokens afterwards, by the target's estimate. */
  readonly tokens: number
}

/** How one attempt ended, after the segmenter. `opened` tells whether a reply row exists. */
export type CallResult = {
  readonly aborted: boolean
  readonly opened: EntryId
  readonly isOpen: boolean
  readonly text: string
  readonly reasoning: string
  readonly end:
    | {
        readonly kind: 'reply'
        readonly reply: ModelReply
        readonly calls: readonly ToolCall[]
        /** Why the dialect refused calls (MODEL-073, MODEL-075), or null. Whole calls beside a half one are in `calls`. */
        readonly refused: string | null
        readonly trip: Trip
        /** Tokens of the answer, reported or estimated (MODEL-041). */
        readonly answerTokens: number
      }
    | { readonly kind: 'failure'; readonly failure: ModelFailure }
  /** A number in [0, 1), drawn for the backoff. */
  readonly jitter: number
}
