import type { EvaluationResult } from '../../../protocol/gate.ts'
import type { Clause, DepthRank } from '../../../protocol/grid.ts'
import { reachesDepth } from '../depth.ts'
import { evaluateClause } from '../dispatch/evaluate.ts'
import { appendRow, rowOf } from '../dispatch/rows.ts'
import { defaultSeverity, type NewFinding } from '../finding.ts'
import { defaultLadder } from '../ladder.ts'
import { severityRank } from '../severity.ts'
import { type Asked, ask } from './ask.ts'
import type { Adversary, AttackPacket } from './hooks.ts'
import { classificationShape, falsificationShape, maxFindings, type ObservedDepth, sweepShape } from './replies.ts'
import type { ActivityMark } from './report.ts'
import { type CycleWork, callOf, isOver, isShallow, rankOf, sensitiveClauses } from './work.ts'

// One attack on the whole artifact: falsification clause by clause, an open sweep, and the depths of the requirements (RUN-630 steps 5
// to 7). It collects; nothing is raised before the attack is over.

export type Attack = {
  readonly drafts: readonly NewFinding[]
  readonly depths: readonly ObservedDepth[]
  /** Of the machine clauses, by their plain id. */
  readonly results: ReadonlyMap<string, EvaluationResult>
  readonly marks: readonly ActivityMark[]
  /** What went wrong with the adversary itself; such a round is no attack (RUN-636). */
  readonly errors: readonly string[]
  /** It broke off because the model does not answer (RUN-224). */
  readonly isUnreachable: boolean
}

type Attacked = {
  readonly drafts: NewFinding[]
  depths: readonly ObservedDepth[]
  readonly results: Map<string, EvaluationResult>
  readonly marks: ActivityMark[]
  readonly errors: string[]
}

/** Whether the attack goes on after a step. */
type Next = 'on' | 'over' | 'unreachable'

/** Attacks once; null when the cycle was ended meanwhile (RUN-630 steps 5 to 7). */
export async function attack(work: CycleWork, adversary: Adversary, packet: AttackPacket): Promise<Attack | null> {
  const so: Attacked = { drafts: [], depths: [], results: new Map(), marks: [], errors: [] }
  let next: Next = 'on'
  for (const step of [falsify, sweep, classify]) {
    next = await step(work, adversary, packet, so)
    if (next === 'over') return null
    if (next === 'unreachable') break
  }
  return { ...so, drafts: gravest(so), isUnreachable: next === 'unreachable' }
}

/** Machine clauses through their evaluator, all others through the adversary. */
async function falsify(work: CycleWork, adversary: Adversary, packet: AttackPacket, so: Attacked): Promise<Next> {
  const mark = newMark('clause-falsification')
  so.marks.push(mark)
  const errors = so.errors.length
  for (const clause of sensitiveClauses(work)) {
    mark.entered = true
    const next =
      clause.eval === 'machine'
        ? await evaluate(work, clause, packet.round, so, mark)
        : await falsifyAttested(work, adversary, packet, clause, so, mark)
    if (next !== 'on') return next
  }
  mark.finished = so.errors.length === errors
  return 'on'
}

async function evaluate(
  work: CycleWork,
  clause: Clause,
  round: number,
  so: Attacked,
  mark: ActivityMark
): Promise<Next> {
  if (!reachesDepth(clause, rankOf(work))) {
    mark.lines.push(`${clause.id}: depth-below-required`)
    return 'on'
  }
  const result = await evaluateInRound(work, clause, round)
  if (result === null) return 'over'
  so.results.set(clause.id, result)
  if (result.status !== 'fail') {
    mark.lines.push(`${clause.id}: ${result.status === 'pass' ? 'no defect found' : `unevaluated (${result.reason})`}`)
    return 'on'
  }
  mark.found += 1
  mark.lines.push(`${clause.id}: falsified`)
  so.drafts.push({
    ...draftOf(work, 'clause-falsification', false),
    severity: defaultSeverity('clause-falsification'),
    description: `${clause.id} does not hold: ${clause.description || (clause.concept ?? '')}`,
    basis: `evaluator of ${clause.concept ?? 'the clause'}`,
    evidence: resultText(result),
    targetClause: clause.id
  })
  return 'on'
}

/**
 * Runs the evaluator of a clause under an id of this round, which never collides with verification (RUN-630 step 5); null when the pass
 * is gone, or went because the row could not be written.
 */
export async function evaluateInRound(
  work: CycleWork,
  clause: Clause,
  round: number
): Promise<EvaluationResult | null> {
  const { gates, pass, input } = work
  const named = { ...clause, id: `${clause.id}/adv/round${round}` }
  const decided = await evaluateClause(gates, pass, named, input.signal)
  // A result that comes too late is kept all the same, as a row (RUN-112).
  if (!appendRow(gates, pass, rowOf(gates, pass, named, decided)) || isOver(work)) return null
  if (decided.result !== null) return decided.result
  return {
    status: 'unevaluated',
    reason: decided.reason ?? 'evaluator-error',
    details: { error: decided.runError }
  }
}

async function falsifyAttested(
  work: CycleWork,
  adversary: Adversary,
  packet: AttackPacket,
  clause: Clause,
  so: Attacked,
  mark: ActivityMark
): Promise<Next> {
  const { falsify: hook } = adversary
  if (hook === undefined) {
    mark.lines.push(`${clause.id}: not attacked, this adversary refutes no clauses`)
    return 'on'
  }
  const asked = await ask(
    (reminder) => hook(packet, clause, callOf(work, reminder)),
    falsificationShape(clause.id),
    () => isOver(work)
  )
  if (asked.kind !== 'reply') return troubled(asked, so, `falsify ${clause.id}`)
  const { reply } = asked
  mark.lines.push(`${clause.id}: ${reply.falsified ? 'falsified' : 'no defect found'}`)
  if (!reply.falsified) return 'on'
  mark.found += 1
  so.drafts.push({
    ...draftOf(work, 'clause-falsification', rankOf(work) < clause.minTier),
    severity: reply.severity,
    description: `${clause.id} does not hold: ${clause.description}`,
    basis: reply.basis,
    locations: reply.locations,
    evidence: reply.evidence,
    targetClause: clause.id
  })
  return 'on'
}

/** Defects that no clause names. */
async function sweep(work: CycleWork, adversary: Adversary, packet: AttackPacket, so: Attacked): Promise<Next> {
  const mark = newMark('open-sweep')
  mark.entered = true
  so.marks.push(mark)
  const asked = await ask(
    (reminder) => work.bundle.openSweep(adversary, packet, callOf(work, reminder)),
    sweepShape,
    () => isOver(work)
  )
  if (asked.kind !== 'reply') return troubled(asked, so, 'open sweep')
  const { findings, artifactRead } = asked.reply
  mark.finished = true
  mark.found = findings.length
  mark.lines.push(`${artifactRead.length} files read`)
  if (findings.length === 0) mark.lines.push('no defect found')
  const clauses = new Set(work.pass.arrow.clauses.map(({ id }) => id))
  for (const { title, targetClause, ...finding } of findings)
    so.drafts.push({
      ...draftOf(work, 'open-sweep', isShallow(work)),
      ...finding,
      description: title,
      targetClause: targetClause !== null && clauses.has(targetClause) ? targetClause : null
    })
  return 'on'
}

/** How deep each requirement was found to be; asked only when one is declared. */
async function classify(work: CycleWork, adversary: Adversary, packet: AttackPacket, so: Attacked): Promise<Next> {
  const mark = newMark('depth-classification')
  so.marks.push(mark)
  if (packet.requirements.length === 0) return 'on'
  mark.entered = true
  const ladder = work.gates.grid.current()?.depthLadder ?? defaultLadder
  const ids = packet.requirements.map(({ id }) => id)
  const asked = await ask(
    (reminder) => work.bundle.classify(adversary, packet, callOf(work, reminder)),
    classificationShape(ids, ladder),
    () => isOver(work)
  )
  if (asked.kind !== 'reply') return troubled(asked, so, 'depth classification')
  mark.finished = true
  so.depths = asked.reply
  for (const { requirementId, observed, evidence, locations } of asked.reply) {
    const { minDepth } = packet.requirements.find(({ id }) => id === requirementId) ?? { minDepth: 0 }
    const label = (rank: DepthRank) => ladder[rank]
    mark.lines.push(`${requirementId}: ${label(observed)}${observed < minDepth ? `, below ${label(minDepth)}` : ''}`)
    if (observed >= minDepth) continue
    mark.found += 1
    so.drafts.push({
      ...draftOf(work, 'depth-below-min', isShallow(work)),
      severity: defaultSeverity('depth-below-min'),
      description: `requirement ${requirementId} is ${label(observed)}, at least ${label(minDepth)} is required`,
      basis: 'depth classification against the ladder',
      locations,
      evidence,
      targetRequirement: requirementId
    })
  }
  return 'on'
}

function troubled(asked: Exclude<Asked<unknown>, { kind: 'reply' }>, so: Attacked, what: string): Next {
  if (asked.kind === 'over') return 'over'
  so.errors.push(`${what}: ${asked.text}`)
  return asked.kind === 'unreachable' ? 'unreachable' : 'on'
}

/** What all findings of an adversary have in common. Below the depth it needed, what it found is not evaluated (RUN-663). */
function draftOf(
  { pass }: CycleWork,
  type: string,
  isBelowDepth: boolean
): Pick<NewFinding, 'arrowId' | 'type' | 'raisedByRole' | 'gridVersion' | 'status'> {
  const { arrowId, gridVersion } = pass.record
  return { arrowId, type, raisedByRole: 'adversary', gridVersion, status: isBelowDepth ? 'unevaluated' : 'open' }
}

/** At most fifty, the gravest (RUN-624); what was left out is said. */
function gravest({ drafts, marks }: Attacked): readonly NewFinding[] {
  if (drafts.length <= maxFindings) return drafts
  const rank = ({ severity }: NewFinding) => (severity === 'unevaluated' ? 5 : severityRank(severity))
  marks
    .at(-1)
    ?.lines.push(`${drafts.length - maxFindings} findings beyond ${maxFindings} were left out, the least grave`)
  return drafts.toSorted((a, b) => rank(b) - rank(a)).slice(0, maxFindings)
}

function resultText({ details }: EvaluationResult): string {
  return Object.entries(details)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n')
}

function newMark(activity: ActivityMark['activity']): ActivityMark {
  return { activity, entered: false, finished: false, found: 0, lines: [] }
}
