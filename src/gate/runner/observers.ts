/**
 * Observers of one store: called at once, in the order they registered, all of them whatever one of them throws (RUN-114). They come
 * before the change is announced on the bus (PERS-300).
 */
export interface Observers<Change> {
  /** Returns the function that ends the observation; calling it twice is harmless. */
  observe(observer: (change: Change) => void): () => void
  notify(change: Change): void
  /** How often one of them threw. */
  failures(): number
}

/** Nobody observes at first. One that throws is told to `warn` and counted; the others still run (RUN-114). */
export function createObservers<Change>(
  name: string,
  warn: (message: string, cause: unknown) => void
): Observers<Change> {
  const observers = new Set<{ readonly call: (change: Change) => void }>()
  let failures = 0
  return {
    observe(call) {
      const entry = { call }
      observers.add(entry)
      return () => {
        observers.delete(entry)
      }
    },
    notify(change) {
      for (const { call } of [...observers]) {
        try {
          call(change)
        } catch (cause) {
          failures += 1
          warn(`${name}: an observer failed`, cause)
        }
      }
    },
    failures: () => failures
  }
}
