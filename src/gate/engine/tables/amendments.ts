import { emptyProblem, firstProblem, insertInto, jsonProblem, parseArray, type RowWrite, sound } from './row.ts'

/** A request to change the grid (RUN-700). */
export type AmendmentRecord = {
  readonly id: string
  readonly reason: string
  readonly sourceArrow: string
  readonly targetRole: string
  readonly contexts: readonly string[]
  readonly findingIds: readonly string[]
  readonly description: string
  readonly createdAt: string
  /** null: pending. */
  readonly drainedAt: string | null
  readonly gridVersionAfter: number | null
}

export type AmendmentRow = {
  readonly id: string
  readonly reason: string
  readonly source_arrow: string
  readonly target_role: string
  readonly contexts_json: string
  readonly finding_ids_json: string
  readonly description: string
  readonly created_at: string
  readonly drained_at: string | null
  readonly grid_version_after: number | null
}

/** The amendment as it is now; one that was drained stays so (PERS-301). */
export function putAmendment(amendment: AmendmentRecord): RowWrite {
  const row: AmendmentRow = {
    id: amendment.id,
    reason: amendment.reason,
    source_arrow: amendment.sourceArrow,
    target_role: amendment.targetRole,
    contexts_json: JSON.stringify(amendment.contexts),
    finding_ids_json: JSON.stringify(amendment.findingIds),
    description: amendment.description,
    created_at: amendment.createdAt,
    drained_at: amendment.drainedAt,
    grid_version_after: amendment.gridVersionAfter
  }
  return {
    table: 'amendments',
    key: row.id,
    problem: firstProblem('amendments', [
      ['id', emptyProblem(row.id)],
      ['source_arrow', emptyProblem(row.source_arrow)],
      ['target_role', emptyProblem(row.target_role)],
      ['contexts_json', jsonProblem(row.contexts_json, 'array')],
      ['finding_ids_json', jsonProblem(row.finding_ids_json, 'array')]
    ]),
    apply: (sql) =>
      void sql.run(
        `${insertInto('amendments', row)} ON CONFLICT (id) DO UPDATE SET
           drained_at = excluded.drained_at, grid_version_after = excluded.grid_version_after
         WHERE amendments.drained_at IS NULL`,
        row
      )
  }
}

/** Throws `BadRow` (PERS-413). */
export function readAmendment(row: AmendmentRow): AmendmentRecord {
  return {
    id: sound('id', row.id, emptyProblem(row.id)),
    reason: row.reason,
    sourceArrow: row.source_arrow,
    targetRole: row.target_role,
    contexts: parseArray('contexts_json', row.contexts_json).map(String),
    findingIds: parseArray('finding_ids_json', row.finding_ids_json).map(String),
    description: row.description,
    createdAt: row.created_at,
    drainedAt: row.drained_at,
    gridVersionAfter: row.grid_version_after
  }
}
