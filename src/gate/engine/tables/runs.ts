import { cutLength } from '../../../lib/cap-text.ts'
import { clauseStatuses, type EvaluationResult, type UnevaluatedReason } from '../../../protocol/gate.ts'
import type { DepthRank } from '../../../protocol/grid.ts'
import { type Attestation, type RunRow, stampOf } from '../../runner/index.ts'
import { emptyProblem, firstProblem, insertInto, isObject, type RowWrite, rangeProblem, wordProblem } from './row.ts'

export type EvaluationRow = {
  readonly id: string
  readonly clause_id: string
  readonly pass_id: string
  readonly arrow_id: string
  readonly grid_version: number
  readonly depth_type_attestation_ref: string
  readonly actual_tier: number
  readonly min_depth_tier: number
  readonly evaluator_concept: string
  readonly evaluator_generation: number
  readonly started_at: string
  readonly completed_at: string
  readonly start_status: string
  readonly end_status: string
  readonly result_json: string
  readonly run_error: string
  readonly unevaluated_reason: string
}

/** Longest stored evaluator result, in bytes (PERS-200). */
const maxResultBytes = 64 * 1024

/** One evaluation; a second one of the same id changes nothing (PERS-200). */
export function insertRun(run: RunRow): RowWrite {
  const row = rowOf(run)
  return {
    table: 'evaluation_runs',
    key: run.id,
    problem: firstProblem('evaluation_runs', [
      ['id', emptyProblem(row.id)],
      ['clause_id', emptyProblem(row.clause_id)],
      ['pass_id', emptyProblem(row.pass_id)],
      ['arrow_id', emptyProblem(row.arrow_id)],
      ['actual_tier', rangeProblem(row.actual_tier, 0, 3)],
      ['min_depth_tier', rangeProblem(row.min_depth_tier, 0, 3)],
      ['start_status', wordProblem(row.start_status, clauseStatuses)],
      ['end_status', wordProblem(row.end_status, clauseStatuses)]
    ]),
    apply: (sql) => void sql.run(insertInto('evaluation_runs', row, 'INSERT OR IGNORE'), row)
  }
}

/** A verdict decides the runs of its pass that wait for it; insufficient basis leaves them waiting (PERS-200, RUN-102). */
export function decideRuns(record: Attestation): RowWrite | null {
  if (record.kind !== 'depth-type' || record.verdict === 'insufficient-basis') return null
  const row = {
    ref: record.ref === '' ? record.id : record.ref,
    pass_id: record.passId,
    end_status: record.verdict,
    completed_at: stampOf(record.timestamp)
  }
  return {
    table: 'evaluation_runs',
    key: `${row.pass_id} ${row.ref} verdict`,
    problem: null,
    apply: (sql) =>
      void sql.run(
        `UPDATE evaluation_runs SET end_status = @end_status, completed_at = @completed_at
         WHERE pass_id = @pass_id AND depth_type_attestation_ref = @ref AND end_status = 'running'`,
        row
      )
  }
}

/** A stored run as the kernel knows it. A result that is no JSON counts as none: it explains, it does not decide (RUN-102). */
export function readRun(row: EvaluationRow): RunRow {
  return {
    id: row.id,
    clauseId: row.clause_id,
    passId: row.pass_id,
    arrowId: row.arrow_id,
    gridVersion: row.grid_version,
    attestationRef: row.depth_type_attestation_ref,
    actualTier: row.actual_tier as DepthRank,
    minTier: row.min_depth_tier as DepthRank,
    concept: row.evaluator_concept,
    generation: row.evaluator_generation,
    startedAt: row.started_at,
    completedAt: row.completed_at,
    startStatus: row.start_status as RunRow['startStatus'],
    endStatus: row.end_status as RunRow['endStatus'],
    result: resultOf(row.result_json),
    runError: row.run_error,
    unevaluatedReason: row.unevaluated_reason === '' ? null : (row.unevaluated_reason as UnevaluatedReason)
  }
}

function rowOf(run: RunRow): EvaluationRow {
  return {
    id: run.id,
    clause_id: run.clauseId,
    pass_id: run.passId,
    arrow_id: run.arrowId,
    grid_version: run.gridVersion,
    depth_type_attestation_ref: run.attestationRef,
    actual_tier: run.actualTier,
    min_depth_tier: run.minTier,
    evaluator_concept: run.concept,
    evaluator_generation: run.generation,
    started_at: run.startedAt,
    completed_at: run.completedAt,
    start_status: run.startStatus,
    end_status: run.endStatus,
    result_json: run.result === null ? '' : resultJson(run.result),
    run_error: run.runError,
    unevaluated_reason: run.unevaluatedReason ?? ''
  }
}

/** The result as JSON; details too long are kept as the beginning of their text, and marked. */
function resultJson(result: EvaluationResult): string {
  const whole = JSON.stringify(result)
  if (Buffer.byteLength(whole) <= maxResultBytes) return whole
  const details = JSON.stringify(result.details)
  const cut = (length: number) =>
    JSON.stringify({
      ...result,
      details: { truncated: true, bytes: Buffer.byteLength(details), head: cutLength(details, length) }
    })
  // A character takes at most six bytes in JSON text, so halving ends well above nothing.
  let length = maxResultBytes
  while (Buffer.byteLength(cut(length)) > maxResultBytes) length = Math.floor(length / 2)
  return cut(length)
}

function resultOf(json: string): EvaluationResult | null {
  try {
    const value: unknown = json === '' ? null : JSON.parse(json)
    return isObject(value) ? (value as EvaluationResult) : null
  } catch {
    return null // not ours
  }
}
