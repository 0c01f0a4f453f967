/** Time as a port, so that a test decides what time it is and nothing waits for real. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Nanoseconds since the epoch; never equal and never less than an earlier answer of this process (SESS-022). */
  nowNs(): bigint
  /** Resolves after `ms` milliseconds, or rejects with the signal's reason as soon as it aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

/** The longest wait a timer of this runtime knows; a longer one would not wait at all. */
export const longestTimerMs = 2 ** 31 - 1

/** The machine's clock; it sleeps for 24 days at most. */
export function systemClock(): Clock {
  let last = 0n
  return {
    now: () => Date.now(),
    nowNs() {
      const wall = BigInt(Date.now()) * 1_000_000n
      last = wall > last ? wall : last + 1n
      return last
    },
    sleep(ms, signal) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason)
        const onAbort = () => {
          clearTimeout(timer)
          reject(signal.reason)
        }
        const timer = setTimeout(
          () => {
            signal.removeEventListener('abort', onAbort)
            resolve()
          },
          Math.min(ms, longestTimerMs)
        )
        signal.addEventListener('abort', onAbort, { once: true })
      })
    }
  }
}
