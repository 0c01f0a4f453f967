/** The project-wide lock of everything that writes a grid (RUN-116, RUN-720 step 1): whoever comes second waits, in order. */
export interface WriteLock {
  run<Result>(work: () => Promise<Result>): Promise<Result>
}

/** A lock nobody holds (RUN-116). */
export function createWriteLock(): WriteLock {
  let last: Promise<unknown> = Promise.resolve()
  return {
    run(work) {
      const result = last.then(work)
      // The next one waits for the end of this, however it ends.
      last = result.catch(() => undefined)
      return result
    }
  }
}
