import type { Clause } from '../../../protocol/grid.ts'
import { attestationRef } from '../arrow-id.ts'
import { reachesDepth } from '../depth.ts'
import type { Gates } from '../gates.ts'
import { cutProducerHint, type Hint, hintText, holdsJudgement, isJudgingPlace } from '../hint.ts'
import type { LivePass, PassRequest } from '../live-pass.ts'
import type { Cycle, ProducerHint } from '../ports.ts'
import type { Resolution } from '../resolve.ts'
import { previousLine, resolveAttested } from '../resolve.ts'
import { depthNote } from './plan.ts'

/** What an earlier record says about this clause of this pass (RUN-232). */
export function resolveClause(gates: Gates, { record }: LivePass, clauseId: string): Resolution {
  const { arrowId, gridVersion, artifactDigest } = record
  return resolveAttested({
    rounds: gates.attestations.rounds(attestationRef(arrowId, clauseId, gridVersion)),
    gridVersion,
    latestInvalidation: gates.invalidations.latest(arrowId),
    artifactDigest,
    isCrossed: gates.tracker.isCrossed(arrowId, clauseId)
  })
}

export type HintParts = {
  readonly note: string | null
  readonly previous: string | null
  readonly evidence: string | null
  readonly producer: ProducerHint | null
}

/** The hint of a request: synthesised from the grid, with what evaluator and producer have to add (ATT-360). */
export function hintOf({ record }: LivePass, clause: Clause, parts: HintParts): Hint {
  const { note, previous, evidence, producer } = parts
  return {
    arrow_id: record.arrowId,
    clause_id: clause.id,
    concept: clause.concept ?? 'attested',
    attestation_ref: attestationRef(record.arrowId, clause.id, record.gridVersion),
    artifact_digest: record.artifactDigest,
    ...(clause.description !== '' && { description: clause.description }),
    ...(producer?.kind === 'hint' && cutProducerHint(producer)),
    ...(evidence !== null && { evidence }),
    ...(note !== null && { unevaluated_reason: 'depth-below-required', note }),
    ...(previous !== null && { previous })
  }
}

/** The hint of a request that waits since an earlier process, on the artifact as it is now (PERS-524). */
export function renewedHint(gates: Gates, pass: LivePass, clause: Clause, artifactDigest: string): Hint {
  const { actualTier, arrowId, gridVersion } = pass.record
  const isBelow = !reachesDepth(clause, actualTier ?? 0)
  const { lockedModel } = gates.ports.routing()
  const outcome = lockedModel === null ? 'gate-unsatisfiable' : 'gate-locked-conflict'
  const last = gates.attestations.rounds(attestationRef(arrowId, clause.id, gridVersion)).at(-1)
  const hint = hintOf(pass, clause, {
    note: isBelow ? depthNote(clause, { outcome }) : null,
    previous: last === undefined ? null : previousLine(last),
    evidence: null,
    producer: null
  })
  return { ...hint, artifact_digest: artifactDigest }
}

/**
 * Asks the producer where to look. A hint that judges, or lacks one of its parts, is asked for once more; then it counts as one that
 * chose by no rule (GATE-39, GATE-58).
 */
export async function producerHint(
  ask: NonNullable<Cycle['hint']>,
  ...given: Parameters<typeof ask>
): Promise<ProducerHint> {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const hint = await ask(...given)
    if (hint.kind !== 'hint' || isUsable(hint)) return hint
  }
  return { kind: 'no-rule' }
}

function isUsable({ locations, basis, residue }: Extract<ProducerHint, { kind: 'hint' }>): boolean {
  const isComplete = locations.length > 0 && basis.trim() !== '' && residue.trim() !== ''
  return isComplete && !locations.some(isJudgingPlace) && !holdsJudgement(basis) && !holdsJudgement(residue)
}

/** Puts a clause before the operator: its status, its request, and the one event of it (GATE-30, EVT-202). */
export function publishRequest(gates: Gates, pass: LivePass, request: PassRequest): void {
  const { record, arrow, board, requests } = pass
  board.move(request.clauseId, 'awaiting-attestation')
  requests.set(request.clauseId, request)
  gates.bus.publish({
    kind: 'attestation-requested',
    arrow_id: record.arrowId,
    clause_id: request.clauseId,
    pass_id: record.id,
    role: record.role,
    detail: hintText(request.hint),
    payload: {
      attestation_ref: request.ref,
      source_role: arrow.sourceRole,
      target_role: arrow.targetRole,
      context: record.context,
      stratum: arrow.stratum,
      grid_version: `${record.gridVersion}`,
      artifact_digest: record.artifactDigest,
      ...(request.adversaryRole !== '' && { adversary_role: request.adversaryRole })
    }
  })
}
