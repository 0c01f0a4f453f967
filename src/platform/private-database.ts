import { chmodSync, closeSync, lstatSync, openSync, type Stats, statSync } from 'node:fs'
import { systemCodeOf } from '../lib/error.ts'

/**
 * Readies a database for its owner alone before SQLite opens it: a missing file is created, and it and what SQLite left beside it get mode
 * 0600, which is also the mode that a new `-wal` and `-shm` take from it (MEM-040, PERS-104, SESS-024). The folder must be there. Returns
 * the first of the three that is no regular file, a symbolic link with `links: 'refuse'` included, or null. Throws the system's error.
 *
 * A file that exists is never opened here: closing it again would drop the locks that another connection of this process holds on it.
 */
export function makeDatabasePrivate(path: string, { links }: { readonly links: 'follow' | 'refuse' }): string | null {
  createIfMissing(path)
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    const stats: Stats | undefined = (links === 'refuse' ? lstatSync : statSync)(file, { throwIfNoEntry: false })
    if (stats === undefined) continue
    if (!stats.isFile()) return file
    if ((stats.mode & 0o777) !== 0o600) chmodSync(file, 0o600)
  }
  return null
}

function createIfMissing(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (systemCodeOf(error) !== 'EEXIST') throw error
  }
}
