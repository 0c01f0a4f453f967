import type { CommitPorts, Committer } from '../../src/gate/runner/amendment/committer.ts'
import { type AmendmentQueue, createAmendmentQueue } from '../../src/gate/runner/amendment/queue.ts'
import { createWriteLock } from '../../src/gate/runner/amendment/write-lock.ts'
import type { Vocabulary } from '../../src/gate/runner/vocabulary.ts'
import type { EvaluatorRegistry } from '../../src/protocol/evaluation.ts'
import type { Arrow, Grid } from '../../src/protocol/grid.ts'
import type { World } from './gates.ts'

// The committer over a world, with a disk, a registry and a table of arrows that a test can break.

export type CommitScene = Committer & {
  readonly written: Grid[]
  readonly declaredArrows: { readonly ids: readonly string[]; readonly version: number; readonly kind: string }[]
  readonly retained: number[]
  readonly lastRegistry: () => EvaluatorRegistry | null
  /** What fails next. */
  failWrite: Error | null
  failRegistry: Error | null
  failDeclared: Error | null
  /** Answers of the vocabulary, one per question, before all others are null. */
  readonly vocabularyAnswers: (string | null)[]
}

/** A queue of amendments on the bus, the clock and the grid of a world. */
export function queueOf({ gates }: World): AmendmentQueue {
  return createAmendmentQueue({
    bus: gates.bus,
    stamps: gates.stamps,
    phase: gates.phase,
    contextsOfGrid: () => gates.grid.current()?.boundedContexts.length ?? 0,
    warn: gates.ports.warn
  })
}

/** A committer that writes into lists; nothing fails until a test says so. */
export function committerIn(world: World, queue: AmendmentQueue = queueOf(world)): CommitScene {
  const written: Grid[] = []
  const declaredArrows: CommitScene['declaredArrows'] = []
  const retained: number[] = []
  const vocabularyAnswers: (string | null)[] = []
  let last: EvaluatorRegistry | null = null
  const vocabulary: Vocabulary = {
    problem() {
      const text = vocabularyAnswers.shift() ?? null
      return text === null ? null : { at: 'args', text }
    },
    missing: () => [],
    leastCost: () => 0
  }
  const ports: CommitPorts = {
    vocabulary,
    registry() {
      if (scene.failRegistry !== null) throw scene.failRegistry
      last = { ...world.gates.grid.registry() }
      return last
    },
    write(grid) {
      if (scene.failWrite !== null) throw scene.failWrite
      written.push(grid)
    },
    declared(arrows, grid, kind) {
      if (scene.failDeclared !== null) throw scene.failDeclared
      declaredArrows.push({ ids: arrows.map(({ id }: Arrow) => id), version: grid.version, kind })
    },
    retain: (grid) => retained.push(grid.version)
  }
  const scene: CommitScene = {
    gates: world.gates,
    queue,
    lock: createWriteLock(),
    ports,
    written,
    declaredArrows,
    retained,
    lastRegistry: () => last,
    failWrite: null,
    failRegistry: null,
    failDeclared: null,
    vocabularyAnswers
  }
  return scene
}
