import type { Clock } from '../../src/lib/clock.ts'

/** A clock that moves only when told to. */
export type ManualClock = Clock & {
  /** Lets `ms` pass: sleeps that end meanwhile resolve in the order of their ends. */
  advance(ms: number): Promise<void>
  /** Milliseconds of every sleep that was begun, in order. */
  readonly slept: readonly number[]
  /** Resolves as soon as somebody sleeps. */
  sleeper(): Promise<void>
}

type Sleep = { readonly end: number; wake(): void }

/** Starts at `start`, milliseconds since the epoch. */
export function manualClock(start = Date.UTC(2026, 0, 1)): ManualClock {
  let now = start
  let lastNs = 0n
  const sleeps = new Set<Sleep>()
  const slept: number[] = []
  const lookouts = new Set<() => void>()

  return {
    slept,
    now: () => now,
    nowNs() {
      const wall = BigInt(now) * 1_000_000n
      lastNs = wall > lastNs ? wall : lastNs + 1n
      return lastNs
    },
    sleep(ms, signal) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason)
        slept.push(ms)
        const onAbort = () => {
          sleeps.delete(sleep)
          reject(signal.reason)
        }
        const sleep: Sleep = {
          end: now + ms,
          wake() {
            sleeps.delete(sleep)
            signal.removeEventListener('abort', onAbort)
            resolve()
          }
        }
        sleeps.add(sleep)
        signal.addEventListener('abort', onAbort, { once: true })
        for (const found of [...lookouts]) found()
        lookouts.clear()
      })
    },
    async advance(ms) {
      const target = now + ms
      for (;;) {
        const next = [...sleeps].filter((sleep) => sleep.end <= target).sort((a, b) => a.end - b.end)[0]
        if (next === undefined) break
        now = next.end
        next.wake()
        // Whoever woke may go to sleep again before the target; a turn of the event loop lets it get there.
        await new Promise((resolve) => setImmediate(resolve))
      }
      now = target
    },
    sleeper() {
      return sleeps.size > 0 ? Promise.resolve() : new Promise((resolve) => lookouts.add(resolve))
    }
  }
}
