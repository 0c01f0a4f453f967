import { lstatSync, mkdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import Database from 'better-sqlite3'
import { messageOf, systemCodeOf } from '../../lib/error.ts'
import { makeDatabasePrivate } from '../../platform/private-database.ts'
import { EngineFailure, guarded } from './errors.ts'
import { addMissing, baseline, hasName, schemaVersion } from './schema.ts'

/** The store, relative to the project (PERS-100). */
export const storeFile = '.ghyll/engine.db'

/** `<project>/.ghyll/engine.db` (PERS-100) */
export function storePath(projectDir: string): string {
  return join(projectDir, storeFile)
}

/** How long another program's write lock is waited for, milliseconds: a session blocks its screen meanwhile (PERS-102). */
const busyTimeoutMs = { session: 1000, offline: 5000 } as const

/** Whether there is a store, and in which state (OPUI-610). Throws `EngineFailure` for one that must not be opened. */
export function findStore(projectDir: string): 'missing' | 'there' {
  return resolveStore(projectDir) === null ? 'missing' : 'there'
}

/**
 * Opens the store for a session, creating and migrating it (PERS-100…115). Nothing is written before the version is known to be
 * ours. Throws `EngineFailure`; a migration that fails leaves the file as it was.
 */
export function openStore(projectDir: string, timeoutMs: number = busyTimeoutMs.session): Database.Database {
  const path = storePath(projectDir)
  return guarded(path, () => {
    const resolved = resolveStore(projectDir) ?? path
    mkdirSync(dirname(resolved), { recursive: true })
    const odd = makeDatabasePrivate(resolved, { links: 'refuse' })
    if (odd !== null) throw escapes(odd)
    const db = new Database(resolved, { timeout: timeoutMs })
    try {
      db.pragma('trusted_schema = OFF')
      checkVersion(db)
      db.pragma('journal_mode = WAL')
      db.pragma('synchronous = FULL')
      db.pragma('foreign_keys = ON')
      migrate(db)
      return db
    } catch (error) {
      db.close()
      throw error
    }
  })
}

/**
 * Opens an existing store with a right to change it and changes nothing: the schema is completed by `migrate`, inside a transaction of
 * the caller (PERS-603). Throws `EngineFailure`.
 */
export function openUnmigrated(projectDir: string): { readonly db: Database.Database; migrate(): void } {
  const db = new Database(resolveStore(projectDir) ?? storePath(projectDir), {
    fileMustExist: true,
    timeout: busyTimeoutMs.offline
  })
  try {
    checkVersion(db)
    return { db, migrate: () => complete(db) }
  } catch (error) {
    db.close()
    throw error
  }
}

/** Opens an existing store without a right to change it (PERS-600); null when there is none. Throws `EngineFailure`. */
export function openReadOnly(projectDir: string): Database.Database | null {
  const path = storePath(projectDir)
  return guarded(path, () => {
    const resolved = resolveStore(projectDir)
    if (resolved === null) return null
    try {
      return readable(new Database(resolved, { readonly: true, fileMustExist: true, timeout: busyTimeoutMs.offline }))
    } catch (error) {
      const copy = /^SQLITE_(READONLY|CANTOPEN)/.test(systemCodeOf(error) ?? '') ? wholeCopy(resolved) : null
      if (copy === null) throw error
      return readable(new Database(copy))
    }
  })
}

/** The database, if it is ours to read; closed again if not. */
function readable(db: Database.Database): Database.Database {
  try {
    if (!isEmptyStore(db)) checkVersion(db)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/**
 * A store in a folder nobody may write to, for a database in memory: with a write-ahead log SQLite wants to make files beside even to
 * read. null while there is a log, as then the file alone is not everything.
 */
function wholeCopy(path: string): Buffer | null {
  if ((lstatSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return null
  const bytes = readFileSync(path)
  // Write and read version of the header: without a log.
  bytes.fill(1, 18, 20)
  return bytes
}

/** A database without a single table, or without our own: nothing was ever kept in it (PERS-602). */
export function isEmptyStore(db: Database.Database): boolean {
  return !hasName(db, 'engine_meta')
}

/** The file the store's path leads to; null when there is none. It has to be a file and to lie inside the project (PERS-101). */
function resolveStore(projectDir: string): string | null {
  const path = storePath(projectDir)
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) {
    const folder = realOf(dirname(path))
    if (folder === null || isInside(projectDir, folder)) return null
    throw escapes(path)
  }
  const resolved = realOf(path)
  if (resolved === null || !isInside(projectDir, resolved)) throw escapes(path)
  if (lstatSync(resolved).isFile()) return resolved
  throw new EngineFailure('store-not-a-file', `engine: store is not a regular file: ${path}`, {
    hint: 'move it aside; ghyll makes a new one'
  })
}

function realOf(path: string): string | null {
  try {
    return realpathSync(path)
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return null // a link that leads nowhere, or a folder yet to be made
    throw error
  }
}

function isInside(projectDir: string, path: string): boolean {
  const root = realpathSync(projectDir)
  return path.startsWith(root.endsWith(sep) ? root : root + sep)
}

function escapes(path: string): EngineFailure {
  return new EngineFailure('store-path-escapes', `engine: store path escapes project: ${path}`)
}

/** Refuses a file of the future or of nobody knows when, before any statement that writes (PERS-111). */
function checkVersion(db: Database.Database): void {
  if (isEmptyStore(db)) {
    const tables = db.prepare<[], number>('SELECT count(*) FROM sqlite_master').pluck().get() ?? 0
    if (tables > 0) throw versionUnreadable()
    return
  }
  const value = db.prepare<[], string>("SELECT value FROM engine_meta WHERE key = 'schema_version'").pluck().get()
  if (value === undefined || !/^[1-9]\d{0,8}$/.test(value)) throw versionUnreadable()
  const found = Number(value)
  if (found <= schemaVersion) return
  throw new EngineFailure(
    'schema-version-mismatch',
    `engine: schema version mismatch: db schema_version=${found} > binary schema_version=${schemaVersion} (upgrade ghyll)`
  )
}

function versionUnreadable(): EngineFailure {
  return new EngineFailure('schema-version-unreadable', 'engine: schema version unreadable')
}

function migrate(db: Database.Database): void {
  try {
    db.transaction(() => complete(db)).immediate()
  } catch (error) {
    // A table that is not as it should be; trouble with the disk or the lock is told as such by the caller.
    if (systemCodeOf(error) !== 'SQLITE_ERROR') throw error
    throw new EngineFailure('migration-failed', `engine: migration failed: ${messageOf(error)}`, { cause: error })
  }
}

/** Tables, version and additions where they are missing. */
function complete(db: Database.Database): void {
  if (isEmptyStore(db)) {
    db.exec(baseline)
    db.prepare("INSERT INTO engine_meta (key, value) VALUES ('schema_version', ?)").run(String(schemaVersion))
  }
  addMissing(db)
}
