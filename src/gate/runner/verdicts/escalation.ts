import { assert } from '../../../lib/assert.ts'
import { payloadOf, unitOf } from '../attestation/unit.ts'
import { resultOf } from '../dispatch/result.ts'
import type { DispatchResult } from '../dispatch/types.ts'
import type { Gates } from '../gates.ts'
import type { LivePass, PassRequest } from '../live-pass.ts'
import type { Attestation } from '../records.ts'
import { refusal } from '../refusal.ts'
import { askedBy, draftOf, settleIfDue, type VerdictRefusal } from './record.ts'

// The one way out after too many rounds without basis (GATE-62, RUN-903, RUN-904). It has no default and no skip.

export type EscalationCommand = {
  readonly passId: string
  readonly clauseId: string
  readonly option: 'accept-risk' | 'route-upstream'
  /** Residue note or rationale. */
  readonly text: string
  readonly opId: string
}

export type EscalationOutcome =
  | { readonly kind: 'recorded'; readonly record: Attestation; readonly settling: Promise<DispatchResult | null> }
  | { readonly kind: 'refused'; readonly refusal: VerdictRefusal }

/** Records the answer and carries out what it means: findings accepted, or the pass aborted (RUN-903, OPUI-433). */
export function answerEscalation(gates: Gates, command: EscalationCommand): EscalationOutcome {
  const { passId, clauseId, option, text } = command
  const asked = askedBy(gates, passId, clauseId, command.opId)
  if ('refused' in asked) return { kind: 'refused', refusal: asked.refused }
  const { pass, request, opId } = asked
  // The rounds are counted over all passes of the arrow; in this one the clause may be decided already.
  const isOpen = gates.openRequests(pass).some((open) => open.clauseId === clauseId)
  if (!isOpen || !gates.tracker.isCrossed(pass.record.arrowId, clauseId))
    return { kind: 'refused', refusal: refusal('no-escalation', `no escalation is open for "${request.ref}"`) }
  const verdict = option === 'accept-risk' ? 'pass' : 'fail'
  const unit = unitOf(verdict, true)
  const unitPayloadJson = payloadOf(unit, text)
  const number = option === 'accept-risk' ? 1 : 2
  const subject = { arrow_id: pass.record.arrowId, clause_id: clauseId, pass_id: passId, op_id: opId }
  const payload = { attestation_ref: request.ref }
  const draft = draftOf(pass, request, { verdict, opId, reason: '', unit, unitPayloadJson })
  // An answer that is refused, or that the disk does not take, is not told as presented: its resolution always follows (EVT-204).
  const recorded = gates.attestations.record(draft, () =>
    gates.bus.publish({ kind: 'escalation-presented', ...subject, detail: `option=${number}`, payload })
  )
  if (recorded.kind === 'refused') return { kind: 'refused', refusal: recorded.refused }
  if (option === 'accept-risk') acceptRisk(gates, pass, request, { opId, note: text.trim() })
  gates.bus.publish({ kind: 'escalation-resolved', ...subject, payload: { ...payload, outcome: option } })
  return { kind: 'recorded', record: recorded.record, settling: carryOn(gates, pass, option) }
}

/** The clause's open findings become accepted; without any, one is raised so that the residue stays visible (RUN-904). */
function acceptRisk(
  { findings }: Gates,
  { record }: LivePass,
  { clauseId }: PassRequest,
  { opId, note }: { readonly opId: string; readonly note: string }
): void {
  const open = findings
    .ofArrow(record.arrowId)
    .filter(({ targetClause, status }) => targetClause === clauseId && (status === 'open' || status === 'running'))
  const acceptance = { to: 'accepted-risk', role: 'operator', opId, reason: `escalation of ${clauseId}` } as const
  if (open.length > 0) {
    findings.transitionAll(open.map(({ id }) => ({ id, ...acceptance })))
    return
  }
  const residue = {
    arrowId: record.arrowId,
    type: 'insufficient-basis',
    severity: 'medium',
    description: `the basis for ${clauseId} stayed insufficient; the risk was accepted`,
    basis: note,
    targetClause: clauseId,
    raisedByRole: 'operator',
    gridVersion: record.gridVersion
  } as const
  // Raised and accepted in one transaction: a crash between them would leave a finding that blocks what was just accepted (PERS-303).
  const raised = findings.raise([residue], acceptance)
  assert('raised' in raised, 'the residue of an accepted risk is no finding')
}

async function carryOn(
  gates: Gates,
  pass: LivePass,
  option: EscalationCommand['option']
): Promise<DispatchResult | null> {
  if (option === 'accept-risk') return settleIfDue(gates, pass)
  gates.passes.abort(pass, 'requires-deeper-artifact')
  const result = resultOf(gates, pass)
  gates.settled.notify(result)
  await settleIfDue(gates, pass)
  return result
}
