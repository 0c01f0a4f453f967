import { letBugsThrough } from '../../../lib/assert.ts'
import { messageOf } from '../../../lib/error.ts'
import type { EvaluatorRegistry } from '../../../protocol/evaluation.ts'
import type { Arrow, Binding, Grid } from '../../../protocol/grid.ts'
import type { Gates } from '../gates.ts'
import { gridProblem } from '../grid-check.ts'
import { fileChanged, type Refusal } from '../refusal.ts'
import type { Vocabulary } from '../vocabulary.ts'
import type { AmendmentQueue } from './queue.ts'
import { appended, type Staged } from './stage.ts'
import type { WriteLock } from './write-lock.ts'

// What everything that writes a grid has in common: its ports, its lock, and the steps from a staged version to the one in force.

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

/** Words of `amendment-drained` (EVT-300). */
export type FailedCommit = 'partial-append-error' | 'binding-re-register-error' | 'persist-error'

/** Evaluators for a staged version (step 3), or why there are none (RUN-720, RUN-724). */
export function registryFor(
  { ports }: Committer,
  { base }: Staged
):
  | { readonly registry: EvaluatorRegistry }
  | { readonly failed: 'binding-re-register-error'; readonly reason: string } {
  try {
    return { registry: ports.registry(base.languageBindings) }
  } catch (cause) {
    letBugsThrough(cause)
    return { failed: 'binding-re-register-error', reason: messageOf(cause) }
  }
}

/** Appends, writes, and puts the version in force together with its evaluators (steps 5, 6 and 6a); without a wait (RUN-720). */
export function putInForce(
  committer: Committer,
  staged: Staged,
  registry: EvaluatorRegistry,
  kind: 'append' | 'on-the-spot'
): { readonly grid: Grid } | { readonly failed: 'partial-append-error' | 'persist-error'; readonly reason: string } {
  const { gates, ports } = committer
  const next = appended(staged)
  const problem = gridProblem(next, ports.vocabulary)
  if (problem !== null) return { failed: 'partial-append-error', reason: `${problem.at}: ${problem.text}` }
  try {
    ports.write(next)
  } catch (cause) {
    letBugsThrough(cause)
    return { failed: 'persist-error', reason: messageOf(cause) }
  }
  gates.grid.swap(next, registry)
  for (const { id, requirements } of staged.arrows)
    gates.depths.retain(
      id,
      requirements.map((requirement) => requirement.id)
    )
  quietly(committer, 'arrows of a new grid version were not kept', () => ports.declared(staged.arrows, next, kind))
  return { grid: next }
}

/** What comes after the grid is in force must not undo it: its trouble is told, and the next start mends it (PERS-411). */
export function quietly({ gates }: Pick<Committer, 'gates'>, what: string, work: () => void): void {
  try {
    work()
  } catch (cause) {
    gates.ports.warn(what, cause)
  }
}

/** Why no grid may be written now: a file of the gate has changed (RUN-214). */
export function tamperedRefusal({ gates }: Pick<Committer, 'gates'>): Refusal | null {
  const tampered = gates.tampered()
  return tampered === null ? null : fileChanged(tampered)
}

/** RFC 3339 to the second, as grid files have it. */
export function createdAt({ stamps }: Gates): string {
  return `${stamps.now().slice(0, 19)}Z`
}
