import type { EvaluationResult } from '../../../protocol/gate.ts'
import type { Clause } from '../../../protocol/grid.ts'
import { listText } from '../event-kinds.ts'
import type { Gates } from '../gates.ts'
import type { LivePass } from '../live-pass.ts'
import type { CycleInput } from '../ports.ts'
import { type Decided, noteOf } from './evaluate.ts'
import { appendRow, rowOf } from './rows.ts'
import type { Plan } from './types.ts'

/** One pass under way, with everything its steps need. */
export type Work = {
  readonly gates: Gates
  readonly pass: LivePass
  readonly plan: Plan
  /** Ends with the pass and with the dispatch. */
  readonly signal: AbortSignal
  readonly depth: number
}

/**
 * Whether the run is over: its pass is gone, or the dispatch was cancelled, which ends the pass first (RUN-236). Only where a gate file has
 * changed an open pass is left behind (RUN-214).
 */
export function isOver({ gates, pass, signal }: Work): boolean {
  if (pass.record.state === 'open' && signal.aborted) gates.passes.abort(pass, abortReason(signal))
  return pass.record.state !== 'open' || signal.aborted
}

/** Why a cancelled dispatch ends its pass (RUN-236). */
export function abortReason(signal: AbortSignal): 'manual-stop' | 'operator-interrupt' {
  return signal.reason === 'manual-stop' ? 'manual-stop' : 'operator-interrupt'
}

/** What a hook is given (RUN-235). */
export function cycleInput({ pass, plan, signal, depth }: Work): CycleInput {
  return { pass: pass.record, arrow: pass.arrow, model: plan.route.model, signal, depth: depth + 1 }
}

/** Writes the row first and moves the clause after it; a result that comes too late is kept as a row and decides nothing (RUN-112). */
export function decide({ gates, pass }: Work, clause: Clause, decided: Decided): null {
  const row = rowOf(gates, pass, clause, decided)
  const isOpen = pass.record.state === 'open'
  const isKept = appendRow(gates, pass, row)
  if (decided.reason === 'restore-failed') announceUnrestored(gates, pass, clause, decided.result)
  if (!isKept || !isOpen) return null
  const { status, reason } = decided
  pass.board.move(clause.id, status, reason === null ? { note: noteOf(decided) } : { reason, note: noteOf(decided) })
  return null
}

/** What an evaluator took away and did not get back stands still for everybody, not only for this clause (CONC-66). */
function announceUnrestored(gates: Gates, pass: LivePass, clause: Clause, result: EvaluationResult | null): void {
  const names = result?.details['not-restored']
  gates.bus.publish({
    kind: 'restore-failed',
    arrow_id: pass.record.arrowId,
    clause_id: clause.id,
    pass_id: pass.record.id,
    payload: { dependencies: Array.isArray(names) ? listText(names.map(String)) : '' }
  })
}
