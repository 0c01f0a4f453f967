import type { ArrowStatus } from '../../../protocol/gate.ts'
import type { DepthRank, RoleId } from '../../../protocol/grid.ts'
import type { LoopOutcome, PassRecord } from '../../runner/index.ts'
import {
  emptyProblem,
  firstProblem,
  insertInto,
  jsonProblem,
  type RowWrite,
  rangeProblem,
  sound,
  wordProblem
} from './row.ts'

export type PassRow = {
  readonly pass_id: string
  readonly role: string
  readonly context: string
  readonly arrow_id: string
  readonly grid_version: number
  readonly state: string
  readonly opened_at: string
  readonly closed_at: string
  readonly close_reason: string
  readonly recovered_at: string
  readonly remediation_outcome: string | null
  readonly remediation_rounds_used: number | null
  readonly actual_tier: number | null
  readonly arrow_status: string | null
  readonly opened_by_op_id: string
  readonly artifact_digest: string
  readonly dependency_digests_json: string
}

const states = ['open', 'closed', 'aborted'] as const

/** The row of a pass about to open; a pass of that id must not be there (RUN-234). */
export function insertPass(pass: PassRecord): RowWrite {
  const row = rowOf(pass)
  return {
    table: 'passes',
    key: pass.id,
    problem: problemOf(row),
    apply: (sql) => void sql.run(insertInto('passes', row), row)
  }
}

/** What changes in the life of a pass. An ended one stays ended, and `recovered_at` is set once (PERS-532). */
export function updatePass(pass: PassRecord): RowWrite {
  const row = rowOf(pass)
  return { table: 'passes', key: pass.id, problem: problemOf(row), apply: (sql) => void sql.run(upsert(row), row) }
}

function upsert(row: PassRow): string {
  return `${insertInto('passes', row)}
    ON CONFLICT (pass_id) DO UPDATE SET
      state = excluded.state, closed_at = excluded.closed_at, close_reason = excluded.close_reason,
      recovered_at = CASE WHEN passes.recovered_at = '' THEN excluded.recovered_at ELSE passes.recovered_at END,
      remediation_outcome = excluded.remediation_outcome, remediation_rounds_used = excluded.remediation_rounds_used,
      actual_tier = excluded.actual_tier, arrow_status = excluded.arrow_status,
      artifact_digest = excluded.artifact_digest, dependency_digests_json = excluded.dependency_digests_json
    WHERE passes.state = 'open' OR excluded.state <> 'open'`
}

/** Throws `BadRow` (PERS-413). */
export function readPass(row: PassRow): PassRecord {
  return {
    id: sound('pass_id', row.pass_id, emptyProblem(row.pass_id)),
    role: row.role as RoleId,
    context: row.context,
    arrowId: sound('arrow_id', row.arrow_id, emptyProblem(row.arrow_id)),
    gridVersion: row.grid_version,
    state: sound('state', row.state as PassRecord['state'], wordProblem(row.state, states)),
    openedAt: row.opened_at,
    closedAt: row.closed_at,
    closeReason: row.close_reason,
    recoveredAt: row.recovered_at,
    actualTier: row.actual_tier as DepthRank | null,
    arrowStatus: row.arrow_status as ArrowStatus | null,
    openedByOpId: row.opened_by_op_id,
    remediationOutcome: row.remediation_outcome as LoopOutcome | null,
    remediationRoundsUsed: row.remediation_rounds_used,
    artifactDigest: row.artifact_digest,
    dependencyDigests: digestsOf(row.dependency_digests_json)
  }
}

function rowOf(pass: PassRecord): PassRow {
  return {
    pass_id: pass.id,
    role: pass.role,
    context: pass.context,
    arrow_id: pass.arrowId,
    grid_version: pass.gridVersion,
    state: pass.state,
    opened_at: pass.openedAt,
    closed_at: pass.closedAt,
    close_reason: pass.closeReason,
    recovered_at: pass.recoveredAt,
    remediation_outcome: pass.remediationOutcome,
    remediation_rounds_used: pass.remediationRoundsUsed,
    actual_tier: pass.actualTier,
    arrow_status: pass.arrowStatus,
    opened_by_op_id: pass.openedByOpId,
    artifact_digest: pass.artifactDigest,
    dependency_digests_json: pass.dependencyDigests === null ? '' : JSON.stringify(pass.dependencyDigests)
  }
}

function problemOf(row: PassRow): string | null {
  return firstProblem('passes', [
    ['pass_id', emptyProblem(row.pass_id)],
    ['role', emptyProblem(row.role)],
    ['context', emptyProblem(row.context)],
    ['arrow_id', emptyProblem(row.arrow_id)],
    ['state', wordProblem(row.state, states)],
    ['actual_tier', row.actual_tier === null ? null : rangeProblem(row.actual_tier, 0, 3)]
  ])
}

function digestsOf(json: string): PassRecord['dependencyDigests'] {
  if (json === '') return null
  sound('dependency_digests_json', json, jsonProblem(json, 'object'))
  return JSON.parse(json) as Record<string, string>
}
