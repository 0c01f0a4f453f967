import type { ContextEntry } from '../../protocol/entry.ts'
import type { EntryId } from '../../protocol/ids.ts'
import type { DialectFamily, WireMessage } from '../../protocol/model.ts'
import type { ToolCall } from '../../protocol/tool.ts'

/** What every family's module exports (MODEL-007); `families.ts` holds each module against it. */
export type Dialect = {
  readonly family: DialectFamily
  /** Base prompt for a session in `workdir`, which is cleaned first (MODEL-009). */
  systemPrompt(workdir: string): string
  /** What plan mode adds behind the base prompt. */
  planModePrompt(): string
  /** Wire messages of one request (MODEL-022…026, MODEL-029). `systemPrompt` is the composed one (CTX-105). */
  buildMessages(entries: readonly ContextEntry[], systemPrompt: string): BuiltMessages
  /** The envelope's `tool_calls` as JSON text, checked by the family's rules (MODEL-074). */
  parseToolCalls(rawJson: string, origin: CallOrigin): ParsedCalls
  /** System message of the summarising call (CTX-023). */
  compactionPrompt(): string
  /** Estimate in tokens, before any correction (MODEL-010). */
  tokenCount(messages: readonly Countable[]): number
  /** What a model of this family takes over with (MODEL-080): a note, then `recent` as it is. */
  handoffSummary(checkpoint: HandoffCheckpoint, recent: readonly ContextEntry[]): readonly ContextEntry[]
  /** A fresh segmenter for one response (MODEL-071). */
  newSegmenter(): Segmenter
}

export type BuiltMessages = {
  readonly messages: readonly WireMessage[]
  /** How often the history had to be mended to be acceptable (MODEL-026); worth a log line when not 0. */
  readonly repairs: number
}

/** Something that takes room in a request: an entry, or a text such as the system prompt or the tool schemas. */
export type Countable = ContextEntry | { readonly kind: 'text'; readonly text: string }

/** Where a response stands, for ids made up here: `call_<turn>_<n>`, n counting on from the calls of the turn so far. */
export type CallOrigin = { readonly turn: number; readonly callsSoFar: number }

/** A response whose tool calls do not run (SESS-161). `reason` is what the operator reads behind `tool call refused:`. */
export type ParseRefusal = {
  readonly code: 'parse-refused'
  readonly reason: string
  readonly offending: string | null
}

export type ParsedCalls =
  | { readonly ok: true; readonly calls: readonly ToolCall[] }
  | { readonly ok: false; readonly refusal: ParseRefusal }

/** The checkpoint a handoff starts from; turn 0 with a blank summary is the empty one. */
export type HandoffCheckpoint = {
  /** Id of the note to be made. */
  readonly note: EntryId
  readonly turn: number
  readonly previousModel: string
  readonly summary: string
}

/** Splits the content channel into what it really holds. Events concern one response from its beginning. */
export type Segmenter = {
  feed(chunk: string): readonly SegmentEvent[]
  /** The end of the response. */
  flush(): readonly SegmentEvent[]
}

export type SegmentEvent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string }
  | { readonly kind: 'call'; readonly call: ToolCall }
  /** The last `count` UTF-16 units told as text were reasoning (MODEL-072). */
  | { readonly kind: 'reclassify'; readonly count: number }
  /** A call that never became whole was dropped (MODEL-073). */
  | { readonly kind: 'refused'; readonly reason: string }
