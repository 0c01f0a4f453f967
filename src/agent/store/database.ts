import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { makeDatabasePrivate } from '../../platform/private-database.ts'
import { guarded, StoreFailure } from './errors.ts'

const version = 1

// The five tables of SESS-024, and `journal`: the order of the durable events. It holds of each event only what the other
// tables do not, so that a replay gives back exactly the state the session had.
const schema = `
CREATE TABLE session (
  id TEXT PRIMARY KEY,
  workdir TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('active','closed')),
  model TEXT NOT NULL,
  plan_mode INTEGER NOT NULL DEFAULT 0,
  deep_override INTEGER NOT NULL DEFAULT 0,
  turn INTEGER NOT NULL DEFAULT 0,
  held INTEGER NOT NULL DEFAULT 0,
  title TEXT,
  usage TEXT NOT NULL DEFAULT '{}',
  started_at INTEGER NOT NULL,
  closed_at INTEGER
) STRICT;
CREATE TABLE history (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  session TEXT NOT NULL,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('user','assistant','tool','note','compaction','handoff')),
  body TEXT NOT NULL,
  turn INTEGER NOT NULL,
  step TEXT,
  status TEXT NOT NULL CHECK (status IN ('open','done','partial','superseded'))
) STRICT;
CREATE INDEX history_session ON history (session, seq);
CREATE INDEX history_open ON history (session) WHERE status = 'open';
CREATE TRIGGER history_is_final BEFORE UPDATE ON history WHEN OLD.status <> 'open'
BEGIN SELECT RAISE(ABORT, 'a settled history row is never changed'); END;
CREATE TABLE tool_call (
  id TEXT NOT NULL,
  message TEXT NOT NULL,
  name TEXT NOT NULL,
  args TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('running','done','failed','interrupted')),
  started_at INTEGER,
  ended_at INTEGER,
  PRIMARY KEY (message, id)
) STRICT;
CREATE TABLE inbox (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  session TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('input','compaction')),
  delivery TEXT NOT NULL CHECK (delivery IN ('steer','queue')),
  origin TEXT NOT NULL CHECK (origin IN ('operator','remote','hook')),
  text TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  promoted_at INTEGER,
  dropped_at INTEGER
) STRICT;
CREATE INDEX inbox_pending ON inbox (session, seq) WHERE promoted_at IS NULL AND dropped_at IS NULL;
CREATE TABLE step (
  id TEXT PRIMARY KEY,
  session TEXT NOT NULL,
  turn INTEGER NOT NULL,
  retries_used INTEGER NOT NULL DEFAULT 0,
  compacted INTEGER NOT NULL DEFAULT 0,
  outcome TEXT
) STRICT;
CREATE TABLE journal (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  session TEXT NOT NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE INDEX journal_session ON journal (session, seq);
`

/**
 * Opens or creates the session database: WAL, `synchronous=NORMAL`, busy timeout, only its owner may read it (SESS-024). A symbolic
 * link in its place is refused, for the folder belongs to the repository. Throws `StoreFailure`.
 */
export function openDatabase(path: string, busyTimeoutMs: number): Database.Database {
  return guarded(path, 'open', () => {
    mkdirSync(dirname(path), { recursive: true })
    const odd = makeDatabasePrivate(path, { links: 'refuse' })
    if (odd !== null)
      throw new StoreFailure('store-unavailable', { path: odd, operation: 'open', detail: 'not a regular file' })
    const db = new Database(path, { timeout: busyTimeoutMs })
    try {
      db.pragma('trusted_schema = OFF')
      db.pragma('journal_mode = WAL')
      db.pragma('synchronous = NORMAL')
      migrate(db, path)
      return db
    } catch (error) {
      db.close()
      throw error
    }
  })
}

function migrate(db: Database.Database, path: string): void {
  const current = () => db.pragma('user_version', { simple: true }) as number
  if (current() === version) return
  db.transaction(() => {
    // Asked again inside the transaction: another process may have been first.
    const found = current()
    if (found === version) return
    if (found > version)
      throw new StoreFailure('store-too-new', {
        path,
        operation: 'open',
        detail: `its format is ${found}, known is ${version}`
      })
    db.exec(schema)
    db.pragma(`user_version = ${version}`)
  }).immediate()
}
