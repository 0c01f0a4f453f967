import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { type SessionStore, sessionStorePath } from '../../../src/agent/store/index.ts'
import type { DurableEvent } from '../../../src/protocol/event.ts'
import { entryId, sessionId, stepId } from '../../../src/protocol/ids.ts'
import { assistant, user } from '../../support/entries.ts'
import { openStore, temporaryRepository } from './open.ts'

const session = sessionId('dev-1')
const other = sessionId('dev-0')
const typed = (text: string) => ({ kind: 'input', delivery: 'steer', origin: 'operator', text }) as const
const opened = (id = session): DurableEvent => ({
  kind: 'session-opened',
  session: id,
  at: 1,
  workdir: '/r',
  model: 'm'
})
const plan = (on: boolean): DurableEvent => ({ kind: 'plan-mode-changed', session, at: 2, on })

/** A store with a session in the middle of an answer, of which the file system knows nothing any more. */
function takenAway(): {
  store: SessionStore
  repository: string
  before: readonly DurableEvent[]
  rewritten: () => number
} {
  const repository = temporaryRepository()
  openStore(repository).record([opened(other)])
  let count = 0
  const store = openStore(repository, { onRewritten: () => void count++ })
  store.record([opened()])
  store.submit(session, typed('one'))
  store.submit(session, typed('waiting'))
  const step = stepId('s1')
  store.record([
    { kind: 'turn-started', session, at: 3, turn: 1 },
    { kind: 'input-promoted', session, at: 3, seqs: [1], entries: [user('u1')] },
    { kind: 'step-opened', session, at: 3, step, turn: 1, model: 'm' },
    { kind: 'reply-opened', session, at: 4, entry: { ...assistant('a1', { text: '', status: 'open' }), step } },
    { kind: 'reply-updated', session, at: 5, entry: entryId('a1'), text: 'so far', reasoning: '' }
  ])
  return { store, repository, before: store.load(session), rewritten: () => count }
}

const remove = (repository: string) => rmSync(join(repository, '.ghyll'), { recursive: true })

test('a file that is taken away in use is made anew with the session in it, so that a crash finds it (SESS-024)', () => {
  const { store, repository, before, rewritten } = takenAway()
  remove(repository)
  store.record([plan(true)])
  expect(rewritten()).toBe(1)
  const next = openStore(repository)
  expect(next.load(session)).toEqual([...before, plan(true)])
  expect(next.pending(session)).toMatchObject([{ seq: 2, text: 'waiting' }])
  // What other processes left went with the file.
  expect(next.predecessors(sessionId('dev-2'))).toEqual([{ session, state: 'active' }])
  expect(store.submit(session, typed('three'))).toMatchObject({ row: { seq: 3 } })
  expect(rewritten()).toBe(1)
})

test('an older copy in its place is brought up to what happened since', () => {
  const { store, repository, before, rewritten } = takenAway()
  const path = sessionStorePath(repository)
  const copy = join(repository, 'copy.db')
  const db = new Database(path)
  db.exec(`VACUUM INTO '${copy}'`)
  db.close()
  store.record([plan(true)])
  remove(repository)
  mkdirSync(join(repository, '.ghyll'))
  renameSync(copy, path)
  store.record([plan(false)])
  expect(rewritten()).toBe(1)
  const next = openStore(repository)
  expect(next.load(session)).toEqual([...before, plan(true), plan(false)])
  expect(next.predecessors(session)).toEqual([{ session: other, state: 'active' }])
})

test('a repository that is gone is not made again; the session goes on', () => {
  const { store, repository, rewritten } = takenAway()
  rmSync(repository, { recursive: true })
  store.record([plan(true)])
  expect([rewritten(), existsSync(repository)]).toEqual([0, false])
  expect(store.load(session).at(-1)).toEqual(plan(true))
})
