import { letBugsThrough } from '../../lib/assert.ts'
import { messageOf } from '../../lib/error.ts'

/** Work that nobody waits for and that the session must not end before. */
export interface UnderWay {
  /** A failure of it becomes a line; a bug stops the program. */
  track(work: Promise<unknown>): void
  isEmpty(): boolean
  /** Resolves when all of it has ended. */
  ended(): Promise<void>
}

export type UnderWayOptions = {
  /** Told the line about work that failed. */
  readonly failed: (line: string) => void
  /** Something has ended. */
  readonly changed: () => void
}

/** Nothing is under way at first (RUN-243). */
export function createUnderWay({ failed, changed }: UnderWayOptions): UnderWay {
  const running = new Set<Promise<void>>()
  return {
    track(work) {
      const tracked = settle(work).finally(() => {
        running.delete(tracked)
        changed()
      })
      running.add(tracked)
    },
    isEmpty: () => running.size === 0,
    async ended() {
      await Promise.all(running)
    }
  }

  async function settle(work: Promise<unknown>): Promise<void> {
    try {
      await work
    } catch (thrown) {
      letBugsThrough(thrown)
      failed(`✗ ${messageOf(thrown)}`)
    }
  }
}
