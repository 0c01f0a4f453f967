import type { Binding, Grid } from '../../../protocol/grid.ts'
import { validateOpId } from '../op-id.ts'
import { noGrid, type Refusal } from '../refusal.ts'
import {
  type Committer,
  createdAt,
  type FailedCommit,
  putInForce,
  quietly,
  registryFor,
  tamperedRefusal
} from './committer.ts'
import { type GridChange, stageGrid } from './stage.ts'

// Versions of the grid that no queued amendment stands behind: bindings somebody declared, and arrows declared on the spot.

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

/** Steps 3, 5, 6, 6a and 9 for a change no queued amendment stands behind. The caller holds the write lock (RUN-801, INIT-131). */
export function writeVersion(committer: Committer, change: VersionChange, kind: 'append' | 'on-the-spot'): GridOutcome {
  const { gates, queue, ports } = committer
  const grid = gates.grid.current()
  const refused = tamperedRefusal(committer)
  if (grid === null || refused !== null) return refuse(refused ?? noGrid)
  // An amendment that is written and not yet marked must still be recognised in the next version (RUN-725).
  const isUnmarked = grid.amendmentId !== null && queue.head()?.id === grid.amendmentId
  const amendmentId = isUnmarked ? grid.amendmentId : null
  const staged = stageGrid(grid, { ...change, amendmentId, createdAt: createdAt(gates) }, ports.vocabulary)
  if ('refused' in staged) return refuse(staged.refused)
  if (staged.staged.arrows.length === 0 && !staged.staged.hasNewBindings) return { kind: 'written', grid }
  const evaluators = registryFor(committer, staged.staged)
  if ('failed' in evaluators) return failed(evaluators)
  const written = putInForce(committer, staged.staged, evaluators.registry, kind)
  if ('failed' in written) return failed(written)
  quietly(committer, 'retention of grid versions', () => ports.retain(written.grid))
  return { kind: 'written', grid: written.grid }
}

/** What `writeVersion` would refuse a change for, or null; nothing is written (RUN-801). */
export function versionProblem({ gates, ports }: Committer, change: VersionChange): Refusal | null {
  const grid = gates.grid.current()
  if (grid === null) return noGrid
  const staged = stageGrid(grid, { ...change, amendmentId: null, createdAt: grid.createdAt }, ports.vocabulary)
  return 'refused' in staged ? staged.refused : null
}

function failed({ failed: outcome, reason }: { readonly failed: FailedCommit; readonly reason: string }): GridOutcome {
  return { kind: 'failed', outcome, reason }
}

function refuse(refused: Refusal): { readonly kind: 'refused'; readonly refusal: Refusal } {
  return { kind: 'refused', refusal: refused }
}
