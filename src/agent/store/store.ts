import { join } from 'node:path'
import type { Database } from 'better-sqlite3'
import type { Clock } from '../../lib/clock.ts'
import type { HistoryEntry } from '../../protocol/entry.ts'
import type { DurableEvent, InboxRow } from '../../protocol/event.ts'
import type { SessionId } from '../../protocol/ids.ts'
import type { NewInboxRow, Predecessor, Submitted } from '../../protocol/session-store.ts'
import { createBacklog } from './backlog.ts'
import { guarded, StoreFailure } from './errors.ts'
import { openStoreFile } from './file.ts'
import { loadEvents, readHistory, readInbox } from './replay.ts'
import { deleteTranscript, dropOldTranscripts } from './retention.ts'

/** Pending rows per session, and bytes per row (SESS-038). */
const inboxRows = 64
const inboxBytes = 4 * 1024 * 1024

/**
 * The durable session store of one repository, for every session of this process. All calls but `record`, `submit` and `drop` may
 * throw `StoreFailure`.
 */
export interface SessionStore {
  /**
   * One transaction for all `events`; listeners hear of them only after the commit (SESS-025). Throws `StoreFailure` for the opening of
   * a session; what follows waits in memory while the disk refuses it.
   */
  record(events: readonly DurableEvent[]): void
  /** The session's durable events in order; folding them gives the state that was live. */
  load(session: SessionId): readonly DurableEvent[]
  /** Up to `limit` history entries before `before` (null: the newest), in order; `complete` when none is older. */
  older(
    session: SessionId,
    before: string | null,
    limit: number
  ): { readonly entries: readonly HistoryEntry[]; readonly complete: boolean }
  pending(session: SessionId): readonly InboxRow[]
  submit(session: SessionId, row: NewInboxRow): Submitted
  /** null when it was promoted or dropped already, or while the disk takes nothing. */
  drop(session: SessionId, seq: number): InboxRow | null
  /** Other sessions of this repository that this process did not open, newest first; `active`: its process died (SESS-102). */
  predecessors(session: SessionId): readonly Predecessor[]
  setTitle(session: SessionId, title: string): void
  /** Removes a session's transcript, inputs and journal; its row stays (WB-024). */
  deleteTranscript(session: SessionId): void
  /** Hears of every durable event after its commit, in order; returns the way out. */
  subscribe(listener: (event: DurableEvent) => void): () => void
  close(): void
}

export type StoreOptions = {
  readonly clock: Pick<Clock, 'now'>
  /** What to do with a listener that throws; the events it missed are on disk all the same. */
  readonly onListenerError: (error: unknown) => void
  /**
   * The disk refuses what happens (the failure), or takes it again with all that waited (null). Meanwhile events are told without
   * being on disk, and inputs are refused (SESS-160).
   */
  readonly onTrouble: (failure: StoreFailure | null) => void
  /** The file was taken away or replaced while it was in use, and is there again with the sessions of this process in it. */
  readonly onRewritten: () => void
  /** How long another process's write lock is waited for, milliseconds (SESS-024). */
  readonly busyTimeoutMs?: number
}

/** `<repo>/.ghyll/session.db` */
export function sessionStorePath(repository: string): string {
  return join(repository, '.ghyll', 'session.db')
}

/** Opens the store, creating it if needed, and drops transcripts past their time (SESS-026). Throws `StoreFailure`. */
export function openSessionStore(path: string, options: StoreOptions): SessionStore {
  const { clock, onListenerError, onTrouble, onRewritten, busyTimeoutMs = 5000 } = options
  const file = openStoreFile(path, busyTimeoutMs)
  const { project } = file
  const listeners = new Set<(event: DurableEvent) => void>()
  const announcements: DurableEvent[] = []
  /** Sessions that this process runs. */
  const own = new Set<SessionId>()
  let announcing = false

  const write = <T>(operation: string, work: () => T): T =>
    guarded(path, operation, () => {
      if (file.keepInPlace(own)) onRewritten()
      return file.db().transaction(work).immediate()
    })
  const read = <T>(work: (db: Database) => T): T => guarded(path, 'read', () => work(file.db()))
  const commit = (events: readonly DurableEvent[]) => write('record in', () => events.forEach(project))
  const backlog = createBacklog({ clock, commit, onTrouble })

  /** What a listener records in turn is announced after what it was told, so that everyone hears the same order. */
  const announce = (events: readonly DurableEvent[]) => {
    announcements.push(...events)
    if (announcing) return
    announcing = true
    try {
      for (let event = announcements.shift(); event !== undefined; event = announcements.shift()) {
        for (const listener of [...listeners]) tell(listener, event)
      }
    } finally {
      announcing = false
    }
  }
  const tell = (listener: (event: DurableEvent) => void, event: DurableEvent) => {
    try {
      listener(event)
    } catch (error) {
      onListenerError(error)
    }
  }
  const record = (events: readonly DurableEvent[]) => {
    if (events.length === 0) return
    const opened = events.filter((event) => event.kind === 'session-opened')
    if (opened.length === 0) backlog.write(events)
    else {
      backlog.settle()
      commit(events)
    }
    for (const { session } of opened) own.add(session)
    announce(events)
  }

  try {
    write('clean up', () => dropOldTranscripts(file.db(), clock.now()))
  } catch (error) {
    file.db().close()
    throw error
  }

  return {
    record,
    load: (session) => read((db) => loadEvents(db, session)),
    older: (session, before, limit) =>
      read((db) => {
        const found = readHistory(db, session, { before, limit: limit + 1 })
        return { entries: found.slice(-limit), complete: found.length <= limit }
      }),
    pending: (session) => read((db) => readInbox(db, session, 'pending')),
    submit(session, { kind, delivery, origin, text }) {
      if (Buffer.byteLength(text) > inboxBytes)
        return { refused: { code: 'input-too-large', text: 'input is larger than 4 MiB; not queued' } }
      try {
        backlog.settle()
        const event = write('queue input in', () => {
          if (readInbox(file.db(), session, 'pending').length >= inboxRows) return null
          const row = { seq: lastInboxSeq(file.db()) + 1, kind, delivery, origin, text: text.toWellFormed() }
          const submitted: DurableEvent = { kind: 'input-submitted', session, at: clock.now(), row }
          project(submitted)
          return submitted
        })
        if (event === null)
          return { refused: { code: 'inbox-full', text: `${inboxRows} inputs are waiting already; not queued` } }
        announce([event])
        return { row: event.row }
      } catch (error) {
        if (!(error instanceof StoreFailure)) throw error
        return { refused: { code: 'not-kept', text: `not queued: ${error.message}` } }
      }
    },
    drop(session, seq) {
      try {
        backlog.settle()
        const dropped = write('take input from', () => {
          const row = readInbox(file.db(), session, 'pending').find((candidate) => candidate.seq === seq)
          if (row === undefined) return null
          const event: DurableEvent = { kind: 'input-dropped', session, at: clock.now(), seq }
          project(event)
          return { row, event }
        })
        if (dropped === null) return null
        announce([dropped.event])
        return dropped.row
      } catch (error) {
        if (!(error instanceof StoreFailure)) throw error
        return null
      }
    },
    predecessors: (session) =>
      read((db) =>
        db
          .prepare<[string], Predecessor>(
            'SELECT id AS session, state FROM session WHERE id <> ? ORDER BY started_at DESC, rowid DESC'
          )
          .all(session)
          .filter((found) => !own.has(found.session))
      ),
    setTitle(session, title) {
      write('name a session in', () =>
        file.db().prepare('UPDATE session SET title = ? WHERE id = ?').run(title, session)
      )
    },
    deleteTranscript: (session) => write('delete from', () => deleteTranscript(file.db(), session)),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close() {
      try {
        backlog.settle()
      } finally {
        file.db().close()
      }
    }
  }
}

function lastInboxSeq(db: Database): number {
  return db.prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'inbox'").pluck().get() ?? 0
}
