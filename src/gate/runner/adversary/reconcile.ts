import { assert } from '../../../lib/assert.ts'
import type { FindingStatus } from '../../../protocol/gate.ts'
import type { NewFinding } from '../finding.ts'
import type { Finding } from '../records.ts'
import { ask } from './ask.ts'
import type { Attack } from './attack.ts'
import type { Adversary } from './hooks.ts'
import { isCoveredBy, isSameDefect, outweighs } from './match.ts'
import { recheckShape } from './replies.ts'
import type { RoundReport } from './report.ts'
import { type CycleWork, callOf, isOver } from './work.ts'

// What an attack means for what was known before (RUN-632). This is the orchestrator's work: the adversary is never told of earlier
// findings, except one at a time, as a claim to look at.

/** Carries the attack over into the stores. False when the cycle was ended meanwhile (RUN-632). */
export async function reconcile(
  work: CycleWork,
  adversary: Adversary,
  attack: Attack,
  round: RoundReport
): Promise<boolean> {
  const { gates, pass } = work
  const earlier = gates.findings.ofArrow(pass.record.arrowId)
  const homes = new Map(attack.drafts.map((draft) => [draft, homeOf(draft, earlier)]))
  round.merged = attack.drafts.flatMap((draft) => {
    const home = homes.get(draft)
    return home === undefined || home === null ? [] : [`${draft.type} → ${home.id}`]
  })
  raise(
    work,
    attack.drafts.filter((draft) => homes.get(draft) === null),
    round
  )
  const regressed = new Set([...homes.values()].flatMap((home) => (home?.status === 'resolved' ? [home.id] : [])))
  for (const finding of earlier) {
    if (regressed.has(finding.id)) reproduced(work, finding, round)
    if (finding.status !== 'open' && finding.status !== 'running') continue
    const verdict = attack.drafts.some((draft) => isSameDefect(finding, draft))
      ? 'yes'
      : await lookAgain(work, adversary, finding, attack, round)
    if (verdict === 'over') return false
    if (verdict === 'yes') reproduced(work, finding, round)
    if (verdict === 'no' && move(work, finding.id, 'resolved', 'not reproduced by a new attack', round))
      round.resolved = [...round.resolved, finding.id]
  }
  return true
}

/** The finding a new one is a duplicate of, or null when it is raised itself. */
function homeOf(draft: NewFinding, earlier: readonly Finding[]): Finding | null {
  const same = earlier.filter((finding) => isSameDefect(finding, draft))
  const open = same.find(
    (finding) => (finding.status === 'open' || finding.status === 'running') && !outweighs(draft, finding)
  )
  if (open !== undefined) return open
  const accepted = same.find((finding) => finding.status === 'accepted-risk' && isCoveredBy(finding, draft))
  if (accepted !== undefined) return accepted
  const isUnevaluated = draft.severity === 'unevaluated' || draft.status === 'unevaluated'
  if (isUnevaluated) return same.find(({ status }) => status === 'unevaluated') ?? null
  // It was gone and is back: a regression of the latest such finding.
  return same.findLast((finding) => finding.status === 'resolved' && !outweighs(draft, finding)) ?? null
}

function raise({ gates }: CycleWork, drafts: readonly NewFinding[], round: RoundReport): void {
  const outcome = gates.findings.raise(drafts)
  // A finding that got lost would let the work converge.
  assert('raised' in outcome, `findings of an attack were refused: ${'refused' in outcome ? outcome.refused.text : ''}`)
  round.raised = outcome.raised.map(({ id }) => id)
}

function reproduced(work: CycleWork, finding: Finding, round: RoundReport): void {
  round.reproduced = [...round.reproduced, finding.id]
  if (finding.status === 'open') return
  const reason = finding.status === 'resolved' ? 'regression: found again' : 'claimed as fixed, still there'
  move(work, finding.id, 'open', reason, round)
}

/**
 * Whether a finding that this attack did not raise again is still there. Evaluators answer for their clauses, the adversary for the rest.
 */
async function lookAgain(
  work: CycleWork,
  adversary: Adversary,
  finding: Finding,
  attack: Attack,
  round: RoundReport
): Promise<'yes' | 'no' | 'cannot-tell' | 'over'> {
  const result = finding.type === 'clause-falsification' ? attack.results.get(finding.targetClause ?? '') : undefined
  if (result !== undefined) return result.status === 'pass' ? 'no' : 'cannot-tell'
  const { recheck } = adversary
  if (recheck === undefined || attack.isUnreachable) return 'cannot-tell'
  const { id, description, locations, evidence } = finding
  const asked = await ask(
    (reminder) => recheck({ findingId: id, claim: description, locations, evidence }, callOf(work, reminder)),
    recheckShape(id),
    () => isOver(work)
  )
  if (asked.kind === 'reply') return asked.reply.reproduced
  if (asked.kind === 'over') return 'over'
  round.harnessErrors.push(`round ${round.round}: recheck ${id}: ${asked.text}`)
  return 'cannot-tell'
}

/** A transition by the adversary; one that is refused, such as the hundredth, leaves the finding as it is and is told. */
function move({ gates }: CycleWork, id: string, to: FindingStatus, reason: string, round: RoundReport): boolean {
  const outcome = gates.findings.transition({ id, to, role: 'adversary', reason })
  if ('moved' in outcome) return true
  round.harnessErrors.push(`round ${round.round}: ${outcome.refused.text}`)
  return false
}

/** Stores what was observed of the requirements (RUN-661); below the depth it needed, that nothing was (RUN-663). */
export function recordDepths(work: CycleWork, attack: Attack, isShallow: boolean): void {
  const { gates, pass } = work
  for (const { requirementId, observed, evidence } of attack.depths) {
    const refused = gates.depths.observe({
      arrowId: pass.record.arrowId,
      requirementId,
      observed: isShallow ? 'unevaluated' : observed,
      evidence
    })
    if (refused !== null) gates.ports.warn(`a classification was refused: ${refused.text}`, undefined)
  }
}
