import { letBugsThrough } from '../../../lib/assert.ts'
import type { Arrow } from '../../../protocol/grid.ts'
import type { Gates } from '../gates.ts'
import { outdatedOf } from '../outdated.ts'
import type { ArtifactState } from '../ports.ts'
import { predecessorOf } from '../predecessor.ts'
import type { Outdated } from '../records.ts'
import { refusal } from '../refusal.ts'
import { type Attempt, check, upstreamRefusal } from './checks.ts'
import { runPass } from './run.ts'
import type { DispatchOutcome, DispatchRefusal, DispatchRequest, MissingBinding, Plan } from './types.ts'
import { abortReason } from './work.ts'

/**
 * Runs an arrow (RUN-200). What has to come first is asked for or run first; after every such wait all checks start again (RUN-212). The
 * checks that let it through and the opening of the pass are one section without a wait.
 */
export function dispatch(gates: Gates, request: DispatchRequest): Promise<DispatchOutcome> {
  return attemptUntilOpen(gates, request, false)
}

/** `isPredecessor`: what has to come before this arrow is being run already, from the top. */
async function attemptUntilOpen(
  gates: Gates,
  request: DispatchRequest,
  isPredecessor: boolean
): Promise<DispatchOutcome> {
  let hasRunFirst = isPredecessor
  for (;;) {
    const attempt: Attempt = { request, artifact: await artifactNow(gates, request), hasRunFirst }
    const outdated = await outdatedUpstream(gates, request)
    if (request.signal.aborted)
      return refuse(gates, request, refusal('operator-interrupt', abortReason(request.signal)))
    const checked = check(gates, attempt)
    switch (checked.kind) {
      case 'refused':
        return refuse(gates, request, checked.refusal)
      case 'cached':
        return { kind: 'cached', arrowId: request.arrowId, passId: checked.passId }
      case 'declare': {
        announceMissing(gates, checked.refusal)
        const { arrowId, signal } = request
        const isDeclared = await gates.ports.bindingPrompt?.declare(checked.refusal.keys, { arrowId, signal })
        if (isDeclared !== true) return { kind: 'refused', refusal: checked.refusal }
        break
      }
      case 'first': {
        const ended = await runFirst(gates, request, checked.chain)
        if (ended !== null) return ended
        hasRunFirst = true
        break
      }
      case 'ready':
        if (outdated !== null) request.onOutdated?.(outdated)
        return open(gates, request, checked.plan)
    }
  }
}

/** Opens the pass and runs it. Called without a wait since the checks. */
async function open(gates: Gates, request: DispatchRequest, plan: Plan): Promise<DispatchOutcome> {
  const { arrow, route } = plan
  const opened = gates.passes.open({
    role: arrow.sourceRole,
    context: request.context ?? arrow.context,
    arrow,
    gridVersion: gates.grid.current()?.version ?? 0,
    actualTier: route.actualTier,
    opId: request.opId
  })
  if ('refused' in opened) return refuse(gates, request, opened.refused)
  const { pass } = opened
  const signal = AbortSignal.any([request.signal, pass.work.signal])
  const result = await runPass({ gates, pass, plan, signal, depth: request.depth ?? 0 })
  return { kind: 'dispatched', result }
}

/** What the arrow's artifact is now, where an answer without a pass is possible at all (RUN-213). */
async function artifactNow(gates: Gates, { arrowId, signal }: DispatchRequest): Promise<ArtifactState | null> {
  const arrow = gates.grid.arrow(arrowId)
  if (!gates.phase.isAttached() || arrow === null || arrow.dependencies === null) return null
  if (gates.current(arrowId)?.status !== 'complete') return null
  try {
    return await gates.ports.artifacts.take(arrow, signal)
  } catch (cause) {
    letBugsThrough(cause)
    // Not knowable: then a full pass runs, which says so.
    gates.ports.warn(`artifact of ${arrowId} could not be read`, cause)
    return null
  }
}

async function outdatedUpstream(
  gates: Gates,
  { arrowId, signal, onOutdated }: DispatchRequest
): Promise<Outdated | null> {
  const grid = gates.grid.current()
  const arrow = gates.grid.arrow(arrowId)
  const upstream = grid === null || arrow === null ? null : predecessorOf(grid, arrow)
  if (onOutdated === undefined || upstream === null || !gates.phase.isAttached()) return null
  try {
    return await outdatedOf(gates, upstream, signal)
  } catch (cause) {
    letBugsThrough(cause)
    gates.ports.warn(`artifact of ${upstream.id} could not be read`, cause)
    return null
  }
}

/**
 * Runs the predecessors from the top, each as an ordinary pass. The first that does not become complete ends the attempt with its
 * refusal; the hand-off from init never does (RUN-250, GATE-83). null: go on.
 */
async function runFirst(
  gates: Gates,
  request: DispatchRequest,
  chain: readonly Arrow[]
): Promise<DispatchOutcome | null> {
  for (const [place, arrow] of chain.entries()) {
    const { opId, signal, onPredecessor } = request
    const outcome = await attemptUntilOpen(gates, { arrowId: arrow.id, opId, signal }, true)
    onPredecessor?.(arrow.id, outcome)
    if (signal.aborted) return refuse(gates, request, refusal('operator-interrupt', abortReason(signal)))
    if (arrow.sourceRole === 'init') continue
    if (outcome.kind === 'refused') return outcome
    const next = chain[place + 1] ?? gates.grid.arrow(request.arrowId)
    const refused = next === null ? null : upstreamRefusal(gates, arrow, next)
    if (refused !== null) return refuse(gates, request, refused)
  }
  return null
}

/** The few refusals that are told on the bus as well (EVT-207). */
function refuse(gates: Gates, request: DispatchRequest, refused: DispatchRefusal): DispatchOutcome {
  if (refused.code === 'missing-binding') announceMissing(gates, refused as MissingBinding)
  if ('upstreamArrow' in refused) {
    gates.bus.publish({
      kind: 'transition-refused',
      arrow_id: request.arrowId,
      role: gates.grid.arrow(request.arrowId)?.sourceRole ?? 'init',
      payload: {
        upstream_arrow: refused.upstreamArrow,
        upstream_status: refused.upstreamStatus,
        outcome: refused.code === 'transition-refused' ? 'refused' : 'refused-invalidated'
      }
    })
  }
  return { kind: 'refused', refusal: refused }
}

function announceMissing(gates: Gates, { keys }: MissingBinding): void {
  gates.bus.publish({ kind: 'binding-missing', payload: { count: `${keys.length}`, keys: keys.join(',') } })
}
