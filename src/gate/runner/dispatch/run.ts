import { letBugsThrough } from '../../../lib/assert.ts'
import { messageOf } from '../../../lib/error.ts'
import type { PassRequest } from '../live-pass.ts'
import type { Cycle, CycleReport } from '../ports.ts'
import { fileChanged } from '../refusal.ts'
import { attest } from './attest.ts'
import { evaluateClause, ofResult, undecided } from './evaluate.ts'
import { didAttack, type Planned, planVerification } from './plan.ts'
import { publishRequest } from './requests.ts'
import { resultOf } from './result.ts'
import { settle } from './settle.ts'
import type { DispatchResult } from './types.ts'
import { abortReason, cycleInput, decide, isOver, type Work } from './work.ts'

// One pass, from its opening to its end or to the point where it waits for the operator: cycle, verification, requests. After
// every wait the pass may have been taken away; from then on nothing derives from what still arrives (RUN-112).

/** Runs a pass that has just opened; the result of one that ended or waits for the operator (RUN-201, RUN-240). */
export async function runPass(work: Work): Promise<DispatchResult> {
  const { gates, pass, plan } = work
  announceRouting(work)
  const report = plan.cycle === null ? null : await runCycle(work, plan.cycle)
  // Somebody may have written to a file of the gate while models were at work.
  if (isOver(work) || (plan.cycle !== null && gates.tampered({ pass }) !== null)) return stopped(work)
  if (!(await startVerification(work, report))) return stopped(work)

  const requests: PassRequest[] = []
  const verification = planVerification(pass.arrow, plan.route, report)
  for (const { clause } of verification) pass.board.add(clause.id)
  for (const planned of verification) {
    if (isOver(work)) return stopped(work)
    const request = await verify(work, planned, report)
    if (request !== null) requests.push(request)
  }
  if (isOver(work)) return stopped(work)
  for (const request of requests) if (pass.record.state === 'open') publishRequest(gates, pass, request)
  return finish(work)
}

function announceRouting({ gates, pass, plan }: Work): void {
  const { outcome, minTier, model } = plan.route
  if (outcome === null) return
  gates.bus.publish({
    kind: 'gate-routing',
    arrow_id: pass.record.arrowId,
    pass_id: pass.record.id,
    payload: { required_rank: `${minTier}`, model, outcome }
  })
}

/** Runs the cycle and draws the consequence of its outcome (RUN-650); null when the pass did not survive it. */
async function runCycle(work: Work, cycle: Cycle): Promise<CycleReport | null> {
  const { gates, pass, signal } = work
  let report: CycleReport
  try {
    report = await cycle.run(cycleInput(work))
  } catch (cause) {
    letBugsThrough(cause)
    if (!isOver(work)) gates.passes.abort(pass, `adversarial-phase-error: ${messageOf(cause)}`)
    return null
  }
  if (pass.record.state !== 'open' || gates.tampered({ pass }) !== null) return null
  const { outcome, roundsUsed } = report
  gates.passes.update(pass, { remediationOutcome: outcome, remediationRoundsUsed: roundsUsed })
  if (didAttack(report) || outcome === 'model-unreachable') return report
  gates.passes.abort(pass, outcome === 'context-cancelled' ? abortReason(signal) : `aborted-remediation:${outcome}`)
  return null
}

/** Notes what is about to be verified (RUN-247); false when that cannot be said, and the pass is over. */
async function startVerification(work: Work, report: CycleReport | null): Promise<boolean> {
  const { gates, pass, signal } = work
  try {
    if (pass.record.role === 'integrator') await gates.ports.amendments?.beforeVerification(pass.record)
    if (isOver(work)) return false
    const { digest } = await gates.ports.artifacts.take(pass.arrow, signal)
    if (isOver(work)) return false
    gates.passes.update(pass, { artifactDigest: digest })
    pass.evaluators = gates.grid.registry()
    return true
  } catch (cause) {
    letBugsThrough(cause)
    const phase = report === null ? 'artifact' : 'artifact after the cycle'
    if (!isOver(work)) gates.passes.abort(pass, `clause-error: ${phase}: ${messageOf(cause)}`)
    return false
  }
}

/** Decides one clause, or returns the request that will (RUN-230). */
async function verify(work: Work, planned: Planned, report: CycleReport | null): Promise<PassRequest | null> {
  const { gates } = work
  const { clause } = planned
  switch (planned.how) {
    case 'deferred':
      return decide(work, clause, undecided('args-unbound', gates.stamps.now()))
    case 'below-depth':
      return decide(work, clause, undecided('depth-below-required', gates.stamps.now()))
    case 'falsified':
      return decideFalsified(work, planned)
    case 'evaluate': {
      work.pass.board.move(clause.id, 'running')
      const decided = await evaluateClause(gates, work.pass, clause, work.signal)
      return decide(work, clause, decided)
    }
    case 'attest':
      return attest(work, clause, planned.note, report)
  }
}

/** The last round's result is the clause's result for this pass; without one it was not evaluated (RUN-231). */
function decideFalsified(work: Work, { clause, result }: Extract<Planned, { how: 'falsified' }>): null {
  const now = work.gates.stamps.now()
  work.pass.board.move(clause.id, 'running')
  if (result !== null) return decide(work, clause, ofResult(result, 0, now))
  return decide(work, clause, { ...undecided('evaluator-error', now), runError: 'the cycle left no result' })
}

/** Parks the pass when somebody has to answer, else closes it. */
async function finish(work: Work): Promise<DispatchResult> {
  const { gates, pass, signal } = work
  if (isOver(work)) return stopped(work)
  if (gates.openRequests(pass).length === 0) {
    await settle(gates, pass, signal)
    return stopped(work)
  }
  pass.isParked = true
  return resultOf(gates, pass)
}

/** The result of a pass that has ended, or that stays as it is because a gate file has changed (RUN-214). */
function stopped({ gates, pass }: Work): DispatchResult {
  if (pass.record.state !== 'open') return resultOf(gates, pass)
  pass.isParked = true
  const tampered = gates.tampered({ pass })
  return resultOf(gates, pass, tampered === null ? null : fileChanged(tampered).text)
}
