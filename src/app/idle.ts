import type { SessionState } from '../agent/session/index.ts'
import type { Bus } from './bus.ts'

/** Nothing is under way in a session, and nothing more will start by itself. */
export function isIdle({ run, inbox, held }: SessionState): boolean {
  const waits = inbox.length > 0 && !held
  return run.phase === 'ready' && run.ready && run.errands.length === 0 && !run.retrying && !waits
}

/** Resolves when it holds; looked at behind every event, since what runs beside the loop answers a moment later. */
export function becomesTrue(bus: Bus, holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const check = () =>
      setImmediate(() => {
        if (!holds()) return
        stop()
        resolve()
      })
    const stop = bus.subscribe(check)
    check()
  })
}
