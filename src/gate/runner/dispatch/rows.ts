import { letBugsThrough } from '../../../lib/assert.ts'
import { messageOf } from '../../../lib/error.ts'
import type { Clause } from '../../../protocol/grid.ts'
import { storedStatus } from '../clause.ts'
import type { Gates } from '../gates.ts'
import type { LivePass } from '../live-pass.ts'
import type { RunRow } from '../records.ts'
import type { Decided } from './evaluate.ts'

/** Row of one clause as it was decided (PERS-301). `ref` is not empty for a clause that was handed to the operator. */
export function rowOf(gates: Gates, pass: LivePass, clause: Clause, decided: Decided, ref = ''): RunRow {
  const { record, runs } = pass
  const completedAt = decided.status === 'awaiting-attestation' ? '' : gates.stamps.now()
  return {
    id: rowId(completedAt === '' ? gates.stamps.now() : completedAt, record.id, runs.length + 1),
    clauseId: clause.id,
    passId: record.id,
    arrowId: record.arrowId,
    gridVersion: record.gridVersion,
    attestationRef: ref,
    actualTier: record.actualTier ?? 0,
    minTier: clause.minTier,
    concept: clause.concept ?? '',
    generation: decided.generation,
    startedAt: decided.startedAt,
    completedAt,
    startStatus: 'pending',
    endStatus: storedStatus(decided.status),
    result: decided.result,
    runError: decided.runError,
    unevaluatedReason: decided.reason
  }
}

/** `ev-<YYYYMMDD>-<HHMMSS>-<nanos>-<counter>`; the pass makes the counter unique within its process, the time across them. */
function rowId(stamp: string, passId: string, counter: number): string {
  const [date = '', time = ''] = stamp.replace('Z', '').split('T')
  const [clock = '', nanos = ''] = time.split('.')
  return `ev-${date.replaceAll('-', '')}-${clock.replaceAll(':', '')}-${nanos}-${passId.replace('p-', '')}.${counter}`
}

/** Appends a row; false when it could not be written, which aborts the pass (RUN-230). */
export function appendRow(gates: Gates, pass: LivePass, row: RunRow): boolean {
  try {
    gates.journal().appendRun(row)
    pass.runs.push(row.id)
    return true
  } catch (cause) {
    letBugsThrough(cause)
    gates.ports.warn(`evaluation row ${row.id} was not written`, cause)
    gates.passes.abort(pass, `clause-error: clause ${row.clauseId}: ${messageOf(cause)}`)
    return false
  }
}
