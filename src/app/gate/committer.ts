import { applyRetention, vocabularyOf, writeGrid } from '../../gate/bootstrap/index.ts'
import type { Catalogue } from '../../gate/catalogue/index.ts'
import type { Engine } from '../../gate/engine/index.ts'
import {
  type AmendmentQueue,
  type CommitPorts,
  type Committer,
  createAmendmentQueue,
  createWriteLock
} from '../../gate/runner/amendment/index.ts'
import type { Gates } from '../../gate/runner/index.ts'
import type { Logger } from '../../platform/log.ts'
import type { WatchedFiles } from './watched-files.ts'

export type CommitterOptions = {
  readonly gates: Gates
  readonly queue: AmendmentQueue
  readonly engine: Pick<Engine, 'journal'>
  readonly catalogue: Catalogue
  readonly projectDir: string
  readonly files: Pick<WatchedFiles, 'gridWritten'>
  /** Evaluators with these bindings in place of those in force. */
  readonly registry: CommitPorts['registry']
  readonly log: Pick<Logger, 'warn'>
}

/** Everything in this process that writes a grid goes through this one (RUN-116): on disk, in the table of arrows, in force. */
export function openCommitter(options: CommitterOptions): Committer {
  const { gates, queue, engine, catalogue, projectDir, files, registry, log } = options
  return {
    gates,
    queue,
    lock: createWriteLock(),
    ports: {
      vocabulary: vocabularyOf(catalogue),
      registry,
      write(grid) {
        files.gridWritten(writeGrid(projectDir, grid, catalogue))
      },
      declared(arrows, grid, kind) {
        const declaredAt = gates.stamps.now()
        engine
          .journal()
          ?.arrowsDeclared(arrows.map((arrow) => ({ ...arrow, gridVersion: grid.version, kind, declaredAt })))
      },
      retain(grid) {
        const inUse = new Set([grid.version, ...gates.passes.all().map(({ record }) => record.gridVersion)])
        const { warnings } = applyRetention(projectDir, grid.retention, inUse, gates.ports.clock.now())
        for (const text of warnings) log.warn(`gate: ${text}`)
      }
    }
  }
}

/** The amendments of earlier processes, pending and drained, and those to come (RUN-701). Filled before the engine is attached. */
export function openAmendments(
  { bus, stamps, phase, grid, ports }: Gates,
  engine: Pick<Engine, 'amendments' | 'journal'>
): AmendmentQueue {
  const contextsOfGrid = () => grid.current()?.boundedContexts.length ?? 1
  const queue = createAmendmentQueue({ bus, stamps, phase, contextsOfGrid, warn: ports.warn })
  queue.load(engine.amendments)
  queue.observe((amendment) => engine.journal()?.amendmentChanged(amendment))
  return queue
}
