import type { Database } from 'better-sqlite3'
import { defaultsOf, hasColumn, hasName } from './schema.ts'

/** Rows held at once while a table is read (PERS-414). */
const pageRows = 1000

/**
 * The rows of a table in pages, in the order in which they were inserted. `check` runs before each page, for a command's time limit
 * (PERS-605). A table that an older file lacks has no rows, a column it lacks has its default (PERS-600).
 */
export function* rowsOf<Row>(
  db: Database,
  table: string,
  { where = '1', check = () => undefined }: { readonly where?: string; readonly check?: () => void } = {}
): Generator<Row> {
  if (!hasName(db, table)) return
  const page = db.prepare<[number], Row & { readonly __rowid: number }>(
    `SELECT rowid AS __rowid, * FROM ${table} WHERE rowid > ? AND (${where}) ORDER BY rowid LIMIT ${pageRows}`
  )
  const defaults = defaultsOf(db, table)
  for (let last = Number.MIN_SAFE_INTEGER; ; ) {
    check()
    const rows = page.all(last)
    for (const row of rows) yield { ...defaults, ...row }
    const final = rows.at(-1)
    if (final === undefined || rows.length < pageRows) return
    last = final.__rowid
  }
}

/** How many rows fit; 0 for a table or a column that an older file lacks (PERS-600). */
export function countOf(db: Database, table: string, where = '1', column?: string): number {
  if (!hasName(db, table) || (column !== undefined && !hasColumn(db, table, column))) return 0
  return db.prepare<[], number>(`SELECT count(*) FROM ${table} WHERE ${where}`).pluck().get() ?? 0
}
