import { lstatSync } from 'node:fs'
import type { Database } from 'better-sqlite3'
import { type FileStamp, stampAt } from '../../platform/file-stamp.ts'

/** Notices that the open store is no longer ghyll's alone (RUN-214). */
export interface StoreWatch {
  /** What somebody did to it since the watch began, or null. `suffix` tells which of its files, empty for the database itself. */
  changed(): { readonly suffix: string; readonly reason: string } | null
}

/** The database, the log of what is not in it yet, and the index by which connections tell each other what they wrote. */
const suffixes = ['', '-wal', '-shm'] as const

/** Rows ghyll may change before it moves its own log into the database. */
const rowsPerCheckpoint = 1000

/**
 * Watches a store from now on. A writer that goes through SQLite changes `data_version`. Others do not: a program that puts a copy in the
 * store's place, takes its log away, or opens it by another name, where a log of another name keeps its writes apart from ours. So each
 * file has to stay the one that was opened, and the database itself has to stay unwritten: ghyll's writes go to the log, which from here
 * on reaches the database only by this watch, or at the end.
 */
export function watchStore(db: Database): StoreWatch {
  db.pragma('wal_autocheckpoint = 0')
  const version = () => db.pragma('data_version', { simple: true })
  const changes = db.prepare<[], number>('SELECT total_changes()').pluck()
  const firstVersion = version()
  const files = suffixes.map((suffix) => ({ suffix, identity: identityOf(db.name + suffix) }))
  let known: FileStamp = stampAt(db.name)
  let changesMoved = changes.get() ?? 0

  const moveLog = () => {
    const now = changes.get() ?? 0
    if (now - changesMoved < rowsPerCheckpoint) return
    db.pragma('wal_checkpoint(PASSIVE)')
    changesMoved = now
    known = stampAt(db.name)
  }

  return {
    changed() {
      for (const { suffix, identity } of files)
        if (identityOf(db.name + suffix) !== identity) return { suffix, reason: 'another file is in its place' }
      const { length, changedNs } = stampAt(db.name)
      if (length !== known.length || changedNs !== known.changedNs) return { suffix: '', reason: 'written to' }
      if (version() !== firstVersion) return { suffix: '', reason: 'another program wrote to it' }
      moveLog()
      return null
    }
  }
}

function identityOf(path: string): string {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  return stats === undefined ? 'none' : `${stats.dev}:${stats.ino}`
}
