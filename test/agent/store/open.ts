import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import {
  openSessionStore,
  type SessionStore,
  type StoreFailure,
  sessionStorePath
} from '../../../src/agent/store/index.ts'

/** A folder of its own for one test, removed when it is over. */
export function temporaryRepository(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ghyll-store-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Opens a store as `app` does; listeners that throw fail the test unless it says otherwise. */
export function openStore(
  repository: string,
  over: {
    now?: () => number
    busyTimeoutMs?: number
    onListenerError?: (error: unknown) => void
    onTrouble?: (failure: StoreFailure | null) => void
    onRewritten?: () => void
  } = {}
): SessionStore {
  const store = openSessionStore(sessionStorePath(repository), {
    clock: { now: over.now ?? (() => 1_000) },
    busyTimeoutMs: over.busyTimeoutMs ?? 5_000,
    onRewritten: over.onRewritten ?? (() => expect.unreachable('the file is where it was')),
    onTrouble:
      over.onTrouble ??
      ((failure) => {
        throw failure ?? new Error('trouble is over that nobody expected')
      }),
    onListenerError:
      over.onListenerError ??
      ((error) => {
        throw error
      })
  })
  onTestFinished(() => store.close())
  return store
}
