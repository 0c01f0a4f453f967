import type { Database } from 'better-sqlite3'
import type { Clock } from '../../lib/clock.ts'
import { messageOf } from '../../lib/error.ts'
import type { Grid } from '../../protocol/grid.ts'
import { createTracker } from '../runner/index.ts'
import { inTimeOrder } from './answers.ts'
import { type LoadedTree, loadTree } from './attestations/load.ts'
import { openUnmigrated, storePath } from './database.ts'
import { AttestationFailure, guarded } from './errors.ts'
import { countOf } from './pages.ts'
import { reconcileGrid } from './reconcile.ts'
import { type RecoveryReport, settle } from './recover.ts'
import { replay, replayTables } from './replay.ts'
import { stampsAfter } from './times.ts'

export type ReplayPreview = {
  readonly counts: readonly (readonly [table: string, rows: number])[]
  readonly errors: readonly string[]
}

/** What a session would read, counted (OPUI-620); `check` runs between pages. Writes nothing. */
export function previewReplay(db: Database, projectDir: string, check: () => void): ReplayPreview {
  return db.transaction((): ReplayPreview => {
    const tree = treeOrError(projectDir, countOf(db, 'attestations') > 0)
    const { counts, errors } = replay(db, check)
    const verdicts = 'error' in tree ? 0 : tree.records.length
    return {
      counts: [['attestations', verdicts], ...replayTables.map((table) => [table, counts[table]] as const)],
      errors: 'error' in tree ? [tree.error, ...errors] : errors
    }
  })()
}

/**
 * What recovery would do, in a transaction that is always rolled back (PERS-603): every table stays as it is, down to the schema, and
 * no pass is resumed. `grid` is null when it cannot be read; then no definition counts as changed. Throws `EngineFailure` or
 * `AttestationFailure`.
 */
export function previewRecovery(options: {
  readonly projectDir: string
  readonly grid: Grid | null
  readonly clock: Clock
  readonly check: () => void
}): RecoveryReport {
  const { projectDir, grid, clock, check } = options
  return guarded(storePath(projectDir), () => {
    const { db, migrate } = openUnmigrated(projectDir)
    try {
      db.exec('BEGIN IMMEDIATE')
      migrate()
      const tree = loadTree(projectDir, countOf(db, 'attestations') > 0)
      const replayed = replay(db, check)
      const { now } = stampsAfter(db, tree.records, clock)
      if (grid !== null) reconcileGrid({ db, grid, replayed, now })
      const tracker = createTracker(() => grid?.insufficientBasisRoundsMax ?? 3)
      tracker.rebuild(inTimeOrder(tree.records))
      const { isCrossed } = tracker
      const report = settle({ db, attestations: tree.records, isCrossed, now, replayErrors: replayed.errors })
      return { ...report, jsonlTruncated: tree.torn }
    } finally {
      if (db.inTransaction) db.exec('ROLLBACK')
      db.close()
    }
  })
}

function treeOrError(projectDir: string, hasRows: boolean): LoadedTree | { readonly error: string } {
  try {
    return loadTree(projectDir, hasRows)
  } catch (error) {
    if (error instanceof AttestationFailure) return { error: `attestations: ${messageOf(error)}` }
    throw error
  }
}
