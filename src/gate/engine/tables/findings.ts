import { type Finding, type FindingTransition, findingStatuses, severities, severityRank } from '../../runner/index.ts'
import {
  emptyProblem,
  firstProblem,
  insertInto,
  parseArray,
  type RowWrite,
  rangeProblem,
  sound,
  wordProblem
} from './row.ts'
import { cutText } from './text.ts'

export type FindingRow = {
  readonly id: string
  readonly arrow_id: string
  readonly type: string
  readonly severity: number
  readonly status: string
  readonly description: string
  readonly raised_at: string
  readonly raised_by_role: string
  readonly transition_count: number
  readonly grid_version: number
  readonly store_version: number
  readonly updated_at: string
  readonly basis: string
  readonly evidence: string
  readonly locations_json: string
  readonly target_clause: string | null
  readonly target_requirement: string | null
}

/** The finding as it is now; an older state never replaces a newer one (PERS-302). */
export function putFinding(finding: Finding): RowWrite {
  const row = rowOf(finding)
  return {
    table: 'findings',
    key: finding.id,
    problem: firstProblem('findings', [
      ['id', emptyProblem(row.id)],
      ['arrow_id', emptyProblem(row.arrow_id)],
      ['type', typeProblem(row.type)],
      ['severity', rangeProblem(row.severity, 0, 4)],
      ['status', wordProblem(row.status, findingStatuses)]
    ]),
    apply: (sql) => void sql.run(upsert(row), row)
  }
}

function upsert(row: FindingRow): string {
  return `${insertInto('findings', row)}
    ON CONFLICT (id) DO UPDATE SET
      severity = excluded.severity, status = excluded.status, description = excluded.description,
      transition_count = excluded.transition_count, store_version = excluded.store_version,
      updated_at = excluded.updated_at, basis = excluded.basis, evidence = excluded.evidence,
      locations_json = excluded.locations_json, target_clause = excluded.target_clause,
      target_requirement = excluded.target_requirement
    WHERE excluded.store_version >= findings.store_version`
}

/** One line of what became of a finding (RUN-510). */
export function insertTransition(transition: FindingTransition): RowWrite {
  const row = {
    finding_id: transition.findingId,
    from_status: transition.from,
    to_status: transition.to,
    role: transition.role,
    reason: transition.reason,
    op_id: transition.opId,
    store_version: transition.storeVersion,
    at: transition.at
  }
  return {
    table: 'finding_transitions',
    key: `${row.finding_id} ${row.store_version}`,
    problem: firstProblem('finding_transitions', [
      ['finding_id', emptyProblem(row.finding_id)],
      ['to_status', wordProblem(row.to_status, findingStatuses)]
    ]),
    apply: (sql) => void sql.run(insertInto('finding_transitions', row), row)
  }
}

/** Throws `BadRow` (PERS-413). */
export function readFinding(row: FindingRow): Finding {
  const severity = severities[row.severity]
  if (severity === undefined) return sound('severity', null as never, rangeProblem(row.severity, 0, 4))
  return {
    id: sound('id', row.id, emptyProblem(row.id)),
    arrowId: sound('arrow_id', row.arrow_id, emptyProblem(row.arrow_id)),
    type: sound('type', row.type, typeProblem(row.type)),
    severity,
    status: sound('status', row.status, wordProblem(row.status, findingStatuses)),
    description: row.description,
    basis: row.basis,
    evidence: row.evidence,
    locations: parseArray('locations_json', row.locations_json).map(String),
    targetClause: row.target_clause,
    targetRequirement: row.target_requirement,
    raisedAt: row.raised_at,
    raisedByRole: row.raised_by_role,
    transitionCount: row.transition_count,
    gridVersion: row.grid_version,
    storeVersion: row.store_version,
    updatedAt: row.updated_at
  }
}

function rowOf(finding: Finding): FindingRow {
  return {
    id: finding.id,
    arrow_id: finding.arrowId,
    type: finding.type,
    severity: severityRank(finding.severity),
    status: finding.status,
    description: finding.description,
    raised_at: finding.raisedAt,
    raised_by_role: finding.raisedByRole,
    transition_count: finding.transitionCount,
    grid_version: finding.gridVersion,
    store_version: finding.storeVersion,
    updated_at: finding.updatedAt,
    basis: finding.basis,
    evidence: finding.evidence,
    locations_json: JSON.stringify(finding.locations),
    target_clause: finding.targetClause,
    target_requirement: finding.targetRequirement
  }
}

/** RUN-500 */
function typeProblem(type: string): string | null {
  return /^[a-z][a-z0-9-]*$/.test(type) ? null : `"${cutText(type)}" is not of the form ^[a-z][a-z0-9-]*$`
}
