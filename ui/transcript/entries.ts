import { unreachable } from '../../src/lib/assert.ts'
import type { AssistantEntry, HistoryEntry, ToolEntry } from '../../src/protocol/entry.ts'
import { boundedText } from './bound.ts'
import type { ReplyRow, Row, ToolRow } from './model.ts'

/** Rows of history entries, as they arrive and as they are read back from the store (TERM-15). */
export function olderRows(entries: readonly HistoryEntry[]): Row[] {
  const rows: Row[] = []
  for (const entry of entries) rows.push(placed(historyRow(entry), rows))
  return rows
}

/** The row with what depends on those before it: whose turn it was to speak, and whether it is the first. */
export function placed(row: Row, before: readonly Row[]): Row {
  if (row.kind === 'operator' || row.kind === 'command') return { ...row, spaced: before.length > 0 }
  if (row.kind !== 'reply') return row
  const speaker = before.findLast((each) => each.kind === 'operator' || each.kind === 'reply')
  return { ...row, labelled: speaker?.kind !== 'reply' || speaker.model !== row.model }
}

/** The first row that is an entry of the history by its own id, for what lies before it on disk; null when none is. */
export function firstKept(rows: readonly Row[]): string | null {
  const kept = rows.find(({ kind }) => kind === 'operator' || kind === 'reply' || kind === 'anchor' || kind === 'note')
  return kept?.id ?? null
}

function historyRow(entry: HistoryEntry): Row {
  switch (entry.kind) {
    case 'user':
      return { kind: 'operator', id: entry.id, at: 0, text: entry.text, spaced: true, unfolded: false }
    case 'assistant':
      return replyRow(entry, 0)
    case 'tool':
      return toolRow(entry, 0)
    case 'note':
      return { kind: 'note', id: entry.id, at: 0, sub: entry.sub, text: entry.text, unfolded: false }
    case 'compaction':
    case 'handoff': {
      const summary = entry.notes.map((note) => note.text).join('\n\n')
      return { kind: 'anchor', id: entry.id, at: 0, sub: entry.kind, tokens: null, summary, unfolded: false }
    }
    default:
      return unreachable(entry)
  }
}

/** The row of a reply, folded. */
export function replyRow(entry: AssistantEntry, at: number): ReplyRow {
  const { id, model, text, reasoning, status } = entry
  return { kind: 'reply', id, at, model, text, reasoning, status, epoch: 0, labelled: true, unfolded: false }
}

/** The row of a finished tool call, its result bounded (TERM-15). */
export function toolRow(entry: ToolEntry, at: number): ToolRow {
  return {
    kind: 'tool',
    id: toolRowId(entry.message, entry.call.id),
    at,
    call: entry.call.id,
    name: entry.call.name,
    arguments: entry.call.arguments,
    origin: 'model',
    status: entry.status,
    text: boundedText(entry.text),
    // Nobody measured how long it took when the process died under it.
    elapsedMs: entry.status === 'interrupted' && entry.durationMs === 0 ? null : entry.durationMs,
    meta: entry.meta.diff === undefined ? entry.meta : { ...entry.meta, diff: boundedText(entry.meta.diff) },
    told: [],
    unfolded: false
  }
}

/** Models reuse call ids across messages, so the message is part of the row's id. */
export function toolRowId(message: string, call: string): string {
  return `${message}/${call}`
}
