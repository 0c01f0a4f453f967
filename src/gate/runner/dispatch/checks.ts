import type { Arrow, Clause, Grid, RoleId } from '../../../protocol/grid.ts'
import { floorOf } from '../depth.ts'
import type { Gates } from '../gates.ts'
import type { LockBusy } from '../locks.ts'
import type { AdversarySlot, ArtifactState, Cycle } from '../ports.ts'
import { isMachineRobust, predecessorOf, type TransitionFields, transitionRefusal } from '../predecessor.ts'
import { fileChanged, noGrid, notAttached, type Refusal, refusal } from '../refusal.ts'
import { floorWithRetry, type Route, routeOf } from '../routing.ts'
import type { DispatchRefusal, DispatchRequest, MissingBinding, Plan } from './types.ts'

// What must hold before a pass opens (RUN-210), in the order of the table. Nothing here waits for anything (RUN-212), so that the answer
// still holds when the pass opens.

/** Nested passes are refused from this depth on. */
const maxDepth = 4

export type Checked =
  | { readonly kind: 'refused'; readonly refusal: DispatchRefusal }
  /** Bindings are missing and somebody can be asked (INIT-130). */
  | { readonly kind: 'declare'; readonly refusal: MissingBinding }
  | { readonly kind: 'cached'; readonly passId: string }
  /** These arrows are to be run first, from the top (RUN-250). */
  | { readonly kind: 'first'; readonly chain: readonly Arrow[] }
  | { readonly kind: 'ready'; readonly plan: Plan }

/** What one attempt remembers between its rounds of checks. */
export type Attempt = {
  readonly request: DispatchRequest
  /** Artifact and dependencies as they are now, taken when the arrow is complete and declares its dependencies (RUN-213). */
  readonly artifact: ArtifactState | null
  /** Predecessors were dispatched already: once per attempt. */
  readonly hasRunFirst: boolean
}

/** What the checks say now, in the order of their table (RUN-210). */
export function check(gates: Gates, attempt: Attempt): Checked {
  const { request } = attempt
  const basis = basisProblem(gates, request)
  if (basis !== null) return { kind: 'refused', refusal: basis }
  const grid = gates.grid.current()
  const arrow = gates.grid.arrow(request.arrowId)
  if (grid === null || grid.arrows.length === 0) return { kind: 'refused', refusal: noGrid }
  if (arrow === null) return { kind: 'refused', refusal: unknownArrow(request.arrowId) }
  const context = contextProblem(grid, request.context)
  if (context !== null) return { kind: 'refused', refusal: context }

  const floor = floorOf(arrow.clauses)
  if (floor.kind === 'failed') return { kind: 'refused', refusal: refusal(floor.problem.code, depthText(floor)) }
  if (isCached(gates, arrow, attempt)) {
    const passId = gates.history.effective(arrow.id)?.pass.id ?? ''
    return { kind: 'cached', passId }
  }
  const missing = missingBinding(gates, arrow)
  if (missing !== null) return { kind: gates.ports.bindingPrompt === null ? 'refused' : 'declare', refusal: missing }

  const upstream = checkUpstream(gates, grid, arrow, attempt)
  if (upstream.kind === 'refused') return upstream
  const route = routeOf(floorWithRetry(floor.floor, gates.history.latest(arrow.id)), gates.ports.routing())
  const cycle = cycleFor(arrow, route, gates.ports.adversary())
  if (cycle === 'not-wired') return { kind: 'refused', refusal: refusal('adversarial-hooks-not-wired') }
  const busy = lockProblem(gates, arrow.sourceRole, request.context ?? arrow.context)
  if (busy !== null) return { kind: 'refused', refusal: busy }
  if (upstream.kind === 'first') return upstream

  const tampered = gates.tampered()
  if (tampered !== null) return { kind: 'refused', refusal: fileChanged(tampered) }
  return { kind: 'ready', plan: { arrow, route, cycle } }
}

/** OPUI-320 */
export function unknownArrow(arrowId: string): Refusal<'unknown-arrow'> {
  return refusal('unknown-arrow', `arrow "${arrowId}" not in grid (try /list-arrows)`)
}

/** Checks 1 to 3. */
function basisProblem(gates: Gates, { depth = 0 }: DispatchRequest): DispatchRefusal | null {
  if (!gates.phase.isAttached()) return notAttached
  if (!gates.bus.hasAuditSubscriber()) return refusal('no-audit-subscriber')
  return depth < maxDepth ? null : refusal('dispatch-recursion-exceeded')
}

function contextProblem(grid: Grid, context: string | undefined): DispatchRefusal | null {
  if (context === undefined || grid.boundedContexts.some(({ id }) => id === context)) return null
  return refusal('unknown-context', `context "${context}" is not declared by the grid`)
}

function depthText({ clause, problem }: { readonly clause: string; readonly problem: Refusal }): string {
  return problem.text.replace(/^[^:]+/, `${problem.code}: clause ${clause}`)
}

/** Complete, without an open pass, and everything it was declared to rest on as it was (RUN-213, GATE-57). */
function isCached(gates: Gates, arrow: Arrow, { artifact }: Attempt): boolean {
  const effective = gates.history.effective(arrow.id)
  if (artifact === null || effective === null || arrow.dependencies === null) return false
  if (gates.current(arrow.id)?.status !== 'complete' || hasOpenPass(gates, arrow.id)) return false
  const { artifactDigest, dependencyDigests } = effective.pass
  return (
    artifactDigest !== '' &&
    artifact.digest === artifactDigest &&
    dependencyDigests !== null &&
    artifact.dependencies !== null &&
    sameDigests(dependencyDigests, artifact.dependencies)
  )
}

function hasOpenPass(gates: Gates, arrowId: string): boolean {
  return gates.passes.all().some(({ record }) => record.arrowId === arrowId)
}

function sameDigests(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...names].every((name) => a[name] === b[name])
}

/** Check 6: every key of a machine clause that is not deferred must be registered (CONC-16). */
function missingBinding(gates: Gates, { clauses }: Arrow): MissingBinding | null {
  const registry = gates.grid.registry()
  const keys = clauses.filter(needsEvaluator).map(({ concept, args }) => registry.keyOf(concept, args))
  const missing = registry.missing(keys)
  if (missing.length === 0) return null
  return { ...refusal('missing-binding', `missing-binding: ${missing.join(', ')}`), keys: missing }
}

function needsEvaluator(clause: Clause): clause is Clause & { readonly concept: string } {
  return clause.eval === 'machine' && clause.missing.length === 0 && clause.concept !== null
}

/** Check 7 (RUN-250). */
function checkUpstream(
  gates: Gates,
  grid: Grid,
  arrow: Arrow,
  { hasRunFirst }: Attempt
):
  | { readonly kind: 'refused'; readonly refusal: DispatchRefusal }
  | { readonly kind: 'first'; readonly chain: readonly Arrow[] }
  | { readonly kind: 'allowed' } {
  const upstream = predecessorOf(grid, arrow)
  if (upstream === null || gates.current(upstream.id)?.status === 'complete') return { kind: 'allowed' }
  if (!hasRunFirst && runsByItself(gates, upstream)) return { kind: 'first', chain: chainUpTo(gates, grid, upstream) }
  // The hand-off from init never refuses: an analyst may start whatever it is (GATE-83).
  if (upstream.sourceRole === 'init') return { kind: 'allowed' }
  const refused = upstreamRefusal(gates, upstream, arrow)
  return refused === null ? { kind: 'allowed' } : { kind: 'refused', refusal: refused }
}

/** Never traversed, none open, and nobody and no model needed for it (GATE-83). */
function runsByItself(gates: Gates, arrow: Arrow): boolean {
  const isNew = gates.history.effective(arrow.id) === null && !hasOpenPass(gates, arrow.id)
  return isNew && isMachineRobust(arrow)
}

function chainUpTo(gates: Gates, grid: Grid, last: Arrow): readonly Arrow[] {
  const chain = [last]
  for (let next = predecessorOf(grid, last); next !== null; next = predecessorOf(grid, next)) {
    const isDone = gates.current(next.id)?.status === 'complete'
    // The chain after init→analyst and integrator→analyst could close on itself only in a grid that is none.
    if (isDone || !runsByItself(gates, next) || chain.includes(next)) break
    chain.unshift(next)
  }
  return chain
}

/** Why the upstream arrow refuses the downstream one, or null when it does not (GATE-84). */
export function upstreamRefusal(gates: Gates, upstream: Arrow, downstream: Arrow): DispatchRefusal | null {
  const current = gates.current(upstream.id)
  if (current === null || current.status === 'complete') return null
  const fields: TransitionFields = {
    upstreamArrow: upstream.id,
    downstreamArrow: downstream.id,
    upstreamStatus: current.status,
    blockingClauses: current.blockingClauses,
    invalidatingGridVersion: gates.invalidations.inForce(upstream.id)?.gridVersion ?? 0
  }
  return transitionRefusal(fields)
}

/** Check 8: the bundle that drives this pass, null where no cycle runs, or `not-wired` (RUN-600, RUN-611). */
function cycleFor(arrow: Arrow, route: Route, slot: AdversarySlot): Cycle | null | 'not-wired' {
  if (!arrow.clauses.some(({ depth }) => depth === 'depth-sensitive')) return null
  if (slot.disabled) return 'not-wired'
  const isOutOfReach = route.outcome === 'gate-locked-conflict' || route.outcome === 'gate-unsatisfiable'
  if (isOutOfReach || arrow.sourceRole === 'init' || arrow.sourceRole === 'adversary') return null
  return slot.cycle ?? 'not-wired'
}

/** Check 9 as a question: the pass itself takes the lock when it opens. */
function lockProblem({ locks }: Gates, role: RoleId, context: string): LockBusy | null {
  const token = locks.acquire(role, context, 'probe')
  if ('refused' in token) return token.refused
  locks.release(token)
  return null
}
