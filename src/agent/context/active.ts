import {
  type AnchorEntry,
  type ContextEntry,
  callKey,
  type HistoryEntry,
  type NoteEntry,
  type ToolEntry
} from '../../protocol/entry.ts'
import type { EntryId } from '../../protocol/ids.ts'

// What a request is made of, folded from the history. Nobody owns a mutable list: the session's state holds the history, this
// function reads it, and a compaction is one more entry in it. That gives CTX-001…003 (one owner, frozen readers, additions in
// order) for free: what was added while a compaction ran simply stands behind its anchor.

/**
 * The active context in request order: notes first, then the conversation (CTX-006). It is the last anchor's notes and kept
 * entries plus everything later that is done or partial; without an anchor it is the whole history (SESS-052).
 * Left out are open and superseded rows (SESS-051), a partial answer that a later one stands in for (SESS-053), and results
 * without their call. A result stands directly behind its message, in call order, once (CTX-007).
 */
export function activeContext(history: readonly HistoryEntry[]): readonly ContextEntry[] {
  const anchorAt = history.findLastIndex(isAnchor)
  const anchor = history[anchorAt]
  const later = history.slice(anchorAt + 1).filter((entry) => !isAnchor(entry))
  const rows =
    anchor !== undefined && isAnchor(anchor)
      ? [...anchor.notes, ...keptEntries(anchor, history.slice(0, anchorAt)), ...later]
      : later
  const usable = withoutReplacedPartials(rows.filter(isUsable))
  return [...usable.filter((entry) => entry.kind === 'note'), ...paired(usable)]
}

/** An entry the active context begins anew from (SESS-052). */
export function isAnchor(entry: HistoryEntry): entry is AnchorEntry {
  return entry.kind === 'compaction' || entry.kind === 'handoff'
}

/**
 * Turns for preservation: a user entry plus everything up to the next user entry (CTX-007). Entries before the first user
 * entry, which only a cut context has, form a turn of their own; notes belong to none.
 */
export function splitTurns(entries: readonly ContextEntry[]): readonly (readonly ContextEntry[])[] {
  const turns: ContextEntry[][] = []
  for (const entry of entries) {
    if (entry.kind === 'note') continue
    const last = turns.at(-1)
    if (entry.kind === 'user' || last === undefined) turns.push([entry])
    else last.push(entry)
  }
  return turns
}

/** The notes among entries, which stand before the conversation (CTX-049). */
export function notesOf(entries: readonly ContextEntry[]): readonly NoteEntry[] {
  return entries.filter((entry) => entry.kind === 'note')
}

function isUsable(entry: HistoryEntry): boolean {
  return entry.kind !== 'assistant' || entry.status === 'done' || entry.status === 'partial'
}

function keptEntries(anchor: AnchorEntry, history: readonly HistoryEntry[]): readonly ContextEntry[] {
  const wanted = new Map(anchor.kept.map((kept) => [kept.entry, kept]))
  const found = new Map<EntryId, ContextEntry>()
  for (const entry of history) {
    const kept = wanted.get(entry.id)
    if (kept === undefined || isAnchor(entry)) continue
    found.set(entry.id, kept.text === undefined ? entry : { ...entry, text: kept.text })
  }
  return anchor.kept.flatMap(({ entry }) => found.get(entry) ?? [])
}

/** A partial answer goes once a later assistant entry answers the same user entry (SESS-053). */
function withoutReplacedPartials(rows: readonly HistoryEntry[]): readonly HistoryEntry[] {
  let answeredLater = false
  return rows
    .toReversed()
    .filter((entry) => {
      if (entry.kind === 'user') answeredLater = false
      if (entry.kind !== 'assistant') return true
      const replaced = entry.status === 'partial' && answeredLater
      answeredLater = true
      return !replaced
    })
    .toReversed()
}

/** The conversation with every result directly behind its message; results whose message is not there are dropped. */
function paired(rows: readonly HistoryEntry[]): readonly ContextEntry[] {
  const results = new Map<string, ToolEntry>()
  for (const entry of rows) {
    if (entry.kind !== 'tool') continue
    const key = callKey(entry.message, entry.call.id)
    if (!results.has(key)) results.set(key, entry)
  }
  return rows.flatMap((entry): ContextEntry[] => {
    if (entry.kind === 'user') return [entry]
    if (entry.kind !== 'assistant') return []
    return [entry, ...entry.toolCalls.flatMap((call) => take(results, callKey(entry.id, call.id)))]
  })
}

function take(results: Map<string, ToolEntry>, key: string): ToolEntry[] {
  const found = results.get(key)
  results.delete(key)
  return found === undefined ? [] : [found]
}
