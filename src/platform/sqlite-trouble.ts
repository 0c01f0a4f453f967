import { systemCodeOf } from '../lib/error.ts'

/** What is wrong with a database, in the words its keepers share. */
export type SqliteTrouble = 'locked' | 'corrupt' | 'unavailable'

/**
 * What trouble SQLite or the file system under it reports; null for anything else: a constraint, a statement that does not compile, a
 * wrong argument is a bug and stays one.
 */
export function sqliteTroubleOf(thrown: unknown): SqliteTrouble | null {
  const code = systemCodeOf(thrown)
  if (code === undefined) return null
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) return 'locked'
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return 'corrupt'
  if (/^SQLITE_(FULL|READONLY|IOERR|CANTOPEN|PERM|NOMEM|PROTOCOL)/.test(code)) return 'unavailable'
  // The system's own codes: `ENOSPC`, `E2BIG`. Node's begin with `ERR_` and speak of our arguments.
  return /^E[A-Z0-9]+$/.test(code) ? 'unavailable' : null
}
