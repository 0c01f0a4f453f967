import type { Database } from 'better-sqlite3'
import {
  type AmendmentHits,
  amendmentHits,
  type ClauseOutcome,
  type FindingTransition,
  type PassRecord,
  type RunRow
} from '../runner/index.ts'
import type { Answers } from './answers.ts'
import { outcomesOf } from './history.ts'
import { newestRuns } from './recover.ts'
import { type InvalidationRow, readInvalidation } from './tables/invalidations.ts'
import { type PassRow, readPass } from './tables/passes.ts'
import { type EvaluationRow, readRun } from './tables/runs.ts'

/** What only the tables know: passes that are over, evaluations, and how a finding came to its status. Read when somebody looks. */
export interface EngineReads {
  /** A pass with the outcome of its clauses; null when there is none of that id. */
  pass(id: string): { readonly pass: PassRecord; readonly clauses: readonly ClauseOutcome[] } | null
  /** The last passes that ended, newest first; of one arrow, or of all. */
  endedPasses(limit: number, arrowId?: string): readonly PassRecord[]
  /** The newest evaluation of a clause; null when it was never evaluated. */
  lastRun(arrowId: string, clauseId: string): RunRow | null
  /** Of one arrow (RUN-852). */
  amendmentHits(arrowId: string): AmendmentHits
  /** Oldest first. */
  transitions(findingId: string): readonly FindingTransition[]
}

/** What only the tables know, read when it is asked for (RUN-304). */
export function createReads(db: Database, answers: () => Answers): EngineReads {
  const onePass = db.prepare<[string], PassRow>('SELECT * FROM passes WHERE pass_id = ?')
  const ended = `SELECT * FROM passes WHERE state <> 'open'`
  const order = 'ORDER BY closed_at DESC, rowid DESC LIMIT ?'
  const ofAll = db.prepare<[number], PassRow>(`${ended} ${order}`)
  const ofArrow = db.prepare<[string, number], PassRow>(`${ended} AND arrow_id = ? ${order}`)
  const lastRun = db.prepare<[string, string], EvaluationRow>(
    'SELECT * FROM evaluation_runs WHERE clause_id = ? AND arrow_id = ? ORDER BY rowid DESC LIMIT 1'
  )
  const transitions = db.prepare<[string], TransitionRow>(
    'SELECT * FROM finding_transitions WHERE finding_id = ? ORDER BY seq'
  )
  const voided = db.prepare<[string], InvalidationRow>('SELECT * FROM arrow_invalidation_log WHERE arrow_id = ?')
  return {
    amendmentHits: (arrowId) => amendmentHits(voided.all(arrowId).map(readInvalidation)),
    pass(id) {
      const row = onePass.get(id)
      if (row === undefined) return null
      return { pass: readPass(row), clauses: outcomesOf(newestRuns(db, id), answers()) }
    },
    endedPasses(limit, arrowId) {
      const rows = arrowId === undefined ? ofAll.all(limit) : ofArrow.all(arrowId, limit)
      return rows.map(readPass)
    },
    lastRun(arrowId, clauseId) {
      const row = lastRun.get(clauseId, arrowId)
      return row === undefined ? null : readRun(row)
    },
    transitions: (findingId) =>
      transitions.all(findingId).map((row) => ({
        findingId,
        from: row.from_status,
        to: row.to_status as FindingTransition['to'],
        role: row.role,
        opId: row.op_id,
        reason: row.reason,
        at: row.at,
        storeVersion: row.store_version
      }))
  }
}

type TransitionRow = {
  readonly from_status: string
  readonly to_status: string
  readonly role: string
  readonly op_id: string
  readonly reason: string
  readonly at: string
  readonly store_version: number
}
