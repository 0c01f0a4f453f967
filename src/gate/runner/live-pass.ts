import type { EvaluatorRegistry } from '../../protocol/evaluation.ts'
import type { Arrow } from '../../protocol/grid.ts'
import type { ClauseBoard } from './clause.ts'
import type { Hint } from './hint.ts'
import type { LockToken } from './locks.ts'
import type { Invalidation, PassRecord } from './records.ts'

/** One clause of a pass that was put before the operator. It is open until its clause has left the states that wait. */
export type PassRequest = {
  readonly clauseId: string
  readonly ref: string
  readonly hint: Hint
  readonly adversaryRole: string
}

/** A cycle under way inside a pass, which the end of the pass takes away. */
export type RunningCycle = {
  /** Rounds begun until now. */
  roundsUsed(): number
  /** Tells that it was cancelled, and why, unless it has told its outcome already (EVT-205). */
  cancelled(reason: string): void
}

/** An open pass as the kernel holds it. The record is replaced, never changed in place. */
export type LivePass = {
  record: PassRecord
  /** The definition at the version it opened with. */
  readonly arrow: Arrow
  readonly board: ClauseBoard
  /** Evaluators this pass works with, whatever bindings are declared meanwhile (RUN-724). */
  evaluators: EvaluatorRegistry
  /** By clause id. */
  readonly requests: Map<string, PassRequest>
  /** The invalidation in force when it opened, which it ends by becoming the effective pass (RUN-850). */
  readonly ends: Invalidation | null
  readonly token: LockToken
  /** Ends the evaluators of this pass. */
  readonly work: AbortController
  /** null: none runs now. */
  cycle: RunningCycle | null
  /** The dispatch has returned and the pass waits for verdicts (RUN-240). */
  isParked: boolean
  /** Evaluation rows this process appended, in order. */
  readonly runs: string[]
}

/** Whether something of this pass still needs the operator: a verdict, or the answer to an escalation (RUN-242). */
export function openRequests(pass: LivePass, isCrossed: (clauseId: string) => boolean): readonly PassRequest[] {
  return [...pass.requests.values()].filter(({ clauseId }) => {
    const status = pass.board.get(clauseId)?.status
    return status === 'awaiting-attestation' || (status === 'insufficient-basis' && isCrossed(clauseId))
  })
}
