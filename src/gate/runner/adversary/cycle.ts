import { assert, letBugsThrough } from '../../../lib/assert.ts'
import { messageOf } from '../../../lib/error.ts'
import type { EvaluationResult } from '../../../protocol/gate.ts'
import type { Gates } from '../gates.ts'
import type { Cycle, CycleInput, CycleReport } from '../ports.ts'
import { fileChanged } from '../refusal.ts'
import { type Attack, attack, evaluateInRound } from './attack.ts'
import { deadEnd, producerTurn } from './fix.ts'
import { askHint } from './hint.ts'
import { type Adversary, type HookBundle, missingHooks } from './hooks.ts'
import { attackPacket } from './packet.ts'
import type { CyclePorts } from './ports.ts'
import { reconcile, recordDepths } from './reconcile.ts'
import { newRound, type RoundReport } from './report.ts'
import { announceRound, announceUnchanged, conclude, type Ended } from './tell.ts'
import { blockingCount, type CycleWork, isOver, isShallow, openFindings, sensitiveClauses } from './work.ts'

// The adversarial cycle of one pass (RUN-630): a fresh adversary attacks the whole artifact, the producer answers, another
// fresh adversary attacks again, until an attack finds nothing that holds, or the rounds are over. The adversary never sees what anybody
// said, the producer never settles anything, and a round in which the attack itself failed proves nothing.

/** A cycle over a bundle, or null when the bundle is not complete: then nothing is wired (RUN-610). */
export function createCycle(gates: () => Gates, bundle: Partial<HookBundle>, ports: CyclePorts): Cycle | null {
  if (missingHooks(bundle).length > 0) return null
  const complete = bundle as HookBundle
  const workOf = (input: CycleInput): CycleWork => {
    const pass = gates().passes.get(input.pass.id)
    assert(pass !== null, 'a cycle runs inside an open pass')
    return { gates: gates(), bundle: complete, ports, input, pass }
  }
  const { hint } = complete
  return {
    run: (input) => runCycle(workOf(input)),
    ...(hint !== undefined && { hint: (input, clauseId) => askHint(workOf(input), hint, clauseId) })
  }
}

type Loop = {
  readonly rounds: RoundReport[]
  /** Of the last round in which they were evaluated. */
  results: ReadonlyMap<string, EvaluationResult>
  /** An attack was carried through in this cycle. */
  hasAttacked: boolean
  failedAttacksInARow: number
  producerErrorsInARow: number
  /** What the producer's last answer came to, null when there was none in the round before. */
  digest: string | null
  /** Instances that have attacked; each is good for one (RUN-610). */
  readonly spent: WeakSet<Adversary>
}

async function runCycle(work: CycleWork): Promise<CycleReport> {
  const loop: Loop = {
    rounds: [],
    results: new Map(),
    hasAttacked: false,
    failedAttacksInARow: 0,
    producerErrorsInARow: 0,
    digest: null,
    spent: new WeakSet()
  }
  const { pass } = work
  /** Once, whether the cycle comes to its end or the pass is taken away from it (EVT-205). */
  const tell = (ended: Ended) => {
    if (pass.cycle === null) return
    pass.cycle = null
    conclude(work, loop.rounds, ended)
  }
  pass.cycle = {
    roundsUsed: () => loop.rounds.length,
    cancelled: (reason) => tell({ outcome: 'context-cancelled', detail: '', reason })
  }
  let ended: Ended
  try {
    ended = await runRounds(work, loop)
  } catch (cause) {
    // Outside the loop's own error handling: the dispatcher aborts, but what happened is still told.
    tell({ outcome: 'escalated-hook-error', detail: 'adversary-error', reason: messageOf(cause) })
    throw cause
  }
  tell(ended)
  const { outcome, detail } = ended
  return { outcome, detail, roundsUsed: loop.rounds.length, results: loop.results }
}

async function runRounds(work: CycleWork, loop: Loop): Promise<Ended> {
  const { gates } = work
  const max = gates.grid.current()?.remediationRoundsMax ?? 5
  declareRequirements(work)
  for (let n = 1; n <= max; n += 1) {
    if (isOver(work)) return cancelled(work)
    const round = newRound(n)
    loop.rounds.push(round)
    announceRound(work, n, max)
    const ended = (await attackRound(work, loop, round, n === max)) ?? (await producerRound(work, loop, round))
    if (ended !== null) return ended
  }
  const left = blockingCount(work)
  return { outcome: 'escalated-rounds-max', detail: '', reason: `${left} finding${left === 1 ? '' : 's'} still open` }
}

/** What is declared already stays so, at the depth this definition of the arrow asks for; what it no longer asks for is gone (RUN-630). */
function declareRequirements({ gates, pass }: CycleWork): void {
  const { arrowId } = pass.record
  const ids = pass.arrow.requirements.map(({ id }) => id)
  gates.depths.retain(arrowId, ids)
  for (const requirement of pass.arrow.requirements)
    if (gates.depths.declare(arrowId, requirement)?.code === 'requirement-duplicate-id')
      gates.depths.redeclare(arrowId, requirement)
}

/** Steps 3 to 9: null when the round goes on with the producer. */
async function attackRound(work: CycleWork, loop: Loop, round: RoundReport, isLast: boolean): Promise<Ended | null> {
  const adversary = freshAdversary(work, loop, round)
  if (adversary === null) return adversaryError(`round ${round.round}: no fresh adversary`)
  const packet = await attackPacket(work, round.round)
  if (isOver(work)) return cancelled(work)
  const found = await attack(work, adversary, packet)
  if (found === null) return cancelled(work)
  note(loop, round, found)
  if (found.isUnreachable && !loop.hasAttacked)
    return { outcome: 'model-unreachable', detail: '', reason: found.errors.at(-1) ?? 'the model does not answer' }
  recordDepths(work, found, isShallow(work))
  if (!(await reconcile(work, adversary, found, round))) return cancelled(work)
  if (found.errors.length > 0) {
    loop.failedAttacksInARow += 1
    const isEnough = loop.failedAttacksInARow >= 2 || isLast
    return isEnough ? adversaryError(`round ${round.round}: ${found.errors.at(-1)}`) : null
  }
  loop.failedAttacksInARow = 0
  loop.hasAttacked = true
  return blockingCount(work) === 0 && round.raised.length === 0 ? converged(work) : null
}

/** Steps 10 to 12: null when another round is needed. */
async function producerRound(work: CycleWork, loop: Loop, round: RoundReport): Promise<Ended | null> {
  const { gates, input, pass } = work
  const isAttacked = loop.failedAttacksInARow === 0
  if (openFindings(work).length === 0) {
    loop.digest = null
    return isAttacked ? converged(work) : null
  }
  const { digest: before } = await gates.ports.artifacts.take(pass.arrow, input.signal)
  if (isOver(work)) return cancelled(work)
  const fixed = await producerTurn(work, round, before)
  if (fixed.kind === 'over') return cancelled(work)
  if (fixed.kind === 'error') {
    round.harnessErrors.push(`round ${round.round}: producer fix: ${fixed.text}`)
    loop.producerErrorsInARow += 1
    loop.digest = null
    return loop.producerErrorsInARow >= 2 ? hookError('producer-fix-error', fixed.text) : null
  }
  loop.producerErrorsInARow = 0
  if (round.round === 1 && fixed.isUnchanged) announceUnchanged(work, round)
  const dead = deadEnd(work, fixed, loop.digest)
  loop.digest = fixed.digest
  if (dead === 'no-progress')
    return { outcome: 'escalated-no-progress', detail: '', reason: 'the producer can fix none of the findings' }
  if (dead === 'loop-bomb')
    return hookError('producer-loop-bomb', 'producer-fix: loop-bomb (unchanged artifact across rounds)')
  if (blockingCount(work) > 0 || !isAttacked) return null
  return (await verifyAgain(work, loop, round, fixed.isUnchanged)) ?? converged(work)
}

/** Converged after the producer's edits: what programs decide is decided on the artifact as it is now. */
async function verifyAgain(
  work: CycleWork,
  loop: Loop,
  round: RoundReport,
  isUnchanged: boolean
): Promise<Ended | null> {
  if (isUnchanged) return null
  const results = new Map(loop.results)
  for (const clause of sensitiveClauses(work).filter(({ id }) => loop.results.has(id))) {
    const result = await evaluateInRound(work, clause, round.round)
    if (result === null) return cancelled(work)
    results.set(clause.id, result)
  }
  loop.results = results
  return null
}

/** A fresh adversary of this round, or null; one that has attacked before is none. */
function freshAdversary({ bundle }: CycleWork, { spent }: Loop, round: RoundReport): Adversary | null {
  try {
    const adversary = bundle.factory(round.round)
    if (adversary === null) return null
    if (spent.has(adversary)) {
      round.harnessErrors.push(`round ${round.round}: the adversary has attacked before`)
      return null
    }
    spent.add(adversary)
    return adversary
  } catch (cause) {
    letBugsThrough(cause)
    round.harnessErrors.push(`round ${round.round}: factory: ${messageOf(cause)}`)
    return null
  }
}

function note(loop: Loop, round: RoundReport, { marks, errors, results }: Attack): void {
  round.activities = marks
  round.harnessErrors.push(...errors.map((text) => `round ${round.round}: ${text}`))
  loop.results = new Map([...loop.results, ...results])
}

/** The word tells whether anything was left unevaluated; such an arrow cannot become complete (RUN-650). */
function converged({ gates, pass }: CycleWork): Ended {
  const { arrowId } = pass.record
  const isOpenEnded =
    gates.findings.ofArrow(arrowId).some(({ status }) => status === 'unevaluated') ||
    gates.depths.requirements(arrowId).some(({ id }) => gates.depths.classification(arrowId, id)?.unevaluated === true)
  return { outcome: isOpenEnded ? 'converged-with-unevaluated' : 'converged', detail: '', reason: '' }
}

function cancelled({ gates, input }: CycleWork): Ended {
  const tampered = gates.tampered()
  const stopped = input.signal.aborted ? String(input.signal.reason) : 'the pass has ended'
  const reason = tampered === null ? stopped : fileChanged(tampered).text
  return { outcome: 'context-cancelled', detail: '', reason }
}

function hookError(detail: string, reason: string): Ended {
  return { outcome: 'escalated-hook-error', detail, reason }
}

function adversaryError(reason: string): Ended {
  return hookError('adversary-error', reason)
}
