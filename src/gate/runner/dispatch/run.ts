import { messageOf } from '../../../lib/error.ts'
import type { Clause } from '../../../protocol/grid.ts'
import { attestationRef } from '../arrow-id.ts'
import { defaultSeverity } from '../finding.ts'
import type { Gates } from '../gates.ts'
import type { LivePass, PassRequest } from '../live-pass.ts'
import type { Cycle, CycleInput, CycleReport } from '../ports.ts'
import { type Decided, evaluateClause, evidenceText, noteOf, ofResult, undecided } from './evaluate.ts'
import { didAttack, type Planned, planVerification } from './plan.ts'
import { hintOf, producerHint, publishRequest, resolveClause } from './requests.ts'
import { resultOf } from './result.ts'
import { appendRow, rowOf } from './rows.ts'
import { settle } from './settle.ts'
import type { DispatchResult, Plan } from './types.ts'

// One pass, from its opening to its end or to the point where it waits for the operator (RUN-3.4): cycle, verification, requests. After
// every wait the pass may have been taken away; from then on nothing derives from what still arrives (RUN-112).

export type Work = {
  readonly gates: Gates
  readonly pass: LivePass
  readonly plan: Plan
  /** Ends with the pass and with the dispatch. */
  readonly signal: AbortSignal
  readonly depth: number
}

export async function runPass(work: Work): Promise<DispatchResult> {
  const { gates, pass, plan } = work
  announceRouting(work)
  const report = plan.cycle === null ? null : await runCycle(work, plan.cycle)
  if (isOver(work)) return resultOf(gates, pass)
  const tampered = plan.cycle === null ? null : gates.tampered()
  if (tampered !== null) {
    // Somebody wrote to a file of the gate while models were at work: the pass stays as it is (RUN-214).
    pass.isParked = true
    return resultOf(gates, pass, `gate-file-changed: ${tampered.path}`)
  }
  if (!(await startVerification(work, report))) return resultOf(gates, pass)

  const requests: PassRequest[] = []
  const verification = planVerification(pass.arrow, plan.route, report)
  for (const { clause } of verification) pass.board.add(clause.id)
  for (const planned of verification) {
    if (isOver(work)) return resultOf(gates, pass)
    const request = await verify(work, planned, report)
    if (request !== null) requests.push(request)
  }
  if (isOver(work)) return resultOf(gates, pass)
  for (const request of requests) if (pass.record.state === 'open') publishRequest(gates, pass, request)
  return finish(work)
}

/** Whether the pass is gone, ending it first when the dispatch was cancelled (RUN-236). */
function isOver({ gates, pass, signal }: Work): boolean {
  if (pass.record.state === 'open' && signal.aborted) gates.passes.abort(pass, abortReason(signal))
  return pass.record.state !== 'open'
}

/** Why a cancelled dispatch ends its pass. */
export function abortReason(signal: AbortSignal): 'manual-stop' | 'operator-interrupt' {
  return signal.reason === 'manual-stop' ? 'manual-stop' : 'operator-interrupt'
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
    if (!isOver(work)) gates.passes.abort(pass, `adversarial-phase-error: ${messageOf(cause)}`)
    return null
  }
  if (pass.record.state !== 'open' || gates.tampered() !== null) return null
  const { outcome, roundsUsed } = report
  gates.passes.update(pass, { remediationOutcome: outcome, remediationRoundsUsed: roundsUsed })
  if (didAttack(report) || outcome === 'model-unreachable') return report
  gates.passes.abort(pass, outcome === 'context-cancelled' ? abortReason(signal) : `aborted-remediation:${outcome}`)
  return null
}

function cycleInput({ pass, plan, signal, depth }: Work): CycleInput {
  return { pass: pass.record, arrow: pass.arrow, model: plan.route.model, signal, depth: depth + 1 }
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
    return true
  } catch (cause) {
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

/** Writes the row first and moves the clause after it; a result that comes too late is kept as a row and decides nothing (RUN-112). */
function decide({ gates, pass }: Work, clause: Clause, decided: Decided): null {
  const row = rowOf(gates, pass, clause, decided)
  const isOpen = pass.record.state === 'open'
  if (!appendRow(gates, pass, row) || !isOpen) return null
  const { status, reason } = decided
  pass.board.move(clause.id, status, reason === null ? { note: noteOf(decided) } : { reason, note: noteOf(decided) })
  return null
}

/** The last round's result is the clause's result for this pass; without one it was not evaluated (RUN-231). */
function decideFalsified(work: Work, { clause, result }: Extract<Planned, { how: 'falsified' }>): null {
  const now = work.gates.stamps.now()
  work.pass.board.move(clause.id, 'running')
  if (result !== null) return decide(work, clause, ofResult(result, 0, now))
  return decide(work, clause, { ...undecided('evaluator-error', now), runError: 'the cycle left no result' })
}

/** A clause for the operator: settled by an earlier verdict that still holds, or prepared as a request (RUN-232). */
async function attest(
  work: Work,
  clause: Clause,
  note: string | null,
  report: CycleReport | null
): Promise<PassRequest | null> {
  const { gates, pass } = work
  const ref = attestationRef(pass.record.arrowId, clause.id, pass.record.gridVersion)
  const startedAt = gates.stamps.now()
  const resolved = resolveClause(gates, pass, clause.id)
  if (resolved.kind === 'pass') {
    const decided: Decided = { ...undecided('args-unbound', startedAt), status: 'pass', reason: null }
    if (!appendRow(gates, pass, rowOf(gates, pass, clause, decided, ref))) return null
    pass.board.move(clause.id, 'awaiting-attestation')
    pass.board.move(clause.id, 'pass', { note: `attested: ${resolved.record.id}` })
    return null
  }
  const evidence = await evidenceFor(work, clause, note)
  if (isOver(work)) return null
  const producer = await hintFor(work, clause, report)
  if (isOver(work)) return null
  if (producer === 'failed') return null
  const decided: Decided = {
    ...undecided('args-unbound', startedAt),
    status: 'awaiting-attestation',
    reason: null,
    result: evidence?.result ?? null,
    generation: evidence?.generation ?? 0
  }
  if (!appendRow(gates, pass, rowOf(gates, pass, clause, decided, ref))) return null
  const parts = {
    note,
    previous: resolved.previous,
    evidence: evidence === null ? null : evidenceText(evidence),
    producer
  }
  const adversaryRole = didAttack(report) ? 'adversary' : ''
  return { clauseId: clause.id, ref, hint: hintOf(pass, clause, parts), adversaryRole }
}

/** Result of the concept's evaluator as evidence; a clause above the model's depth runs none (GATE-22). */
async function evidenceFor(
  { gates, pass, signal }: Work,
  clause: Clause,
  note: string | null
): Promise<Decided | null> {
  const registry = gates.grid.registry()
  if (note !== null || clause.concept === null) return null
  if (registry.lookUp(registry.keyOf(clause.concept, clause.args)) === null) return null
  return evaluateClause(gates, pass, clause, signal)
}

/** The producer's hint where a cycle ran; `failed` when it left the clause unevaluated (GATE-31, GATE-39). */
async function hintFor(work: Work, clause: Clause, report: CycleReport | null) {
  const { gates, pass, plan } = work
  const ask = plan.cycle?.hint
  if (ask === undefined || !didAttack(report)) return null
  let hint: Awaited<ReturnType<typeof producerHint>>
  try {
    hint = await producerHint(ask, cycleInput(work), clause.id)
  } catch (cause) {
    gates.ports.warn(`hint for ${clause.id} failed`, cause)
    hint = { kind: 'no-response' }
  }
  if (hint.kind === 'hint' || pass.record.state !== 'open') return hint
  const reason = hint.kind === 'no-rule' ? 'no-rule-selectable-locations' : 'producer-no-response'
  decide(work, clause, undecided(reason, gates.stamps.now()))
  if (hint.kind === 'no-rule') raiseUnableToHint(work, clause)
  return 'failed'
}

function raiseUnableToHint({ gates, pass }: Work, clause: Clause): void {
  gates.findings.raise([
    {
      arrowId: pass.record.arrowId,
      type: 'unable-to-hint',
      severity: defaultSeverity('unable-to-hint'),
      description: `no rule selects where to look for ${clause.id}`,
      targetClause: clause.id,
      raisedByRole: pass.record.role,
      gridVersion: pass.record.gridVersion
    }
  ])
}

/** Parks the pass when somebody has to answer, else closes it. */
async function finish(work: Work): Promise<DispatchResult> {
  const { gates, pass, signal } = work
  if (isOver(work)) return resultOf(gates, pass)
  if (gates.openRequests(pass).length > 0) {
    pass.isParked = true
    return resultOf(gates, pass)
  }
  const settled = await settle(gates, pass, signal)
  if (isOver(work)) return resultOf(gates, pass)
  // Still open: a file of the gate has changed, and the pass stays as it is.
  pass.isParked = true
  return settled ?? resultOf(gates, pass)
}
