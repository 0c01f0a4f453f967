import { messageOf } from '../../../lib/error.ts'
import type { EvaluatorRegistry } from '../../../protocol/evaluation.ts'
import type { Arrow, Binding, Grid } from '../../../protocol/grid.ts'
import { invalidateArrow } from '../acts.ts'
import type { Gates } from '../gates.ts'
import { gridProblem, type Vocabulary } from '../grid-check.ts'
import { validateOpId } from '../op-id.ts'
import { type Refusal, refusal } from '../refusal.ts'
import { type Affected, affectedArrows, differingArrows, fallbackOnly } from './affected.ts'
import type { Amendment } from './amendment.ts'
import type { AmendmentQueue } from './queue.ts'
import { appended, type GridChange, type Staged, stageGrid } from './stage.ts'
import type { WriteLock } from './write-lock.ts'

// The commit of an amendment in its nine steps (RUN-720). Everything that takes time comes first: from the first invalidation to the
// announcement there is no wait, so that no pass and no verdict ever sees a half of it.

export interface CommitPorts {
  readonly vocabulary: Vocabulary
  /** Evaluators with these bindings, as one immutable value. Throws when a binding cannot be registered. */
  registry(bindings: Readonly<Record<string, Binding>>): EvaluatorRegistry
  /** Writes file and pointer in the order of INIT-82, without a wait. Throws; the project is then at the version it had. */
  write(grid: Grid): void
  /** Definitions that came into force with this version, for the table of arrows. */
  declared(arrows: readonly Arrow[], grid: Grid, kind: 'append' | 'on-the-spot'): void
  /** Old versions go, as the grid says (INIT-73). */
  retain(grid: Grid): void
}

export type Committer = {
  readonly gates: Gates
  readonly queue: AmendmentQueue
  readonly lock: WriteLock
  readonly ports: CommitPorts
}

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

/** Words of `amendment-drained` (EVT-300). */
export type FailedCommit = 'partial-append-error' | 'binding-re-register-error' | 'persist-error'

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

/** Commits the amendment at the head of the queue. May be repeated after any failure. */
export function commitAmendment(committer: Committer, command: CommitCommand): Promise<CommitOutcome> {
  return committer.lock.run(async () => {
    const startedAt = committer.gates.ports.clock.now()
    const { gates, queue, ports } = committer
    const { id } = command
    const grid = gates.grid.current()
    const head = queue.head()
    const identity = validateOpId(command.opId)
    if ('refused' in identity) return refuse(identity.refused)
    if (grid === null) return refuse(refusal('no-grid', 'no grid; run `ghyll init` first'))
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
    let registry: EvaluatorRegistry
    try {
      registry = ports.registry(staged.staged.base.languageBindings)
    } catch (cause) {
      return failed(act, 'binding-re-register-error', messageOf(cause), 0)
    }
    const differing = await differingArrows(gates, command.signal)
    if (command.signal.aborted) return refuse(refusal('operator-interrupt'))
    const tampered = gates.tampered()
    if (tampered !== null) return refuse(refusal('gate-file-changed', `gate-file-changed: ${tampered.path}`))
    const affected = affectedArrows(grid.arrows, {
      sourceArrow: head.sourceArrow,
      staged: staged.staged,
      changedArtifacts: command.changedArtifacts,
      differing
    })
    return carryOut(act, staged.staged, registry, affected)
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
  const { gates, amendment, ports, before } = act
  const voided = affected.isSpecChange ? voidArrows(act, affected, before + 1) : interruptSource(act)
  const facts: Facts = {
    before,
    arrowsAdded: staged.arrows.length,
    passesAborted: voided.aborted,
    invalidated: voided.ids,
    fallbackOnly: fallbackOnly(affected)
  }
  if (!affected.isSpecChange && !staged.hasNewBindings) return drained(act, facts, before)

  const next = appended(staged)
  const problem = gridProblem(next, ports.vocabulary)
  if (problem !== null) return failed(act, 'partial-append-error', `${problem.at}: ${problem.text}`, voided.aborted)
  try {
    ports.write(next)
  } catch (cause) {
    return failed(act, 'persist-error', messageOf(cause), voided.aborted)
  }
  gates.grid.swap(next, registry)
  quietly(act, `arrows of ${amendment.id} were not kept`, () => ports.declared(staged.arrows, next, 'append'))
  const outcome = drained(act, facts, next.version)
  quietly(act, 'retention of grid versions', () => ports.retain(next))
  return outcome
}

/** Records the invalidations, tells of them, and takes the passes away (step 4). What never had a pass has nothing to be voided. */
function voidArrows(act: Act, { arrows }: Affected, version: number) {
  const { gates, amendment, opId } = act
  const detail = `amendment ${amendment.id} drained: ${amendment.reason}`
  const ids: string[] = []
  let aborted = 0
  for (const { id } of arrows) {
    if (!hadPass(gates, id)) continue
    const outcome = invalidateArrow(gates, {
      arrowId: id,
      opId,
      reason: detail,
      source: 'amendment',
      gridVersion: version,
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
function interruptSource({ gates, amendment }: Act) {
  const open = gates.passes.all().filter(({ record }) => record.arrowId === amendment.sourceArrow)
  for (const pass of open) gates.passes.abort(pass, `operator-interrupt: amendment ${amendment.id} drained`)
  return { ids: [], aborted: open.length }
}

function hadPass(gates: Gates, arrowId: string): boolean {
  return (
    gates.history.latest(arrowId) !== null ||
    gates.history.effective(arrowId) !== null ||
    gates.passes.all().some(({ record }) => record.arrowId === arrowId)
  )
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

function failed(act: Act, outcome: FailedCommit, reason: string, passesAborted: number): CommitOutcome {
  announce(act, { before: act.before, after: act.before, arrowsAdded: 0, passesAborted }, { outcome, reason })
  return { kind: 'failed', outcome, reason }
}

function announce(
  { gates, amendment, startedAt }: Act,
  facts: Pick<Committed, 'before' | 'after' | 'arrowsAdded' | 'passesAborted'>,
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
      lock_ms: `${Math.max(0, Math.round(gates.ports.clock.now() - startedAt))}`,
      ...ending
    }
  })
}

/** What comes after the grid is in force must not undo it: its trouble is told, and the next start mends it (PERS-411). */
function quietly({ gates }: Pick<Act, 'gates'>, what: string, work: () => void): void {
  try {
    work()
  } catch (cause) {
    gates.ports.warn(what, cause)
  }
}

export type GridOutcome =
  | { readonly kind: 'written'; readonly grid: Grid }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'failed'; readonly outcome: FailedCommit; readonly reason: string }

/** Writes bindings somebody declared, as a version that changes no arrow and voids nothing (INIT-131, GATE-94). */
export function commitBindings(
  committer: Committer,
  bindings: Readonly<Record<string, Binding>>,
  givenOpId: string
): Promise<GridOutcome> {
  return committer.lock.run(async () => {
    const identity = validateOpId(givenOpId)
    if ('refused' in identity) return refuse(identity.refused)
    const { opId } = identity
    return writeVersion(committer, { newArrows: [], bindings, opId }, 'append')
  })
}

export type VersionChange = Omit<GridChange, 'amendmentId' | 'createdAt'>

/** Steps 3, 5, 6, 6a and 9 for a change no queued amendment stands behind. The caller holds the write lock. */
export function writeVersion(
  { gates, queue, ports }: Committer,
  change: VersionChange,
  kind: 'append' | 'on-the-spot'
): GridOutcome {
  const grid = gates.grid.current()
  if (grid === null) return refuse(refusal('no-grid', 'no grid; run `ghyll init` first'))
  const tampered = gates.tampered()
  if (tampered !== null) return refuse(refusal('gate-file-changed', `gate-file-changed: ${tampered.path}`))
  // An amendment that is written and not yet marked must still be recognised in the next version (RUN-725).
  const isUnmarked = grid.amendmentId !== null && queue.head()?.id === grid.amendmentId
  const amendmentId = isUnmarked ? grid.amendmentId : null
  const staged = stageGrid(grid, { ...change, amendmentId, createdAt: createdAt(gates) }, ports.vocabulary)
  if ('refused' in staged) return refuse(staged.refused)
  const { arrows, base, hasNewBindings } = staged.staged
  if (arrows.length === 0 && !hasNewBindings) return { kind: 'written', grid }
  let registry: EvaluatorRegistry
  try {
    registry = ports.registry(base.languageBindings)
  } catch (cause) {
    return { kind: 'failed', outcome: 'binding-re-register-error', reason: messageOf(cause) }
  }
  const next = appended(staged.staged)
  try {
    ports.write(next)
  } catch (cause) {
    return { kind: 'failed', outcome: 'persist-error', reason: messageOf(cause) }
  }
  gates.grid.swap(next, registry)
  quietly({ gates }, 'arrows were not kept', () => ports.declared(arrows, next, kind))
  quietly({ gates }, 'retention of grid versions', () => ports.retain(next))
  return { kind: 'written', grid: next }
}

/** What `writeVersion` would refuse a change for, or null; nothing is written. */
export function versionProblem({ gates, ports }: Committer, change: VersionChange): Refusal | null {
  const grid = gates.grid.current()
  if (grid === null) return refusal('no-grid', 'no grid; run `ghyll init` first')
  const staged = stageGrid(grid, { ...change, amendmentId: null, createdAt: grid.createdAt }, ports.vocabulary)
  return 'refused' in staged ? staged.refused : null
}

/** RFC 3339 to the second, as grid files have it. */
function createdAt({ stamps }: Gates): string {
  return `${stamps.now().slice(0, 19)}Z`
}

function refuse(refused: Refusal): { readonly kind: 'refused'; readonly refusal: Refusal } {
  return { kind: 'refused', refusal: refused }
}
