import { cutLength } from '../../../lib/cap-text.ts'
import type { Verdict } from '../../../protocol/gate.ts'
import type { AttestationDraft } from '../attestation/store.ts'
import { payloadOf, unitOf } from '../attestation/unit.ts'
import { settleParked } from '../dispatch/settle.ts'
import type { DispatchResult } from '../dispatch/types.ts'
import type { Gates } from '../gates.ts'
import { hintText } from '../hint.ts'
import type { LivePass, PassRequest } from '../live-pass.ts'
import { validateOpId } from '../op-id.ts'
import type { Attestation, AttestationPlace } from '../records.ts'
import { fileChanged, notAttached, type Refusal, refusal } from '../refusal.ts'

// A verdict from whoever was asked, by the prompt or by `/attest` (RUN-241, ATT-301). Everything up to the settlement check happens in
// one section without a wait; only looking at the artifact takes time.

export type VerdictCommand = {
  readonly passId: string
  readonly clauseId: string
  readonly verdict: Verdict
  /** Inspected locations separated by commas, or the residue note; ignored for `pass`. */
  readonly text: string
  /** Free text of `/attest`, at most 4096 bytes; empty from the prompt. */
  readonly reason: string
  /** Identity at the moment of submission (ATT-351). */
  readonly opId: string
}

export type VerdictRefusal =
  | Refusal<
      | 'engine-not-initialized'
      | 'no-live-pass'
      | 'no-escalation'
      | 'escalation-open'
      | 'gate-file-changed'
      | 'attestation-duplicate'
    >
  | Refusal

export type VerdictOutcome =
  | {
      readonly kind: 'recorded'
      readonly record: Attestation
      /** What became of the pass; null when something else still waits. */
      readonly settling: Promise<DispatchResult | null>
    }
  | { readonly kind: 'already'; readonly record: Attestation }
  | { readonly kind: 'refused'; readonly refusal: VerdictRefusal }

/** Records a verdict on a clause of an open pass that asked for it (RUN-241). */
export function recordVerdict(gates: Gates, command: VerdictCommand): VerdictOutcome {
  const { passId, clauseId, verdict, text, reason } = command
  const asked = askedBy(gates, passId, clauseId, command.opId)
  if ('refused' in asked) return { kind: 'refused', refusal: asked.refused }
  const { pass, request, opId } = asked
  if (gates.tracker.isCrossed(pass.record.arrowId, clauseId)) {
    const why = `escalation open for "${request.ref}": answer it with 1 or 2 (F4)`
    return { kind: 'refused', refusal: refusal('escalation-open', why) }
  }
  const unit = unitOf(verdict)
  const draft = draftOf(pass, request, { verdict, opId, reason, unit, unitPayloadJson: payloadOf(unit, text) })
  const repeated = gates.attestations.repeated(draft)
  if (repeated !== null) return { kind: 'already', record: repeated }
  const status = pass.board.get(clauseId)?.status
  if (status !== 'awaiting-attestation' && status !== 'insufficient-basis') {
    const why = `attestation-duplicate: "${request.ref}" is answered in pass ${passId} already`
    return { kind: 'refused', refusal: refusal('attestation-duplicate', why) }
  }
  if (verdict === 'fail') announceFail(gates, draft)
  const recorded = gates.attestations.record(draft)
  if (recorded.kind !== 'recorded')
    return recorded.kind === 'already' ? recorded : { kind: 'refused', refusal: recorded.refused }
  return { kind: 'recorded', record: recorded.record, settling: settleIfDue(gates, pass) }
}

type Asked = { readonly pass: LivePass; readonly request: PassRequest; readonly opId: string }

/**
 * The open pass and request this answer is for, with the identity that gives it; what is answered already takes no other verdict
 * (OPUI-409).
 */
export function askedBy(
  gates: Gates,
  passId: string,
  clauseId: string,
  givenOpId: string
): Asked | { readonly refused: VerdictRefusal } {
  if (!gates.phase.isAttached()) return { refused: notAttached }
  const identity = validateOpId(givenOpId)
  if ('refused' in identity) return { refused: identity.refused }
  const pass = gates.passes.get(passId)
  const request = pass?.requests.get(clauseId)
  if (pass === null || request === undefined)
    return { refused: refusal('no-live-pass', `no open pass ${passId} asked for clause ${clauseId}`) }
  const tampered = gates.tampered({ pass })
  if (tampered !== null) return { refused: fileChanged(tampered) }
  return { pass, request, opId: identity.opId }
}

type DraftFields = Pick<AttestationDraft, 'verdict' | 'opId' | 'reason' | 'unit' | 'unitPayloadJson'>

/** Grid version, pass and stratum are those of the request, context and roles those of its pass (OPUI-409). */
function placeOf({ record, arrow }: LivePass, request: PassRequest): AttestationPlace {
  return {
    attestedByRole: 'operator',
    sourceRole: arrow.sourceRole,
    targetRole: arrow.targetRole,
    gridVersion: record.gridVersion,
    passId: record.id,
    context: record.context,
    stratum: arrow.stratum,
    adversaryRole: request.adversaryRole
  }
}

/** The verdict on a request, ready for the store (ATT-360). */
export function draftOf(pass: LivePass, request: PassRequest, fields: DraftFields): AttestationDraft {
  return {
    kind: 'depth-type',
    arrowId: pass.record.arrowId,
    clauseId: request.clauseId,
    ...placeOf(pass, request),
    hintJson: hintText(request.hint),
    ref: request.ref,
    ...fields
  }
}

/** The signal is not lost when recording then fails (ATT-305). */
function announceFail(
  { bus }: Gates,
  { arrowId, clauseId, passId, opId, ref, reason, unitPayloadJson }: AttestationDraft
): void {
  bus.publish({
    kind: 'clause-fail-verdict',
    arrow_id: arrowId,
    clause_id: clauseId,
    pass_id: passId,
    op_id: opId,
    payload: { attestation_ref: ref, reason: cutLength(reason === '' ? unitPayloadJson : reason, 1000) }
  })
}

/**
 * Settles the pass if nothing holds it any more (ATT-301 step 8), and with it any other on the same arrow, run in another context, whose
 * last question was the same. Resolves to the result of the pass itself.
 */
export async function settleIfDue(gates: Gates, pass: LivePass): Promise<DispatchResult | null> {
  let result: DispatchResult | null = null
  // One after the other, the newest last: it is the one that decides the arrow.
  for (const each of gates.passes.all().filter(({ record }) => record.arrowId === pass.record.arrowId)) {
    const settled = await settleParked(gates, each)
    if (each === pass) result = settled
  }
  return result
}
