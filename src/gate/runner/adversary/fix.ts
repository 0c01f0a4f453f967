import { cutLength } from '../../../lib/cap-text.ts'
import { sha256Hex } from '../../../lib/hash.ts'
import { ask } from './ask.ts'
import type { FixFinding } from './hooks.ts'
import { type Disposition, dispositionsShape } from './replies.ts'
import type { RoundReport } from './report.ts'
import { blockingCount, type CycleWork, callOf, isOver, openFindings } from './work.ts'

// The producer's turn (RUN-630 steps 10 and 11). What it says is a claim: nothing it answers settles a finding (RUN-633).

/** Longest reason the producer's words become, in characters. */
const maxReason = 1000

export type Fixed =
  | { readonly kind: 'over' }
  /** A harness error of the producer's side (RUN-634). */
  | { readonly kind: 'error'; readonly text: string }
  | {
      readonly kind: 'answered'
      readonly dispositions: readonly Disposition[]
      /** Digest of the artifact and of what was said about the findings (RUN-640). */
      readonly digest: string
      /** The artifact after the producer's turn is the one before it. */
      readonly isUnchanged: boolean
    }

/** Asks the producer to deal with the open findings; `before` is the artifact's digest before its turn (RUN-630 steps 10 and 11). */
export async function producerTurn(work: CycleWork, round: RoundReport, before: string): Promise<Fixed> {
  const { gates, bundle, input, pass } = work
  const findings = openFindings(work).map(
    ({ id, type, severity, description, basis, evidence, locations, targetClause, targetRequirement }): FixFinding => ({
      findingId: id,
      claim: description,
      type,
      severity,
      basis,
      evidence,
      locations,
      targetClause,
      targetRequirement
    })
  )
  gates.bus.publish({
    kind: 'producer-fix-signal',
    arrow_id: pass.record.arrowId,
    pass_id: pass.record.id,
    payload: { arrow_id: pass.record.arrowId, round: `${round.round}`, open_findings: `${findings.length}` }
  })
  const asked = await ask(
    (reminder) => bundle.producerFix({ arrow: pass.arrow, round: round.round, findings }, callOf(work, reminder)),
    dispositionsShape(findings.map(({ findingId }) => findingId)),
    () => isOver(work, 'producer')
  )
  if (asked.kind === 'over') return asked
  if (asked.kind !== 'reply') return { kind: 'error', text: asked.text }
  round.dispositions = asked.reply.map(({ findingId, action }) => `${findingId}: ${action}`)
  for (const disposition of asked.reply) if (!(await apply(work, disposition, round))) return { kind: 'over' }
  const { digest } = await gates.ports.artifacts.take(pass.arrow, input.signal)
  if (isOver(work)) return { kind: 'over' }
  return {
    kind: 'answered',
    dispositions: asked.reply,
    digest: responseDigest(digest, asked.reply),
    isUnchanged: digest === before
  }
}

/** SHA-256 over the artifact and the sorted (finding, action) pairs; what the producer writes about it says nothing (RUN-640). */
function responseDigest(artifact: string, dispositions: readonly Disposition[]): string {
  const pairs = dispositions.map(({ findingId, action }) => [findingId, action].join(' ')).toSorted()
  return sha256Hex(JSON.stringify([artifact, pairs]))
}

/** False when the cycle was ended meanwhile. */
async function apply(work: CycleWork, disposition: Disposition, round: RoundReport): Promise<boolean> {
  const { gates } = work
  const { findingId, action, rationale } = disposition
  const status = gates.findings.get(findingId)?.status
  switch (action) {
    case 'fixed': {
      if (status !== 'open') return true
      const reason = cutLength(`claimed as fixed: ${rationale}`, maxReason)
      const outcome = gates.findings.transition({ id: findingId, to: 'running', role: 'producer', reason })
      if ('refused' in outcome) round.harnessErrors.push(`round ${round.round}: ${outcome.refused.text}`)
      return true
    }
    case 'propose-accepted-risk':
      return askRisk(work, disposition, round)
    case 'cannot-fix':
      return true
  }
}

/** Puts the question before the operator and waits for the answer; only an accepted risk lets go of the finding (RUN-633). */
async function askRisk(work: CycleWork, { findingId, rationale }: Disposition, round: RoundReport): Promise<boolean> {
  const { gates, ports, input, pass } = work
  const finding = gates.findings.get(findingId)
  if (finding === null) return true
  gates.bus.publish({
    kind: 'risk-acceptance-requested',
    arrow_id: finding.arrowId,
    finding_id: findingId,
    pass_id: pass.record.id,
    payload: { severity: finding.severity, rationale: cutLength(rationale, maxReason) }
  })
  await ports.risk.answered(findingId, input.signal)
  if (isOver(work)) return false
  if (gates.findings.get(findingId)?.status !== 'running') return true
  const reason = 'risk not accepted'
  const outcome = gates.findings.transition({ id: findingId, to: 'open', role: 'orchestrator', reason })
  if ('refused' in outcome) round.harnessErrors.push(`round ${round.round}: ${outcome.refused.text}`)
  return true
}

/** Why the cycle cannot go on after this turn, or null (RUN-640, RUN-650). */
export function deadEnd(
  work: CycleWork,
  fixed: Extract<Fixed, { kind: 'answered' }>,
  previousDigest: string | null
): 'no-progress' | 'loop-bomb' | null {
  if (blockingCount(work) === 0) return null
  const { dispositions, digest } = fixed
  if (dispositions.length > 0 && dispositions.every(({ action }) => action === 'cannot-fix')) return 'no-progress'
  return digest === previousDigest ? 'loop-bomb' : null
}
