import type { Clock } from '../../lib/clock.ts'

/** Runs ticks in the background, one after the other (MEM-078). */
export interface TickLoop {
  /** A tick two seconds from now, counted anew with every call. */
  nudge(): void
  /** Ends the loop; the tick under way is aborted. */
  stop(): Promise<void>
}

const debounceMs = 2000

/** Calls `tick` every `intervalMs` and two seconds after nudges until it is stopped (MEM-078). `tick` does not reject. */
export function startTickLoop(
  tick: (signal: AbortSignal) => Promise<unknown>,
  { clock, intervalMs }: { readonly clock: Pick<Clock, 'now' | 'sleep'>; readonly intervalMs: number }
): TickLoop {
  const end = new AbortController()
  let wake = new AbortController()
  let nudgedUntil = Number.POSITIVE_INFINITY
  const running = run()
  running.catch(() => undefined) // a bug of `tick`, for `stop` to tell

  async function run(): Promise<void> {
    let regular = clock.now() + intervalMs
    while (!end.signal.aborted) {
      const due = Math.min(regular, nudgedUntil)
      if (await sleepUntil(due)) {
        nudgedUntil = Number.POSITIVE_INFINITY
        await tick(end.signal)
        regular = clock.now() + intervalMs
      }
    }
  }

  /** False when something changed before the time came. */
  async function sleepUntil(due: number): Promise<boolean> {
    const { signal } = wake
    try {
      await clock.sleep(Math.max(0, due - clock.now()), signal)
      return true
    } catch (error) {
      if (!signal.aborted) throw error
      wake = new AbortController()
      return false
    }
  }

  return {
    nudge() {
      nudgedUntil = clock.now() + debounceMs
      wake.abort()
    },
    stop() {
      end.abort()
      wake.abort()
      return running
    }
  }
}
