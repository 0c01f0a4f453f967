import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Database } from 'better-sqlite3'
import type { DurableEvent } from '../../protocol/event.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { openDatabase } from './database.ts'
import { createProjection } from './project.ts'
import { loadEvents } from './replay.ts'
import { deleteTranscript } from './retention.ts'

// Whoever cleans a work tree of what git ignores takes the database along while it is in use. What is written after that would go into a
// file that has no name any more, and be gone with the process (SESS-024 allows that only while no session runs).

export type StoreFile = {
  db(): Database
  /** Writes one event into the tables; to be called inside a transaction of `db`. */
  project(event: DurableEvent): void
  /**
   * Whether the file still has its place. If not it is made anew, with the `sessions` this process runs in it, read from the file
   * that is still open; true when that was done. Where the whole repository is gone nothing is made again. Throws what SQLite or
   * the system throws.
   */
  keepInPlace(sessions: Iterable<SessionId>): boolean
}

/** Opens the database at `path`. Throws `StoreFailure`. */
export function openStoreFile(path: string, busyTimeoutMs: number): StoreFile {
  const open = () => {
    const db = openDatabase(path, busyTimeoutMs)
    return { db, project: createProjection(db), inode: inodeOf(path) }
  }
  let current = open()

  return {
    db: () => current.db,
    project: (event) => current.project(event),
    keepInPlace(sessions) {
      if (inodeOf(path) === current.inode || !existsSync(dirname(dirname(path)))) return false
      const fresh = open()
      try {
        fresh.db
          .transaction(() => {
            for (const session of sessions) {
              forget(fresh.db, session)
              for (const event of loadEvents(current.db, session)) fresh.project(event)
            }
          })
          .immediate()
      } catch (error) {
        fresh.db.close()
        throw error
      }
      current.db.close()
      current = fresh
      return true
    }
  }
}

const inodeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.ino ?? null

/** An older copy that was put back knows the session as it was then. */
function forget(db: Database, session: SessionId): void {
  deleteTranscript(db, session)
  db.prepare('DELETE FROM session WHERE id = ?').run(session)
}
