import type { AnchorEntry, ContextEntry, HistoryEntry, NoteEntry } from '../../protocol/entry.ts'
import type { EntryId } from '../../protocol/ids.ts'

export type Acceptance =
  | { readonly kind: 'accepted'; readonly summary: string }
  | {
      readonly kind: 'refused'
      readonly reason: 'empty' | 'too-large'
      readonly tokens: number
      readonly limit: number
    }

/**
 * Whether a model's summary may stand for what it replaces: it says something, and takes at most half the tokens (CTX-030).
 * Refused means `compaction-failed`, and the context stays as it was.
 */
export function judgeSummary(summary: string, replacedTokens: number, countText: (text: string) => number): Acceptance {
  const text = summary.trim()
  const limit = Math.floor(replacedTokens / 2)
  if (text === '') return { kind: 'refused', reason: 'empty', tokens: 0, limit }
  const tokens = countText(text)
  if (tokens > limit) return { kind: 'refused', reason: 'too-large', tokens, limit }
  return { kind: 'accepted', summary: text }
}

/** The one note a compaction leaves, which is also its checkpoint's summary (CTX-028, CTX-029). */
export function summaryNote(id: EntryId, turn: number, summary: string): NoteEntry {
  return { kind: 'note', id, turn, sub: 'summary', text: `compaction at turn ${turn}\n${summary}` }
}

/** Notes after a handoff: its own takes the place of the summary and of an earlier handoff; resume and backfill stay (CTX-071a). */
export function handoffNotes(entries: readonly ContextEntry[], handoff: NoteEntry): readonly NoteEntry[] {
  return [
    handoff,
    ...entries.filter((entry) => entry.kind === 'note').filter(({ sub }) => sub === 'resume' || sub === 'backfill')
  ]
}

/**
 * The anchor that makes `notes` and `keep` the active context (SESS-052). A kept entry is named by its id; its text is
 * written down only where it differs from the history's, that is, where it was shortened now or by an earlier anchor.
 */
export function anchorEntry(
  kind: AnchorEntry['kind'],
  parts: {
    readonly id: EntryId
    readonly turn: number
    readonly notes: readonly NoteEntry[]
    readonly keep: readonly ContextEntry[]
    readonly history: readonly HistoryEntry[]
  }
): AnchorEntry {
  const originals = new Map(parts.history.map((entry) => [entry.id, entry]))
  const kept = parts.keep
    .filter((entry) => entry.kind !== 'note')
    .map((entry) => {
      const original = originals.get(entry.id)
      const isSame = original !== undefined && 'text' in original && original.text === entry.text
      return isSame ? { entry: entry.id } : { entry: entry.id, text: entry.text }
    })
  return { kind, id: parts.id, turn: parts.turn, notes: parts.notes, kept }
}
