import type { Ports } from './ports.ts'

/** Longest wait for something to end after its abort, milliseconds (SESS-049). */
const teardownMs = 5000

/** `work`, but no longer than five seconds beyond an abort: then `otherwise`, and a line in the log (SESS-049). */
export async function withinTeardown<T>(
  ports: Pick<Ports, 'clock' | 'log'>,
  work: Promise<T>,
  signal: AbortSignal,
  what: string,
  otherwise: T
): Promise<T> {
  const done = new AbortController()
  const late = new Promise<T>((resolve) => {
    const onAbort = () => {
      ports.clock.sleep(teardownMs, done.signal).then(
        () => {
          ports.log(`${what} did not end within ${teardownMs / 1000} s of its abort`)
          resolve(otherwise)
        },
        // The work ended first.
        () => undefined
      )
    }
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true, signal: done.signal })
  })
  try {
    return await Promise.race([work, late])
  } finally {
    done.abort()
  }
}
