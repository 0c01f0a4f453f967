import type { Database } from 'better-sqlite3'
import type { HistoryEntry } from '../../protocol/entry.ts'
import type { DurableEvent, InboxRow } from '../../protocol/event.ts'
import { entryId, type SessionId } from '../../protocol/ids.ts'
import { Damage } from './errors.ts'
import { decodeEntry, type HistoryRow } from './rows.ts'

type JournalRow = { readonly at: number; readonly kind: DurableEvent['kind']; readonly body: string }
type Refs = { readonly entry?: string; readonly entries?: readonly string[]; readonly row?: number }

/**
 * The durable events of a session in their order, put together again from journal, history and inbox. Folding them gives the
 * state that was live. A reply appears as opened and settled; what it looked like in between is gone, save for the text so far
 * of one that is still open.
 */
export function loadEvents(db: Database, session: SessionId): readonly DurableEvent[] {
  const entries = new Map(readHistory(db, session).map((entry) => [entry.id as string, entry]))
  const rows = new Map(readInbox(db, session, 'all').map((row) => [row.seq, row]))
  const entry = (id: string | undefined): HistoryEntry => {
    const found = id === undefined ? undefined : entries.get(id)
    if (found === undefined) throw new Damage(`the journal names ${id}, which is not in the history`)
    return found
  }
  return db
    .prepare<[string], JournalRow>('SELECT at, kind, body FROM journal WHERE session = ? ORDER BY seq')
    .all(session)
    .map(({ at, kind, body }) => {
      const kept = JSON.parse(body) as Refs
      return { ...kept, ...restored(kind, kept), kind, session, at } as DurableEvent
    })

  /** What the journal only points at. */
  function restored(kind: DurableEvent['kind'], kept: Refs): object {
    switch (kind) {
      case 'input-submitted': {
        const row = rows.get(kept.row ?? -1)
        if (row === undefined) throw new Damage(`the journal names inbox row ${kept.row}, which is not there`)
        return { row }
      }
      case 'input-promoted':
        return { entries: (kept.entries ?? []).map(entry) }
      case 'reply-opened': {
        const reply = entry(kept.entry)
        const isOpen = reply.kind === 'assistant' && reply.status === 'open'
        return { entry: isOpen ? reply : { ...reply, status: 'open', text: '', reasoning: '', toolCalls: [] } }
      }
      case 'reply-settled': {
        const reply = entry(kept.entry)
        if (reply.kind !== 'assistant') throw new Damage(`${reply.id} is no reply`)
        const { status, text, reasoning, toolCalls } = reply
        return { status, text, reasoning, toolCalls }
      }
      case 'tool-ended':
      case 'note-added':
      case 'anchored':
        return { entry: entry(kept.entry) }
      default:
        return {}
    }
  }
}

/** Whole history of a session in `seq` order, or its last `limit` entries before the entry `before`. */
export function readHistory(
  db: Database,
  session: SessionId,
  page?: { readonly before: string | null; readonly limit: number }
): readonly HistoryEntry[] {
  const idOf = db.prepare<[number], string>('SELECT id FROM history WHERE seq = ?').pluck()
  const rows = db
    .prepare<[string, string | null, string | null, number], HistoryRow>(
      `SELECT seq, id, kind, body, turn, step, status FROM history
       WHERE session = ? AND (? IS NULL OR seq < (SELECT seq FROM history WHERE id = ?))
       ORDER BY seq DESC LIMIT ?`
    )
    .all(session, page?.before ?? null, page?.before ?? null, page?.limit ?? -1)
  return rows.reverse().map((row) => decodeEntry(row, (seq) => entryId(idOf.get(seq) ?? '')))
}

/** Inbox rows of a session, oldest first: all it ever had, or those still pending. */
export function readInbox(db: Database, session: SessionId, which: 'all' | 'pending'): readonly InboxRow[] {
  const pending = which === 'pending' ? 'AND promoted_at IS NULL AND dropped_at IS NULL' : ''
  return db
    .prepare<[string], InboxRow>(
      `SELECT seq, kind, delivery, origin, text FROM inbox WHERE session = ? ${pending} ORDER BY seq`
    )
    .all(session)
}
