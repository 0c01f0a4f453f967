import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { messageOf, systemCodeOf } from '../lib/error.ts'
import { makeDatabasePrivate } from '../platform/private-database.ts'
import { sqliteTroubleOf } from '../platform/sqlite-trouble.ts'
import { MemoryFailure, type MemoryFailureCode } from './errors.ts'

export type Db = Database.Database

// `checkpoints` and its first three indexes belong to every implementation (MEM-040); what begins with `gx_` is ours alone
// (MEM-046). Row numbers only grow, in `checkpoints` and in `gx_embedding`: search by vector goes on from the last it saw. The
// full-text index keeps no text of its own; its rowid is that of the checkpoint.
const tables = `
CREATE TABLE IF NOT EXISTS checkpoints (
  hash         TEXT PRIMARY KEY,
  parent       TEXT NOT NULL,
  device       TEXT NOT NULL,
  author       TEXT NOT NULL,
  ts           INTEGER NOT NULL,
  repo         TEXT NOT NULL DEFAULT '',
  branch       TEXT NOT NULL DEFAULT '',
  session      TEXT NOT NULL,
  turn         INTEGER NOT NULL,
  model        TEXT NOT NULL,
  plan_mode    INTEGER NOT NULL DEFAULT 0,
  resumed_from TEXT,
  summary      TEXT NOT NULL,
  embedding    BLOB NOT NULL DEFAULT x'',
  files        TEXT NOT NULL DEFAULT '[]',
  tools        TEXT NOT NULL DEFAULT '[]',
  injections   TEXT,
  sig          TEXT NOT NULL,
  verified     INTEGER DEFAULT 1,
  imported     INTEGER DEFAULT 0
);
CREATE INDEX IF NOT EXISTS idx_checkpoints_session ON checkpoints(session);
CREATE INDEX IF NOT EXISTS idx_checkpoints_device  ON checkpoints(device);
CREATE INDEX IF NOT EXISTS idx_checkpoints_repo    ON checkpoints(repo);
CREATE INDEX IF NOT EXISTS gx_checkpoints_chain    ON checkpoints(device, repo, ts);
CREATE TRIGGER IF NOT EXISTS gx_checkpoints_no_update BEFORE UPDATE ON checkpoints
BEGIN SELECT RAISE(ABORT, 'checkpoints are never changed'); END;
CREATE TRIGGER IF NOT EXISTS gx_checkpoints_no_delete BEFORE DELETE ON checkpoints
BEGIN SELECT RAISE(ABORT, 'checkpoints are never deleted'); END;
CREATE TABLE IF NOT EXISTS gx_embedding (
  hash     TEXT NOT NULL,
  embedder TEXT NOT NULL,
  vector   BLOB NOT NULL,
  PRIMARY KEY (hash, embedder)
);
CREATE TABLE IF NOT EXISTS gx_outbox (
  hash         TEXT PRIMARY KEY,
  repo         TEXT NOT NULL,
  queued_at    INTEGER NOT NULL,
  pushed_git   INTEGER NOT NULL DEFAULT 0,
  pushed_vault INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS gx_outbox_vault ON gx_outbox(queued_at) WHERE pushed_vault = 0;
CREATE TABLE IF NOT EXISTS gx_key (
  device     TEXT PRIMARY KEY,
  pem        TEXT NOT NULL,
  first_seen INTEGER NOT NULL
);
CREATE VIRTUAL TABLE IF NOT EXISTS gx_fts USING fts5(
  hash UNINDEXED, summary,
  content='', contentless_delete=1, contentless_unindexed=1,
  tokenize='porter unicode61 remove_diacritics 2'
);
`
const objects = [...tables.matchAll(/^CREATE .*?IF NOT EXISTS (\w+)/gm)].map((match) => match[1])
// A table from an older layout lacks these (MEM-041).
const laterColumns = { plan_mode: 'INTEGER NOT NULL DEFAULT 0', resumed_from: 'TEXT' }

/**
 * Opens or creates the checkpoint database: WAL, busy timeout, mode 0600, every integer as bigint (MEM-016, MEM-040, MEM-041). An
 * acknowledged checkpoint survives a power cut, hence `synchronous=FULL`. Throws `MemoryFailure`.
 */
export function openDatabase(path: string, busyTimeoutMs = 5000): Db {
  return guarded(path, 'open', () => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const odd = makeDatabasePrivate(path, { links: 'follow' })
    if (odd !== null) throw unavailable(odd)
    const db = new Database(path, { timeout: busyTimeoutMs })
    try {
      db.pragma('trusted_schema = OFF')
      if (db.pragma('journal_mode', { simple: true }) !== 'wal') db.pragma('journal_mode = WAL')
      db.pragma('synchronous = FULL')
      db.defaultSafeIntegers(true)
      prepare(db)
      return db
    } catch (error) {
      db.close()
      throw error
    }
  })
}

/** Runs `work`; trouble that SQLite or the file system reports comes out as a `MemoryFailure`, a bug as it was (MEM-040, MEM-044). */
export function guarded<T>(path: string, operation: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const code = codeOf(error)
    if (code === null) throw error
    throw new MemoryFailure(
      code,
      `${operation} ${path}: ${messageOf(error)}`,
      { path, operation },
      { hint: hints[code]?.(path), cause: error }
    )
  }
}

function unavailable(path: string): MemoryFailure {
  return new MemoryFailure(
    'store-unavailable',
    `open ${path}: not a regular file`,
    { path, operation: 'open' },
    { hint: 'move it away while no session runs' }
  )
}

function prepare(db: Db): void {
  if (isComplete(db)) return
  // Another process may be at it as well; whoever comes second finds everything there.
  db.transaction(() => {
    db.exec(tables)
    for (const name of missingColumns(db))
      db.exec(`ALTER TABLE checkpoints ADD COLUMN ${name} ${laterColumns[name as keyof typeof laterColumns]}`)
  }).immediate()
}

function isComplete(db: Db): boolean {
  const found = new Set(db.prepare('SELECT name FROM sqlite_master').pluck().all())
  return objects.every((name) => found.has(name)) && missingColumns(db).length === 0
}

function missingColumns(db: Db): readonly string[] {
  const columns = new Set((db.pragma('table_info(checkpoints)') as { name: string }[]).map(({ name }) => name))
  return Object.keys(laterColumns).filter((name) => !columns.has(name))
}

const hints: Partial<Record<MemoryFailureCode, (path: string) => string>> = {
  'store-locked': () => 'another program holds the database; close it and try again',
  'store-corrupt': (path) =>
    `while no session runs, move ${path} with its -wal and -shm files away; what others wrote comes back from the memory branch, your own chain starts again`,
  'store-unavailable': () => 'check the permissions and the free space of the folder'
}

function codeOf(error: unknown): MemoryFailureCode | null {
  if (systemCodeOf(error) === 'SQLITE_CONSTRAINT_TRIGGER') return 'store-append-only'
  const trouble = sqliteTroubleOf(error)
  return trouble === null ? null : `store-${trouble}`
}
