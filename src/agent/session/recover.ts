import { Failure, messageOf } from '../../lib/error.ts'
import type { DurableEvent, InboxRow } from '../../protocol/event.ts'
import type { Predecessor } from '../../protocol/session-store.ts'
import { makeRecoveredCheckpoint } from './checkpoint.ts'
import { type Item, notice } from './facts.ts'
import type { Ports } from './ports.ts'
import { settleCrash } from './settle-crash.ts'
import type { SessionState } from './state.ts'

/** Longest that recovery may keep the prompt waiting, milliseconds (SESS-104). */
const recoveryMs = 5000

/**
 * INIT step 17: closes the sessions a crash left active, makes up for the last checkpoint of those that could not store theirs, and
 * offers what the previous one never sent (SESS-102, SESS-103). What does not come to its end in time, or fails, is logged and left to
 * the next start.
 */
export async function recover(state: SessionState, ports: Ports): Promise<readonly Item[]> {
  try {
    return await settleAll(state, ports)
  } catch (error) {
    // A store that cannot be read is no reason not to start with it.
    if (!(error instanceof Failure)) throw error
    return [notice('warning', `what the previous session left is not settled: ${error.message}`, error.hint)]
  }
}

async function settleAll(state: SessionState, ports: Ports): Promise<readonly Item[]> {
  const others = ports.store.predecessors(state.session)
  const over = new AbortController()
  const isLate = ports.clock.sleep(recoveryMs, over.signal).then(
    () => 'late' as const,
    () => 'late' as const
  )
  let reachedSound = false
  let hasCrashed = false
  for (const predecessor of others) {
    // Behind the newest one that ended as it should only crashed ones are looked for.
    if (predecessor.state === 'closed' && reachedSound) continue
    const outcome = await Promise.race([makeUp(predecessor, state, ports, over.signal), isLate])
    if (outcome === 'sound') reachedSound = true
    if (outcome === 'resumable' && predecessor === others[0]) hasCrashed = true
    if (outcome === 'late') {
      ports.log(`recovery took longer than ${recoveryMs / 1000} s; the rest is left to the next start`)
      break
    }
  }
  over.abort()
  const previous = others[0]
  if (previous === undefined) return []
  // Whoever resumes already hears from where.
  const isTold = hasCrashed && ports.resume === undefined
  const told = isTold ? [notice('info', 'the previous session broke off; ghyll run --resume goes on from it')] : []
  const unsent = unsentRows(ports.store.pending(previous.session)).length
  if (unsent === 0) return told
  const offer = `${unsent} unsent inputs from the previous session; /restore to queue them`
  return [...told, { fact: 'unsent-found', session: previous.session }, notice('info', offer)]
}

/** What the operator typed and never sent; what came from elsewhere is not theirs to send again (SESS-103). */
export function unsentRows(pending: readonly InboxRow[]): readonly InboxRow[] {
  return pending.filter(({ kind, origin }) => kind === 'input' && origin === 'operator')
}

/** `sound`: it had turns, was closed, and owed nothing. `resumable`: it crashed, and there is a checkpoint of it. */
async function makeUp(
  { session, state: was }: Predecessor,
  { rules }: SessionState,
  ports: Ports,
  signal: AbortSignal
): Promise<'sound' | 'resumable' | 'settled'> {
  try {
    const at = ports.clock.now()
    const found = settleCrash(session, rules, ports.store.load(session), at, ports.ids)
    if (was === 'closed' && !found.owesCheckpoint) return found.state.turn > 0 ? 'sound' : 'settled'
    if (found.events.length > 0) ports.store.record(found.events)
    const late: DurableEvent[] = []
    if (found.owesCheckpoint) {
      const { stored, items } = await makeRecoveredCheckpoint(found.state, ports)
      for (const item of items) if ('text' in item) ports.log(`recovery of ${session}: ${item.text}`)
      // Given up meanwhile: the next start finds the session as it is, and settles nothing twice.
      if (signal.aborted) return 'settled'
      if (stored !== null) {
        const { receipt, draft } = stored
        const { turn, summary } = draft
        late.push({ kind: 'checkpoint-created', ...receipt, turn, summary, session, at })
      }
    }
    const hasCheckpoint = late.length > 0 || found.state.checkpoints.count > 0
    if (was === 'active') late.push({ kind: 'session-closed', session, at })
    if (late.length > 0) ports.store.record(late)
    if (was === 'active' && hasCheckpoint) return 'resumable'
  } catch (error) {
    ports.log(`recovery of ${session}: ${messageOf(error)}`)
  }
  return 'settled'
}
