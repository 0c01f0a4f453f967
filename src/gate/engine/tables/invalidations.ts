import { type Invalidation, type InvalidationCause, invalidationCauses } from '../../runner/index.ts'
import { emptyProblem, firstProblem, insertInto, type RowWrite, sound, wordProblem } from './row.ts'

export type InvalidationRow = {
  readonly arrow_id: string
  readonly op_id: string
  readonly reason: string
  readonly invalidated_at: string
  readonly grid_version: number
  readonly source: string
  readonly consumed_by_pass: string | null
  /** Causes, comma-separated; empty also where an older program wrote the row. */
  readonly because: string
}

const sources = ['operator', 'amendment'] as const

/** The row that is in force, and its line in the log of all there ever were (PERS-220). */
export function putInvalidation(invalidation: Invalidation): readonly RowWrite[] {
  const row = rowOf(invalidation)
  const key = `${row.arrow_id} ${row.invalidated_at}`
  const problem = firstProblem('arrow_invalidations', [
    ['arrow_id', emptyProblem(row.arrow_id)],
    ['source', wordProblem(row.source, sources)]
  ])
  return [
    {
      table: 'arrow_invalidations',
      key: row.arrow_id,
      problem,
      apply: (sql) => void sql.run(insertInto('arrow_invalidations', row, 'INSERT OR REPLACE'), row)
    },
    {
      table: 'arrow_invalidation_log',
      key,
      problem,
      apply: (sql) => void sql.run(insertInto('arrow_invalidation_log', row), row)
    }
  ]
}

/** The pass that ended this very invalidation; a later one on the arrow is left alone (PERS-220). */
export function consumeInvalidation({ arrowId, at }: Invalidation, passId: string): RowWrite {
  const row = { arrow_id: arrowId, invalidated_at: at, consumed_by_pass: passId }
  return {
    table: 'arrow_invalidations',
    key: `${arrowId} ${at} consumed`,
    problem: null,
    apply: (sql) =>
      void sql.run(
        `UPDATE arrow_invalidations SET consumed_by_pass = @consumed_by_pass
         WHERE arrow_id = @arrow_id AND invalidated_at = @invalidated_at AND consumed_by_pass IS NULL`,
        row
      )
  }
}

/** Throws `BadRow`. */
export function readInvalidation(row: InvalidationRow): Invalidation {
  return {
    arrowId: sound('arrow_id', row.arrow_id, emptyProblem(row.arrow_id)),
    opId: row.op_id,
    reason: row.reason,
    at: row.invalidated_at,
    gridVersion: row.grid_version,
    source: sound('source', row.source as Invalidation['source'], wordProblem(row.source, sources)),
    because: causesIn(row.because),
    consumedByPass: row.consumed_by_pass
  }
}

function rowOf(invalidation: Invalidation): InvalidationRow {
  return {
    arrow_id: invalidation.arrowId,
    op_id: invalidation.opId,
    reason: invalidation.reason,
    invalidated_at: invalidation.at,
    grid_version: invalidation.gridVersion,
    source: invalidation.source,
    consumed_by_pass: invalidation.consumedByPass,
    because: (invalidation.because ?? []).join(',')
  }
}

/** Words of a newer program are left out. */
function causesIn(text: string): readonly InvalidationCause[] {
  const words = text.split(',')
  return invalidationCauses.filter((cause) => words.includes(cause))
}
