import type { Database } from 'better-sqlite3'

/** How long the transcript of a closed session is kept, milliseconds (SESS-026). */
const keepMs = 14 * 24 * 60 * 60 * 1000

/** Deletes the transcripts of sessions closed more than 14 days before `now`; crashed ones wait for their recovery. */
export function dropOldTranscripts(db: Database, now: number): void {
  const old = db
    .prepare<[number], string>(
      `SELECT id FROM session WHERE state = 'closed' AND closed_at < ?
       AND EXISTS (SELECT 1 FROM journal WHERE journal.session = session.id)`
    )
    .pluck()
    .all(now - keepMs)
  for (const session of old) deleteTranscript(db, session)
}

/** Everything of a session but its row in `session`. */
export function deleteTranscript(db: Database, session: string): void {
  db.prepare('DELETE FROM tool_call WHERE message IN (SELECT id FROM history WHERE session = ?)').run(session)
  for (const table of ['history', 'step', 'inbox', 'journal']) {
    db.prepare(`DELETE FROM ${table} WHERE session = ?`).run(session)
  }
}
