import { openSessionStore, type SessionStore, type StoreFailure, sessionStorePath } from '../agent/store/index.ts'
import { messageOf } from '../lib/error.ts'
import type { NoticeLevel } from '../protocol/event.ts'
import type { Started } from './start.ts'
import { refuseTrackedStore } from './tracked-store.ts'

type Notice = { readonly level: NoticeLevel; readonly text: string; readonly hint?: string }

/**
 * Opens the store of a session, which goes on without it where it must, but not without a word (SESS-024, SESS-160). Throws
 * `StoreFailure` for one that cannot be opened and `ForeignStoreFailure` for one that came with the repository.
 */
export async function openStore(started: Started, say: (notice: Notice) => void): Promise<SessionStore> {
  const { root, clock, log } = started
  await refuseTrackedStore(root, sessionStorePath(root))
  return openSessionStore(sessionStorePath(root), {
    clock,
    onListenerError: (thrown) => log.error(`listener: ${messageOf(thrown)}`),
    onTrouble(failure) {
      if (failure === null) say({ level: 'info', text: 'the session is on disk again' })
      else say(troubleNotice(failure))
    },
    onRewritten() {
      const text = 'the session store was taken away while it was in use; it is there again, with this session in it'
      say({ level: 'warning', text })
      started.renewLock()
    }
  })
}

function troubleNotice({ message, hint }: StoreFailure): Notice {
  const text = `${message}; what happens from here on is lost if ghyll dies before it can be written`
  return { level: 'warning', text, ...(hint === undefined ? {} : { hint }) }
}

/** Closes it; trouble at this late moment is only reported. */
export function closeStore(store: SessionStore, report: (text: string) => void): void {
  try {
    store.close()
  } catch (thrown) {
    report(`session store: ${messageOf(thrown)}`)
  }
}
