import type { EntryId, StepId } from './ids.ts'
import type { ToolCall, ToolMeta } from './tool.ts'

/** A history row leaves `open` exactly once and is never changed afterwards (SESS-025). */
export type EntryStatus = 'open' | 'done' | 'partial' | 'superseded'

/** What the operator (or a file command) said. */
export type UserEntry = {
  readonly kind: 'user'
  readonly id: EntryId
  readonly turn: number
  readonly text: string
}

/** What the model answered. `model` is the configured name, `family` its dialect family (MODEL-024). */
export type AssistantEntry = {
  readonly kind: 'assistant'
  readonly id: EntryId
  readonly turn: number
  readonly step: StepId
  readonly model: string
  readonly family: string
  readonly text: string
  readonly reasoning: string
  readonly toolCalls: readonly ToolCall[]
  readonly status: EntryStatus
}

/** The one recorded result of one tool call. `text` is what the model is given (TOOL-002). */
export type ToolEntry = {
  readonly kind: 'tool'
  readonly id: EntryId
  readonly turn: number
  /** The assistant entry whose call this answers. */
  readonly message: EntryId
  readonly call: ToolCall
  readonly text: string
  readonly status: 'done' | 'failed' | 'interrupted'
  readonly durationMs: number
  readonly meta: ToolMeta
}

/** System-level text that precedes the conversation (CTX-006). */
export type NoteEntry = {
  readonly kind: 'note'
  readonly id: EntryId
  readonly turn: number
  readonly sub: 'summary' | 'backfill' | 'resume' | 'handoff'
  readonly text: string
  /** What a `resume` note tells of, kept with it so that a crash does not part the two (SESS-125). */
  readonly from?: { readonly session: string; readonly hash: string }
}

/** An anchor replaces what came before it by notes and the entries it keeps (SESS-052). */
export type AnchorEntry = {
  readonly kind: 'compaction' | 'handoff'
  readonly id: EntryId
  readonly turn: number
  readonly notes: readonly NoteEntry[]
  /** Kept entries in order; `text` only where CTX-021 shortened one. */
  readonly kept: readonly { readonly entry: EntryId; readonly text?: string }[]
}

/** A tool call as a key: ids of calls are unique within their message only (MODEL-074). */
export function callKey(message: EntryId, call: string): string {
  return `${message}\n${call}`
}

/** What a request to the model is made of. */
export type ContextEntry = UserEntry | AssistantEntry | ToolEntry | NoteEntry
/** What the durable history holds. */
export type HistoryEntry = ContextEntry | AnchorEntry
