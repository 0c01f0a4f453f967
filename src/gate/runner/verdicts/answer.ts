import { residueNote } from '../attestation/unit.ts'
import type { DispatchResult } from '../dispatch/types.ts'
import type { Gates } from '../gates.ts'
import { validateOpId } from '../op-id.ts'
import type { Attestation } from '../records.ts'
import { type Refusal, refusal } from '../refusal.ts'
import { answerEscalation } from './escalation.ts'
import type { PromptEffect } from './prompt.ts'
import type { QueueItem, VerdictQueue } from './queue.ts'
import { recordVerdict } from './record.ts'
import type { PromptFacts } from './texts.ts'

export type Answered =
  | {
      readonly kind: 'recorded'
      /** null for a risk acceptance, which is a transition of its finding. */
      readonly record: Attestation | null
      readonly settling: Promise<DispatchResult | null>
    }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

/** Carries out a complete answer of the prompt on the item it was given for (OPUI-405). */
export function carryOutAnswer(
  gates: Gates,
  queue: VerdictQueue,
  item: QueueItem,
  answer: Extract<PromptEffect, { kind: 'answer' }>
): Answered {
  const { choice, text, opId } = answer
  const { passId, clauseId } = item
  switch (choice) {
    case 'pass':
    case 'fail':
    case 'insufficient-basis': {
      const outcome = recordVerdict(gates, { passId, clauseId, verdict: choice, text, reason: '', opId })
      return outcome.kind === 'already' ? { ...outcome, kind: 'recorded', settling: Promise.resolve(null) } : outcome
    }
    case 'accept-risk':
    case 'route-upstream':
      return answerEscalation(gates, { passId, clauseId, option: choice, text, opId })
    case 'accept':
    case 'reject':
      return answerRisk(gates, queue, item, choice, text, opId)
  }
}

/** Only the operator accepts a risk (GATE-66); anything else leaves the finding open (OPUI-540). */
function answerRisk(
  gates: Gates,
  queue: VerdictQueue,
  { ref }: QueueItem,
  choice: 'accept' | 'reject',
  rationale: string,
  givenOpId: string
): Answered {
  const identity = validateOpId(givenOpId)
  if ('refused' in identity) return { kind: 'refused', refusal: identity.refused }
  const status = gates.findings.get(ref)?.status
  if (status === undefined) return { kind: 'refused', refusal: refusal('unknown-finding', `unknown-finding: "${ref}"`) }
  const to = choice === 'accept' ? 'accepted-risk' : 'open'
  if (status !== to) {
    const reason = choice === 'accept' ? rationale : 'risk acceptance rejected'
    const moved = gates.findings.transition({ id: ref, to, role: 'operator', opId: identity.opId, reason })
    if ('refused' in moved) return { kind: 'refused', refusal: moved.refused }
  }
  queue.settleRisk(ref)
  return { kind: 'recorded', record: null, settling: Promise.resolve(null) }
}

/** What the question shows besides its item (OPUI-421). */
export function factsFor(gates: Gates, item: QueueItem): PromptFacts {
  const { tracker, grid, attestations, findings } = gates
  const count = tracker.count(item.arrowId, item.clauseId)
  const notes = attestations
    .rounds(item.ref)
    .slice(count === 0 ? Number.POSITIVE_INFINITY : -count)
    .flatMap(({ unitPayloadJson }) => residueNote(unitPayloadJson) ?? [])
  return {
    round: item.type === 'escalation' ? count : count + 1,
    roundsMax: grid.current()?.insufficientBasisRoundsMax ?? 3,
    notes,
    finding: item.type === 'risk' ? findings.get(item.ref) : null
  }
}
