import { type Draft, draftOf, emptyDraft, expandDraft } from './draft.ts'

/** What was sent before, oldest first, and where the operator is in it (TERM-41). */
export type History = {
  readonly entries: readonly Draft[]
  /** Index of the entry in the editor, or null while the operator's own draft is there. */
  readonly index: number | null
  /** The draft that was being written when the first entry was recalled. */
  readonly kept: Draft
}

export const emptyHistory: History = { entries: [], index: null, kept: emptyDraft }

const MAX_ENTRIES = 1_000

/** Puts what the state folder held in front of what was sent meanwhile. */
export function historyLoaded(history: History, prompts: readonly string[]): History {
  const entries = [...prompts.map(draftOf), ...history.entries].slice(-MAX_ENTRIES)
  const shift = entries.length - history.entries.length
  return { ...history, entries, index: history.index === null ? null : Math.max(0, history.index + shift) }
}

/** Adds what was sent (or cleared, so that ↑ brings it back) as the newest entry; a repetition of the last one counts once. */
export function remembered(history: History, draft: Draft): History {
  const text = expandDraft(draft)
  const last = history.entries.at(-1)
  const isNew = text.trim() !== '' && (last === undefined || expandDraft(last) !== text)
  const entries = isNew ? [...history.entries, draft].slice(-MAX_ENTRIES) : history.entries
  return { entries, index: null, kept: emptyDraft }
}

/** The entry before (`-1`) or after (`1`) the one shown and the draft to show, or null at the end. Behind the newest is the kept draft. */
export function recalled(
  history: History,
  by: -1 | 1,
  current: Draft
): { readonly history: History; readonly draft: Draft } | null {
  const { entries, index } = history
  const next = (index ?? entries.length) + by
  if (next < 0 || (index === null && by === 1)) return null
  const kept = index === null ? current : history.kept
  const entry = entries[next]
  if (entry === undefined) return { history: { ...history, index: null, kept: emptyDraft }, draft: kept }
  return { history: { ...history, index: next, kept }, draft: entry }
}

/** A search through the history (Ctrl+R): the `skip`-th newest entry that holds `query`. */
export type HistorySearch = { readonly query: string; readonly skip: number }

/** The entry a search has found, or null. Letter case is ignored; an empty query finds nothing. */
export function searchHistory(history: History, search: HistorySearch): Draft | null {
  if (search.query === '') return null
  const query = search.query.toLowerCase()
  let skipped = 0
  for (const entry of history.entries.toReversed()) {
    if (!expandDraft(entry).toLowerCase().includes(query)) continue
    if (skipped === search.skip) return entry
    skipped++
  }
  return null
}
