import { letBugsThrough } from '../../../lib/assert.ts'
import type { Clause } from '../../../protocol/grid.ts'
import { attestationRef } from '../arrow-id.ts'
import { defaultSeverity } from '../finding.ts'
import type { PassRequest } from '../live-pass.ts'
import type { CycleReport } from '../ports.ts'
import type { Stamp } from '../records.ts'
import { type Decided, evaluateClause, evidenceText, undecided } from './evaluate.ts'
import { didAttack } from './plan.ts'
import { hintOf, producerHint, resolveClause } from './requests.ts'
import { appendRow, rowOf } from './rows.ts'
import { cycleInput, decide, isOver, type Work } from './work.ts'

/** A clause for the operator: settled by an earlier verdict that still holds, or prepared as a request (RUN-232). */
export async function attest(
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
    const decided = handedOver('pass', startedAt, null)
    if (!appendRow(gates, pass, rowOf(gates, pass, clause, decided, ref))) return null
    pass.board.move(clause.id, 'awaiting-attestation')
    pass.board.move(clause.id, 'pass', { note: `attested: ${resolved.record.id}` })
    return null
  }
  const evidence = await evidenceFor(work, clause, note)
  const waiting = () => rowOf(gates, pass, clause, handedOver('awaiting-attestation', startedAt, evidence), ref)
  if (isOver(work)) {
    // What an evaluator found out too late is kept, and nobody is asked about it (RUN-112).
    if (evidence !== null) appendRow(gates, pass, waiting())
    return null
  }
  const producer = await hintFor(work, clause, report)
  if (isOver(work)) return null
  if (producer === 'failed') return null
  if (!appendRow(gates, pass, waiting())) return null
  const parts = {
    note,
    previous: resolved.previous,
    evidence: evidence === null ? null : evidenceText(evidence),
    producer
  }
  const adversaryRole = didAttack(report) ? 'adversary' : ''
  return { clauseId: clause.id, ref, hint: hintOf(pass, clause, parts), adversaryRole }
}

function handedOver(status: 'pass' | 'awaiting-attestation', startedAt: Stamp, evidence: Decided | null): Decided {
  const { result = null, generation = 0 } = evidence ?? {}
  return { status, reason: null, result, runError: '', generation, startedAt }
}

/** Result of the concept's evaluator as evidence; a clause above the model's depth runs none (GATE-22). */
async function evidenceFor(
  { gates, pass, signal }: Work,
  clause: Clause,
  note: string | null
): Promise<Decided | null> {
  const { evaluators } = pass
  if (note !== null || clause.concept === null) return null
  if (evaluators.lookUp(evaluators.keyOf(clause.concept, clause.args)) === null) return null
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
    letBugsThrough(cause)
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
