import { realpathSync } from 'node:fs'
import type { Database } from 'better-sqlite3'
import type { CliIo } from '../../cli/io.ts'
import { type ActiveGrid, GridFailure, readActiveGrid } from '../../gate/bootstrap/index.ts'
import { loadCatalogue } from '../../gate/catalogue/index.ts'
import { EngineFailure, openReadOnly, storePath, tableAttestations } from '../../gate/engine/index.ts'
import type { Attestation } from '../../gate/runner/index.ts'
import { safeJson } from '../../lib/safe-text.ts'
import type { Grid } from '../../protocol/grid.ts'

// What the commands on a gate without a session have in common.

export type OfflineOptions = {
  /** Absolute path of an existing folder. */
  readonly dir: string
  readonly json: boolean
  readonly verbose: boolean
  /** Bound of the whole command (PERS-605). */
  readonly timeoutMs: number
}

/** Prints the answer in the form that was asked for (OPUI-600, OPUI-802). */
export function answer(io: CliIo, { json }: OfflineOptions, data: object, lines: readonly string[]): number {
  io.out(json ? `${safeJson(data, { indent: 2 })}\n` : lines.map((line) => `${line}\n`).join(''))
  return 0
}

/** The project of a command, free of symbolic links, and where its store is or would be (OPUI-600). */
export function placeOf({ dir }: OfflineOptions): { readonly dir: string; readonly path: string } {
  const real = realpathSync(dir)
  return { dir: real, path: storePath(real) }
}

/** The line instead of an answer where nothing is kept (OPUI-600). */
export function noStore(path: string, why: string): string {
  return `ghyll engine: no store at ${path} (${why})`
}

/** Runs `work` on the store without a right to change it, null when there is none, and closes it again (PERS-600). */
export function readStore<T>(dir: string, work: (db: Database | null) => T): T {
  const db = openReadOnly(dir)
  try {
    return work(db)
  } finally {
    db?.close()
  }
}

/** The verdicts the table holds; none where there is no store (ATT-503). */
export function recordsOfTable(db: Database | null): readonly Attestation[] {
  return db === null ? [] : tableAttestations(db)
}

/** The grid in force. Throws `GridFailure` (GATE-86). */
export function readGrid(dir: string): Grid {
  const { grid }: ActiveGrid = readActiveGrid(dir, loadCatalogue())
  return grid
}

/** The grid in force, or null where none can be read (PERS-600). */
export function gridOrNull(dir: string): Grid | null {
  try {
    return readGrid(dir)
  } catch (error) {
    if (error instanceof GridFailure) return null // the command does without; a session would say what is wrong
    throw error
  }
}

/** Asked between pages and statements: throws `timed-out` once the command has had its time (PERS-605). */
export function deadline({ timeoutMs }: OfflineOptions): () => void {
  const end = performance.now() + timeoutMs
  return () => {
    if (performance.now() > end) throw new EngineFailure('timed-out', `timed out after ${timeoutMs / 1000} s`)
  }
}
