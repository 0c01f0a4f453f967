import type { Clock } from '../../lib/clock.ts'
import type { TimeLimits } from './limits.ts'

export type Watchdog = {
  /** Aborts when time is up. */
  readonly signal: AbortSignal
  /** What took too long, as the text of the failure, or null while all is well. */
  readonly expired: string | null
  /** An event arrived: from now on the gap between events counts. */
  feed(): void
  stop(): void
}

/**
 * Watches one attempt (MODEL-039). The wait for the first event belongs to the wait for the headers, because many servers send
 * these before they have read the prompt. One timer runs at a time; an event only moves the deadline.
 */
export function watchdog(clock: Clock, limits: TimeLimits): Watchdog {
  const abort = new AbortController()
  let sleep = new AbortController()
  let deadline = clock.now() + limits.headersMs
  let limitMs = limits.headersMs
  let hasEvents = false
  let stopped = false
  let expired: string | null = null

  const watch = async () => {
    while (!stopped) {
      const left = deadline - clock.now()
      if (left <= 0) {
        expired = hasEvents ? `no event for ${limitMs / 1000} s` : `no response within ${limitMs / 1000} s`
        return abort.abort()
      }
      // Woken early: the deadline moved nearer, or it is over.
      await clock.sleep(left, sleep.signal).catch(() => undefined)
    }
  }
  void watch()

  return {
    signal: abort.signal,
    get expired() {
      return expired
    },
    feed() {
      hasEvents = true
      limitMs = limits.gapMs
      const next = clock.now() + limitMs
      const isNearer = next < deadline
      deadline = next
      if (!isNearer) return
      sleep.abort()
      sleep = new AbortController()
    },
    stop() {
      stopped = true
      sleep.abort()
    }
  }
}
