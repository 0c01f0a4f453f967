import type { EntryStatus, NoteEntry } from '../../src/protocol/entry.ts'
import type { InboxRow, NoticeLevel, Waiting } from '../../src/protocol/event.ts'
import type { ToolMeta } from '../../src/protocol/tool.ts'
import { isLongText } from './long-text.ts'

/**
 * What the transcript shows, as data: one row per entry (TERM-20). Texts are as they came from outside; layout makes them safe. A row
 * is never changed, only replaced, so that whoever has laid one out knows it by its identity.
 */
export type Row =
  | OperatorRow
  | ReplyRow
  | ToolRow
  | NoticeRow
  | CommandRow
  | OutputRow
  | CheckpointRow
  | AnchorRow
  | NoteRow

type Base = {
  readonly id: string
  /** Milliseconds since the epoch; 0 for what was read back from the store. */
  readonly at: number
}

/** What the operator said. */
export type OperatorRow = Base & {
  readonly kind: 'operator'
  readonly text: string
  /** An empty line stands before it: it is not the first of the transcript. */
  readonly spaced: boolean
  /** All of a long text is shown. */
  readonly unfolded: boolean
}

/** What the model said. Text only grows within one `epoch`; whatever else happens to it begins a new one (TERM-14). */
export type ReplyRow = Base & {
  readonly kind: 'reply'
  readonly model: string
  readonly text: string
  readonly reasoning: string
  readonly status: EntryStatus
  readonly epoch: number
  /** The model's name stands beside it: somebody else spoke before. */
  readonly labelled: boolean
  /** Reasoning is shown. */
  readonly unfolded: boolean
}

/** A tool call, or a shell line of the operator (TERM-47), and what came of it. */
export type ToolRow = Base & {
  readonly kind: 'tool'
  readonly call: string
  readonly name: string
  /** Raw JSON of the arguments; of a shell line the line itself. */
  readonly arguments: string
  readonly origin: 'model' | 'operator'
  readonly status: 'running' | 'done' | 'failed' | 'interrupted'
  /** The result, or while running the last lines of output. */
  readonly text: string
  /** How long it took, or has taken so far; null until something is known. */
  readonly elapsedMs: number | null
  readonly meta: ToolMeta
  /** What a sub-agent under this call said and did, line by line, the last one still open (CTX-090). */
  readonly told: readonly string[]
  readonly unfolded: boolean
}

/** One operator message; the level decides the glyph. An event line has level `detail` (OPUI-300). */
export type NoticeRow = Base & {
  readonly kind: 'notice'
  readonly level: NoticeLevel
  readonly text: string
  readonly hint: string | undefined
}

/** The line of a command as it was typed, above what it prints. */
export type CommandRow = Base & { readonly kind: 'command'; readonly text: string; readonly spaced: boolean }

/** Output of a slash command, line by line as it is. */
export type OutputRow = Base & { readonly kind: 'output'; readonly command: string; readonly lines: readonly string[] }

export type CheckpointRow = Base & {
  readonly kind: 'checkpoint'
  readonly hash: string
  readonly index: number
  readonly turn: number
  readonly summary: string
  readonly unfolded: boolean
}

/** Where the active context was replaced by a summary. */
export type AnchorRow = Base & {
  readonly kind: 'anchor'
  readonly sub: 'compaction' | 'handoff'
  /** Tokens afterwards, or null when unknown. */
  readonly tokens: number | null
  readonly summary: string
  readonly unfolded: boolean
}

/** System-level text that was added to the conversation: backfill, resume, handoff. */
export type NoteRow = Base & {
  readonly kind: 'note'
  readonly sub: NoteEntry['sub']
  readonly text: string
  readonly unfolded: boolean
}

export type TranscriptState = {
  readonly rows: readonly Row[]
  /** Inputs that wait to be taken up, in order (TERM-46). */
  readonly pending: readonly InboxRow[]
  /** What the session is waiting for, or null (TERM-25). */
  readonly waiting: Waiting | null
  /** Whether older entries than the first row are on disk; `unknown` until someone asked. */
  readonly older: 'unknown' | 'some' | 'none'
  /** Rows read back on scroll, held beyond the bound until the reader returns to the end (TERM-15). */
  readonly extra: number
  /** Characters of text held. */
  readonly chars: number
  /** Serial number of the next row that has no id of its own. */
  readonly next: number
}

export const emptyTranscript: TranscriptState = {
  rows: [],
  pending: [],
  waiting: null,
  older: 'unknown',
  extra: 0,
  chars: 0,
  next: 1
}

export type FoldableRow = Extract<Row, { readonly unfolded: boolean }>

/** Whether there is something to unfold. */
export function isFoldable(row: Row): row is FoldableRow {
  if (row.kind === 'operator') return isLongText(row.text)
  return 'unfolded' in row && (row.kind !== 'reply' || row.reasoning !== '')
}

/** Text a row holds, in characters: for the bound and for guesses about its height. */
export function rowChars(row: Row): number {
  switch (row.kind) {
    case 'operator':
    case 'command':
    case 'note':
      return row.text.length
    case 'reply':
      return row.text.length + row.reasoning.length
    case 'tool':
      return row.text.length + row.arguments.length + (row.meta.diff?.length ?? 0)
    case 'notice':
      return row.text.length + (row.hint?.length ?? 0)
    case 'output':
      return row.lines.reduce((sum, line) => sum + line.length + 1, 0)
    case 'checkpoint':
    case 'anchor':
      return row.summary.length
  }
}
