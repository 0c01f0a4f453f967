import type { Session } from '../agent/session/index.ts'
import type { Bus } from './bus.ts'

/** Resolves when nothing is under way in the session and nothing more will start by itself. */
export function becomesIdle(session: Session, bus: Bus): Promise<void> {
  const isIdle = () => {
    const { run, inbox, held } = session.state()
    const waits = inbox.length > 0 && !held
    return run.phase === 'ready' && run.ready && run.errands.length === 0 && !run.retrying && !waits
  }
  return new Promise((resolve) => {
    // Commands that run beside the loop answer a moment later; the check follows the events of this moment.
    const check = () =>
      setImmediate(() => {
        if (!isIdle()) return
        stop()
        resolve()
      })
    const stop = bus.subscribe(check)
    check()
  })
}
