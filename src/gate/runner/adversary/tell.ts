import { defaultLadder } from '../ladder.ts'
import type { LoopOutcome } from '../records.ts'
import { cycleOutcomeOf, type RoundReport } from './report.ts'
import { type CycleWork, openFindings, rankOf } from './work.ts'

// What a cycle tells on the bus and keeps for the log.

/** How a cycle ended: the loop's word, the detail of a hook error, and one line for people. */
export type Ended = { readonly outcome: LoopOutcome; readonly detail: string; readonly reason: string }

/** A fresh adversary is about to attack (RUN-630 step 2). */
export function announceRound(work: CycleWork, round: number, max: number): void {
  const { gates, pass } = work
  const { arrowId, id } = pass.record
  gates.bus.publish({
    kind: 'adversarial-round-start',
    arrow_id: arrowId,
    pass_id: id,
    payload: {
      arrow_id: arrowId,
      pass_id: id,
      round: `${round}`,
      rounds_max: `${max}`,
      open_findings: `${openFindings(work).length}`,
      tier_label: (gates.grid.current()?.depthLadder ?? defaultLadder)[rankOf(work)]
    }
  })
}

/** The producer answered and changed nothing (RUN-640). */
export function announceUnchanged({ gates, pass }: CycleWork, { round }: RoundReport): void {
  const { arrowId, id } = pass.record
  gates.bus.publish({
    kind: 'producer-signal-without-change',
    arrow_id: arrowId,
    pass_id: id,
    payload: { round: `${round}` }
  })
}

/** Tells how the cycle ended, once, and keeps its report (EVT-205, RUN-652). A cycle that began no round has nothing to tell. */
export function conclude(
  { gates, pass, ports }: CycleWork,
  rounds: readonly RoundReport[],
  { outcome, detail, reason }: Ended
): void {
  if (rounds.length === 0) return
  const { arrowId, id } = pass.record
  const subject = { arrow_id: arrowId, pass_id: id }
  try {
    const cycle_outcome = cycleOutcomeOf(outcome)
    ports.keep({ ...subject, outcome, cycle_outcome, detail, rounds_used: rounds.length, rounds })
  } catch (cause) {
    gates.ports.warn('the report of a cycle was not kept', cause)
  }
  const rounds_used = `${rounds.length}`
  if (outcome === 'converged' || outcome === 'converged-with-unevaluated')
    gates.bus.publish({ kind: 'remediation-converged', ...subject, payload: { ...subject, outcome, rounds_used } })
  else
    gates.bus.publish({
      kind: 'remediation-escalated',
      ...subject,
      payload: { ...subject, outcome, rounds_used, reason: detail === '' ? reason : `${detail}: ${reason}` }
    })
}
