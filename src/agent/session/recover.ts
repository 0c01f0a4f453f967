import { messageOf } from '../../lib/error.ts'
import type { DurableEvent } from '../../protocol/event.ts'
import { makeRecoveredCheckpoint } from './checkpoint.ts'
import { type Item, notice } from './facts.ts'
import type { Ports, Predecessor } from './ports.ts'
import { settleCrash } from './settle-crash.ts'
import type { SessionState } from './state.ts'

/** Longest that recovery may keep the prompt waiting, milliseconds (SESS-104). */
const recoveryMs = 5000

/**
 * INIT step 17: closes the sessions a crash left active, and offers what the previous one never sent (SESS-102, SESS-103). What
 * does not come to its end in time, or fails, is logged and left to the next start.
 */
export async function recover(state: SessionState, ports: Ports): Promise<readonly Item[]> {
  const others = ports.store.predecessors(state.session)
  const over = new AbortController()
  const isLate = ports.clock.sleep(recoveryMs, over.signal).then(
    () => true,
    () => false
  )
  for (const predecessor of others.filter((other) => other.state === 'active')) {
    const done = closeCrashed(predecessor, state, ports, over.signal).then(() => false)
    if (await Promise.race([done, isLate])) {
      ports.log(`recovery took longer than ${recoveryMs / 1000} s; the rest is left to the next start`)
      break
    }
  }
  over.abort()
  const previous = others[0]
  if (previous === undefined) return []
  const unsent = ports.store.pending(previous.session).filter((row) => row.kind === 'input').length
  if (unsent === 0) return []
  const offer = `${unsent} unsent inputs from the previous session; /restore to queue them`
  return [{ fact: 'unsent-found', session: previous.session }, notice('info', offer)]
}

async function closeCrashed(
  { session }: Predecessor,
  { rules }: SessionState,
  ports: Ports,
  signal: AbortSignal
): Promise<void> {
  try {
    const at = ports.clock.now()
    const found = settleCrash(session, rules, ports.store.load(session), at, ports.ids)
    ports.store.record(found.events)
    const late: DurableEvent[] = []
    if (found.owesCheckpoint) {
      const { stored, items } = await makeRecoveredCheckpoint(found.state, ports)
      for (const item of items) if ('text' in item) ports.log(`recovery of ${session}: ${item.text}`)
      // Given up meanwhile: the next start finds the session active still, and settles nothing twice.
      if (signal.aborted) return
      if (stored !== null) {
        const { receipt, draft } = stored
        const { turn, summary } = draft
        late.push({ kind: 'checkpoint-created', ...receipt, turn, summary, session, at })
      }
    }
    ports.store.record([...late, { kind: 'session-closed', session, at }])
  } catch (error) {
    ports.log(`recovery of ${session}: ${messageOf(error)}`)
  }
}
