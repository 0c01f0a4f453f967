import type { Clock } from '../../lib/clock.ts'
import type { DurableEvent } from '../../protocol/event.ts'
import { StoreFailure } from './errors.ts'

// A disk that is full for a while must not end a session in the middle of its work (SESS-160). What it refuses waits here, in order,
// and goes down with the next change it takes; a crash before that loses what waits, which is why the trouble is told.

/** Shortest pause before another try, milliseconds; a failure that took long, such as a lock waited for, is given longer. */
const pauseMs = 1000

export type Backlog = {
  /** Writes `events` behind whatever waits. Never fails for trouble with the disk; a bug comes through. */
  write(events: readonly DurableEvent[]): void
  /** Writes what waits, now. Throws `StoreFailure`, and it waits on. */
  settle(): void
}

/** `onTrouble` hears of the first refusal of a row of them, and null when everything is down again. */
export function createBacklog(parts: {
  readonly clock: Pick<Clock, 'now'>
  /** All of them in one transaction, or none. Throws `StoreFailure`. */
  readonly commit: (events: readonly DurableEvent[]) => void
  readonly onTrouble: (failure: StoreFailure | null) => void
}): Backlog {
  const { clock, commit, onTrouble } = parts
  let waiting: readonly DurableEvent[] = []
  let retryAt = 0

  function settle(): void {
    if (waiting.length === 0) return
    commit(waiting)
    waiting = []
    onTrouble(null)
  }

  function refused(failure: StoreFailure, events: readonly DurableEvent[], began: number): void {
    const isFirst = waiting.length === 0
    waiting = [...waiting, ...events]
    retryAt = clock.now() + Math.max(pauseMs, 4 * (clock.now() - began))
    if (isFirst) onTrouble(failure)
  }

  return {
    settle,
    write(events) {
      const began = clock.now()
      if (waiting.length > 0 && began < retryAt) {
        waiting = [...waiting, ...events]
        return
      }
      try {
        settle()
        commit(events)
      } catch (error) {
        if (!(error instanceof StoreFailure)) throw error
        refused(error, events, began)
      }
    }
  }
}
