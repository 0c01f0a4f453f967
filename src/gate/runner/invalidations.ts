import { createObservers } from './observers.ts'
import type { Phase } from './phase.ts'
import type { Invalidation } from './records.ts'
import type { Stamps } from './stamp.ts'

/**
 * What voids an arrow until a pass that opened later becomes its effective one (GATE-56, RUN-850). One record per arrow, the latest; it
 * stays when it stops applying, since verdicts older than it stay void (RUN-232).
 */
export interface Invalidations {
  /** Records one; the observers see it before anybody is told. */
  record(given: Omit<Invalidation, 'at' | 'consumedByPass'>): Invalidation
  inForce(arrowId: string): Invalidation | null
  latest(arrowId: string): Invalidation | null
  /** Ends this very record; a later one on the same arrow is left alone. The pass's own row change tells the journal. */
  consume(invalidation: Invalidation, passId: string): void
  load(invalidations: Iterable<Invalidation>): void
  observe(observer: (invalidation: Invalidation) => void): () => void
  failures(): number
}

/** Nothing is void yet; what earlier processes recorded comes by `load` (RUN-850). */
export function createInvalidations(options: {
  readonly stamps: Stamps
  readonly phase: Phase
  readonly warn: (message: string, cause: unknown) => void
}): Invalidations {
  const { stamps, phase, warn } = options
  const byArrow = new Map<string, Invalidation>()
  const observers = createObservers<Invalidation>('invalidations', warn)
  const latest = (arrowId: string) => {
    const found = byArrow.get(arrowId)
    return found === undefined ? null : { ...found }
  }
  return {
    record(given) {
      const invalidation: Invalidation = { ...given, at: stamps.now(), consumedByPass: null }
      byArrow.set(given.arrowId, invalidation)
      observers.notify({ ...invalidation })
      return { ...invalidation }
    },
    inForce(arrowId) {
      const found = latest(arrowId)
      return found?.consumedByPass === null ? found : null
    },
    latest,
    consume({ arrowId, at }, passId) {
      const current = byArrow.get(arrowId)
      if (current?.at === at && current.consumedByPass === null)
        byArrow.set(arrowId, { ...current, consumedByPass: passId })
    },
    load(loaded) {
      phase.loading()
      for (const invalidation of loaded) {
        byArrow.set(invalidation.arrowId, invalidation)
        stamps.after(invalidation.at)
      }
    },
    observe: observers.observe,
    failures: observers.failures
  }
}
