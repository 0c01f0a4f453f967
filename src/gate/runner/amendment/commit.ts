import type { EvaluatorRegistry } from '../../../protocol/evaluation.ts'
import type { Arrow, Binding } from '../../../protocol/grid.ts'
import { invalidateArrow } from '../acts.ts'
import { listText } from '../event-kinds.ts'
import { validateOpId } from '../op-id.ts'
import { noGrid, type Refusal, refusal } from '../refusal.ts'
import { type Affected, affectedArrows, differingArrows, fallbackOnly, hadPass } from './affected.ts'
import type { Amendment } from './amendment.ts'
import {
  type Committer,
  createdAt,
  type FailedCommit,
  putInForce,
  quietly,
  registryFor,
  tamperedRefusal
} from './committer.ts'
import { type Staged, stageGrid } from './stage.ts'

// The commit of an amendment in its nine steps (RUN-720). Everything that takes time comes first: from the first invalidation to the
// announcement there is no wait, so that no pass and no verdict ever sees a half of it.

/** What goes into the grid with an amendment. */
export type AmendmentContent = {
  readonly newArrows: readonly Arrow[]
  readonly newBindings: Readonly<Record<string, Binding>>
  /** Paths, `path#Heading` or manual ids. */
  readonly changedArtifacts: readonly string[]
}

export type CommitCommand = AmendmentContent & {
  readonly id: string
  readonly opId: string
  readonly signal: AbortSignal
}

export type Committed = {
  readonly kind: 'committed'
  readonly id: string
  readonly before: number
  readonly after: number
  readonly arrowsAdded: number
  readonly passesAborted: number
  readonly invalidated: readonly string[]
  /** Of the affected, those that only lack declared dependencies (GATE-90). */
  readonly fallbackOnly: number
}

export type CommitOutcome =
  | Committed
  /** Nothing has changed. */
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** It is still pending; what was voided stays void (RUN-721). */
  | { readonly kind: 'failed'; readonly outcome: FailedCommit; readonly reason: string }

/** Commits the amendment at the head of the queue. May be repeated after any failure (RUN-720, RUN-721). */
export function commitAmendment(committer: Committer, command: CommitCommand): Promise<CommitOutcome> {
  return committer.lock.run(async () => {
    const startedAt = committer.gates.ports.clock.now()
    const { gates, queue, ports } = committer
    const { id } = command
    const grid = gates.grid.current()
    const head = queue.head()
    const identity = validateOpId(command.opId)
    if ('refused' in identity) return refuse(identity.refused)
    if (grid === null) return refuse(noGrid)
    if (head?.id !== id) {
      const text = `amendment-commit: FIFO violation: expected "${id}" at head, got "${head?.id ?? ''}"`
      return refuse(refusal('amendment-fifo-violation', text))
    }
    const act: Act = { ...committer, amendment: head, opId: identity.opId, before: grid.version, startedAt }
    // A process died between the grid file and this mark: the file says that it is done (RUN-725).
    if (grid.amendmentId === id) return drained(act, { ...nothing, before: grid.version - 1 }, grid.version)

    const change = {
      newArrows: command.newArrows,
      bindings: command.newBindings,
      amendmentId: id,
      opId: identity.opId,
      createdAt: createdAt(gates)
    }
    const staged = stageGrid(grid, change, ports.vocabulary)
    if ('refused' in staged) return refuse(staged.refused)
    const evaluators = registryFor(committer, staged.staged)
    if ('failed' in evaluators) return failed(act, evaluators, { ...nothing, before: grid.version })
    const differing = await differingArrows(gates, command.signal)
    if (command.signal.aborted) return refuse(refusal('operator-interrupt'))
    const tampered = tamperedRefusal(committer)
    if (tampered !== null) return refuse(tampered)
    const affected = affectedArrows(grid.arrows, {
      sourceArrow: head.sourceArrow,
      staged: staged.staged,
      changedArtifacts: command.changedArtifacts,
      differing
    })
    return carryOut(act, staged.staged, evaluators.registry, affected)
  })
}

type Act = Committer & {
  readonly amendment: Amendment
  readonly opId: string
  readonly before: number
  readonly startedAt: number
}

/** Steps 4 to 9, without a wait. */
function carryOut(act: Act, staged: Staged, registry: EvaluatorRegistry, affected: Affected): CommitOutcome {
  const { ports, before } = act
  const voided = affected.isSpecChange ? voidArrows(act, affected, before + 1) : interruptSource(act)
  const facts: Facts = {
    before,
    arrowsAdded: staged.arrows.length,
    passesAborted: voided.aborted,
    invalidated: voided.ids,
    fallbackOnly: fallbackOnly(affected, voided.ids)
  }
  if (!affected.isSpecChange && !staged.hasNewBindings) return drained(act, facts, before)

  const written = putInForce(act, staged, registry, 'append')
  if ('failed' in written) return failed(act, written, facts)
  const outcome = drained(act, facts, written.grid.version)
  quietly(act, 'retention of grid versions', () => ports.retain(written.grid))
  return outcome
}

/** Records the invalidations, tells of them, and takes the passes away (step 4). What never had a pass has nothing to be voided. */
function voidArrows(act: Act, { arrows }: Affected, version: number) {
  const { gates, amendment, opId } = act
  const detail = `amendment ${amendment.id} drained: ${amendment.reason}`
  const ids: string[] = []
  let aborted = 0
  for (const { id, because } of arrows) {
    if (!hadPass(gates, id)) continue
    const outcome = invalidateArrow(gates, {
      arrowId: id,
      opId,
      reason: detail,
      source: 'amendment',
      gridVersion: version,
      because,
      closeReason: `invalidated: ${detail}`
    })
    if (outcome.kind === 'refused') gates.ports.warn(`${id} was not invalidated: ${outcome.refusal.text}`, undefined)
    else {
      ids.push(id)
      aborted += outcome.aborted.length
    }
  }
  return { ids, aborted }
}

/** A commit that voids nothing still takes away what is open on the arrow that asked for it (RUN-722). */
function interruptSource({ gates, amendment }: Act): { readonly ids: readonly string[]; readonly aborted: number } {
  const open = gates.passes.all().filter(({ record }) => record.arrowId === amendment.sourceArrow)
  for (const pass of open) gates.passes.abort(pass, `operator-interrupt: amendment ${amendment.id} drained`)
  return { ids: [], aborted: open.length }
}

type Facts = Omit<Committed, 'kind' | 'id' | 'after'>

const nothing: Facts = { before: 0, arrowsAdded: 0, passesAborted: 0, invalidated: [], fallbackOnly: 0 }

/** Marks the amendment and tells that it is done (steps 7 and 8). */
function drained(act: Act, facts: Facts, after: number): Committed {
  const { queue, amendment } = act
  queue.markDrained(amendment.id, after)
  announce(act, { ...facts, after }, { outcome: 'complete' })
  return { kind: 'committed', id: amendment.id, ...facts, after }
}

function failed(
  act: Act,
  { failed: outcome, reason }: { readonly failed: FailedCommit; readonly reason: string },
  facts: Facts
): CommitOutcome {
  announce(act, { ...facts, after: act.before, arrowsAdded: 0 }, { outcome, reason })
  return { kind: 'failed', outcome, reason }
}

function announce(
  { gates, amendment, startedAt }: Act,
  facts: Omit<Committed, 'kind' | 'id'>,
  ending: { readonly outcome: 'complete' } | { readonly outcome: FailedCommit; readonly reason: string }
): void {
  gates.bus.publish({
    kind: 'amendment-drained',
    arrow_id: amendment.sourceArrow,
    payload: {
      amendment_id: amendment.id,
      source_arrow: amendment.sourceArrow,
      grid_version_before: `${facts.before}`,
      grid_version_after: `${facts.after}`,
      arrows_added: `${facts.arrowsAdded}`,
      passes_aborted: `${facts.passesAborted}`,
      invalidated: listText(facts.invalidated),
      fallback_only: `${facts.fallbackOnly}`,
      lock_ms: `${Math.max(0, Math.round(gates.ports.clock.now() - startedAt))}`,
      ...ending
    }
  })
}

function refuse(refused: Refusal): { readonly kind: 'refused'; readonly refusal: Refusal } {
  return { kind: 'refused', refusal: refused }
}
