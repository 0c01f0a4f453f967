import { messageOf } from '../../../lib/error.ts'
import { safeLine } from '../../../lib/safe-text.ts'
import type { ClauseStatus, EvaluationResult, UnevaluatedReason } from '../../../protocol/gate.ts'
import type { Clause } from '../../../protocol/grid.ts'
import type { Gates } from '../gates.ts'
import type { LivePass } from '../live-pass.ts'
import { queriesOf } from '../queries.ts'
import type { Stamp } from '../records.ts'

/** How one clause of a pass was decided, before anything is written. */
export type Decided = {
  readonly status: ClauseStatus
  readonly reason: UnevaluatedReason | null
  readonly result: EvaluationResult | null
  /** Trouble of the plumbing, kept apart from a clause that failed (GATE-41). */
  readonly runError: string
  /** Registry generation of the evaluator; 0: none ran. */
  readonly generation: number
  readonly startedAt: Stamp
}

/** Runs the evaluator of a clause. Whatever it does, there is an answer: a broken one leaves the clause unevaluated (GATE-41). */
export async function evaluateClause(
  gates: Gates,
  pass: LivePass,
  clause: Clause,
  signal: AbortSignal
): Promise<Decided> {
  const startedAt = gates.stamps.now()
  const { evaluators: registry } = pass
  const concept = clause.concept ?? ''
  const found = registry.lookUp(registry.keyOf(concept, clause.args))
  if (found === null) {
    const runError = `evaluator-unknown: ${registry.keyOf(concept, clause.args)}`
    return broken(runError, 0, startedAt)
  }
  try {
    const result: EvaluationResult | undefined = await found.evaluate({
      projectDir: gates.ports.projectDir,
      clauseId: clause.id,
      passId: pass.record.id,
      arrowId: pass.record.arrowId,
      concept,
      args: gates.ports.argsOf(concept, clause.args),
      signal,
      state: queriesOf(gates)
    })
    if (result === undefined || result === null)
      return broken('the evaluator returned nothing', found.generation, startedAt)
    return ofResult(result, found.generation, startedAt)
  } catch (cause) {
    return broken(messageOf(cause), found.generation, startedAt)
  }
}

/** A result as a decision; one that is unevaluated without a reason, or of an unknown status, is the evaluator's error (RUN-230). */
export function ofResult(result: EvaluationResult, generation: number, startedAt: Stamp): Decided {
  const { status, reason } = result
  if (status === 'pass' || status === 'fail')
    return { status, reason: null, result, runError: '', generation, startedAt }
  if (status === 'unevaluated')
    return { status, reason: reason ?? 'evaluator-error', result, runError: '', generation, startedAt }
  return broken(`the evaluator answered "${String(status)}"`, generation, startedAt)
}

/** A clause nobody decides, and why (RUN-230). */
export function undecided(reason: UnevaluatedReason, startedAt: Stamp): Decided {
  return { status: 'unevaluated', reason, result: null, runError: '', generation: 0, startedAt }
}

function broken(runError: string, generation: number, startedAt: Stamp): Decided {
  return { status: 'unevaluated', reason: 'evaluator-error', result: null, runError, generation, startedAt }
}

/** One line that says why, for lists (OPUI-323), or that a pass looked at nothing (CONC-35); empty when nothing was said. */
export function noteOf({ status, reason, result, runError }: Decided): string {
  if (runError !== '') return safeLine(runError)
  if (status === 'pass') return result?.details.vacuous === true ? 'vacuous' : ''
  const error = result?.details.error
  if (typeof error === 'string' && error !== '') return safeLine(error)
  return reason ?? ''
}

/** What an evaluator found out as text beside a question it does not decide (RUN-230). */
export function evidenceText({ status, reason, result, runError }: Decided): string {
  const lines = [reason === null ? status : `${status} (${reason})`]
  if (runError !== '') lines.push(runError)
  for (const [name, value] of Object.entries(result?.details ?? {}))
    lines.push(`${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
  return lines.join('\n')
}
