import type { DepthRank } from '../../../protocol/grid.ts'
import type { Classification, DeclaredRequirement } from '../../runner/index.ts'
import { emptyProblem, firstProblem, insertInto, type RowWrite, rangeProblem, sound } from './row.ts'

export type RequirementRow = {
  readonly arrow_id: string
  readonly req_id: string
  readonly min_depth: number
  readonly description: string
  readonly store_version: number
  readonly declared_at: string
}

export type ClassificationRow = {
  readonly arrow_id: string
  readonly req_id: string
  readonly observed: number
  readonly evidence: string
  readonly overwrite_count: number
  readonly store_version: number
  readonly classified_at: string
  readonly unevaluated: number
}

/** The requirement as it is declared now (PERS-301). */
export function putRequirement(requirement: DeclaredRequirement): RowWrite {
  const row: RequirementRow = {
    arrow_id: requirement.arrowId,
    req_id: requirement.id,
    min_depth: requirement.minDepth,
    description: requirement.description,
    store_version: requirement.storeVersion,
    declared_at: requirement.declaredAt
  }
  return {
    table: 'requirements',
    key: `${row.arrow_id} ${row.req_id}`,
    problem: firstProblem('requirements', [
      ['arrow_id', emptyProblem(row.arrow_id)],
      ['req_id', emptyProblem(row.req_id)],
      ['min_depth', rangeProblem(row.min_depth, 1, 3)]
    ]),
    apply: (sql) =>
      void sql.run(upsert('requirements', row, ['min_depth', 'description', 'store_version', 'declared_at']), row)
  }
}

/** The observation as it is now, and a line for what it overwrote (PERS-301). */
export function putClassification(classification: Classification): RowWrite {
  const row: ClassificationRow = {
    arrow_id: classification.arrowId,
    req_id: classification.requirementId,
    observed: classification.observed,
    evidence: classification.evidence,
    overwrite_count: classification.overwriteCount,
    store_version: classification.storeVersion,
    classified_at: classification.classifiedAt,
    unevaluated: classification.unevaluated ? 1 : 0
  }
  const changing = ['observed', 'evidence', 'overwrite_count', 'store_version', 'classified_at', 'unevaluated']
  return {
    table: 'classifications',
    key: `${row.arrow_id} ${row.req_id}`,
    problem: firstProblem('classifications', [
      ['arrow_id', emptyProblem(row.arrow_id)],
      ['req_id', emptyProblem(row.req_id)],
      ['observed', rangeProblem(row.observed, 0, 3)]
    ]),
    apply: (sql) => void sql.run(upsert('classifications', row, changing), row)
  }
}

/** A requirement nobody asks for any more, with what was observed of it; the log of overwrites stays. */
export function dropRequirement(arrowId: string, requirementId: string): readonly RowWrite[] {
  const row = { arrow_id: arrowId, req_id: requirementId }
  return ['classifications', 'requirements'].map((table) => ({
    table,
    key: `${arrowId} ${requirementId}`,
    problem: null,
    apply: (sql) => void sql.run(`DELETE FROM ${table} WHERE arrow_id = @arrow_id AND req_id = @req_id`, row)
  }))
}

/** What a second observation replaced (RUN-661). */
export function insertOverwrite(now: Classification, before: DepthRank): RowWrite {
  const row = {
    arrow_id: now.arrowId,
    req_id: now.requirementId,
    before_observed: before,
    after_observed: now.observed,
    store_version: now.storeVersion,
    at: now.classifiedAt
  }
  return {
    table: 'classification_overwrites',
    key: `${row.arrow_id} ${row.req_id} ${row.store_version}`,
    problem: null,
    apply: (sql) => void sql.run(insertInto('classification_overwrites', row), row)
  }
}

/** Throws `BadRow` (PERS-413). */
export function readRequirement(row: RequirementRow): DeclaredRequirement {
  return {
    arrowId: sound('arrow_id', row.arrow_id, emptyProblem(row.arrow_id)),
    id: sound('req_id', row.req_id, emptyProblem(row.req_id)),
    minDepth: sound('min_depth', row.min_depth as 1 | 2 | 3, rangeProblem(row.min_depth, 1, 3)),
    description: row.description,
    declaredAt: row.declared_at,
    storeVersion: row.store_version
  }
}

/** Throws `BadRow` (PERS-413). */
export function readClassification(row: ClassificationRow): Classification {
  return {
    arrowId: row.arrow_id,
    requirementId: row.req_id,
    observed: sound('observed', row.observed as DepthRank, rangeProblem(row.observed, 0, 3)),
    unevaluated: row.unevaluated !== 0,
    evidence: row.evidence,
    overwriteCount: row.overwrite_count,
    classifiedAt: row.classified_at,
    storeVersion: row.store_version
  }
}

function upsert(table: string, row: RequirementRow | ClassificationRow, changing: readonly string[]): string {
  return `${insertInto(table, row)} ON CONFLICT (arrow_id, req_id) DO UPDATE SET
    ${changing.map((column) => `${column} = excluded.${column}`).join(', ')}
    WHERE excluded.store_version >= ${table}.store_version`
}
