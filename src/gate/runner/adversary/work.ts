import type { Clause, DepthRank } from '../../../protocol/grid.ts'
import { floorOf } from '../depth.ts'
import { isBlocking } from '../derive.ts'
import type { Gates } from '../gates.ts'
import type { LivePass } from '../live-pass.ts'
import type { CycleInput } from '../ports.ts'
import type { Finding } from '../records.ts'
import { thresholdOf } from '../severity.ts'
import type { HookBundle, HookCall } from './hooks.ts'
import type { CyclePorts } from './ports.ts'

/** One cycle in one pass, with everything its steps need. */
export type CycleWork = {
  readonly gates: Gates
  readonly bundle: HookBundle
  readonly ports: CyclePorts
  readonly input: CycleInput
  readonly pass: LivePass
}

/**
 * Whether nothing may derive from what still arrives: cancelled, the pass taken away, or a gate file changed (RUN-112, RUN-214). `by`:
 * who was at work until now, and stands in the record when it was one of these files that they changed.
 */
export function isOver({ gates, input, pass }: CycleWork, by: 'adversary' | 'producer' = 'adversary'): boolean {
  return input.signal.aborted || pass.record.state !== 'open' || gates.tampered({ pass, by }) !== null
}

/** What every call of this cycle is given: the model of its pass, the reminder, the end of the cycle (RUN-621, RUN-623). */
export function callOf({ input }: CycleWork, reminder: string | null): HookCall {
  return { model: input.model, reminder, signal: input.signal }
}

/** Open or running findings of the arrow, of any severity (RUN-630). */
export function openFindings({ gates, pass }: CycleWork): readonly Finding[] {
  return gates.findings
    .ofArrow(pass.record.arrowId)
    .filter(({ status }) => status !== 'resolved' && status !== 'accepted-risk' && status !== 'unevaluated')
}

/** Those that hold the cycle: at or above the threshold (RUN-635). */
export function blockingCount(work: CycleWork): number {
  const grid = work.gates.grid.current()
  const threshold = grid === null ? 'medium' : thresholdOf(grid, work.pass.arrow)
  return openFindings(work).filter((finding) => isBlocking(finding, threshold)).length
}

/** Sensitive clauses that have all their arguments (RUN-600). */
export function sensitiveClauses({ pass }: CycleWork): readonly Clause[] {
  return pass.arrow.clauses.filter(({ depth, missing }) => depth === 'depth-sensitive' && missing.length === 0)
}

/** The rank of the model this pass was routed to; 0 where none was noted (GATE-23). */
export function rankOf({ pass }: CycleWork): DepthRank {
  return pass.record.actualTier ?? 0
}

/** The attacker's model is below what the arrow asks for: what it says is recorded, and counts for nothing (RUN-663). */
export function isShallow(work: CycleWork): boolean {
  const floor = floorOf(work.pass.arrow.clauses)
  return floor.kind === 'failed' || rankOf(work) < floor.floor
}
