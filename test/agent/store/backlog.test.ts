import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { type SessionStore, type StoreFailure, sessionStorePath } from '../../../src/agent/store/index.ts'
import type { DurableEvent } from '../../../src/protocol/event.ts'
import { sessionId } from '../../../src/protocol/ids.ts'
import { openStore, temporaryRepository } from './open.ts'

// The lock of another program stands for every way in which a disk refuses for a while.

const session = sessionId('dev-1')
const opened: DurableEvent = { kind: 'session-opened', session, at: 1, workdir: '/repo', model: 'm25' }
const plan = (on: boolean): DurableEvent => ({ kind: 'plan-mode-changed', session, at: 2, on })
const typed = { kind: 'input', delivery: 'steer', origin: 'operator', text: 'hello' } as const

type Blocked = {
  readonly store: SessionStore
  readonly repository: string
  readonly heard: DurableEvent[]
  readonly troubles: (StoreFailure | null)[]
  later(ms: number): void
  block(): void
  release(): void
}

function blocked(): Blocked {
  const repository = temporaryRepository()
  const troubles: (StoreFailure | null)[] = []
  const heard: DurableEvent[] = []
  let time = 1000
  const store = openStore(repository, {
    now: () => time,
    busyTimeoutMs: 0,
    onTrouble: (failure) => void troubles.push(failure)
  })
  store.record([opened])
  store.subscribe((event) => heard.push(event))
  const other = new Database(sessionStorePath(repository))
  return {
    store,
    repository,
    heard,
    troubles,
    later(ms) {
      time += ms
    },
    block: () => void other.exec('BEGIN IMMEDIATE'),
    release() {
      other.exec('ROLLBACK')
    }
  }
}

const kinds = (events: readonly DurableEvent[]) =>
  events.map((event) => (event.kind === 'plan-mode-changed' ? event.on : event.kind))

test('what the disk refuses is told, waits in order, and goes down with the next change it takes (SESS-160)', () => {
  const { store, heard, troubles, later, block, release } = blocked()
  block()
  store.record([plan(true)])
  store.record([plan(false)])
  later(5000)
  store.record([plan(true)])
  expect(kinds(heard)).toEqual([true, false, true])
  expect(kinds(store.load(session))).toEqual(['session-opened'])
  // Once, however often it refuses.
  expect(troubles).toMatchObject([{ code: 'store-locked' }])
  release()
  later(5000)
  store.record([plan(false)])
  expect(kinds(store.load(session))).toEqual(['session-opened', true, false, true, false])
  expect(troubles).toMatchObject([{ code: 'store-locked' }, null])
})

test('it is not asked again at every event, since asking may take as long as a lock is waited for', () => {
  const { store, block, release, later } = blocked()
  block()
  store.record([plan(true)])
  release()
  later(999)
  store.record([plan(false)])
  expect(kinds(store.load(session))).toEqual(['session-opened'])
  later(1)
  store.record([plan(true)])
  expect(kinds(store.load(session))).toEqual(['session-opened', true, false, true])
})

test('an input is refused meanwhile and taken again as soon as it can be kept, behind what waited (SESS-030)', () => {
  const { store, heard, block, release } = blocked()
  block()
  store.record([plan(true)])
  const refused = { code: 'not-kept', text: expect.stringMatching(/^not queued: .*locked/) }
  expect(store.submit(session, typed)).toEqual({ refused })
  expect(store.drop(session, 1)).toBeNull()
  release()
  expect(store.submit(session, typed)).toMatchObject({ row: { seq: 1 } })
  expect(kinds(store.load(session))).toEqual(['session-opened', true, 'input-submitted'])
  expect(kinds(heard)).toEqual([true, 'input-submitted'])
})

test('a session that cannot be kept from its start is not opened', () => {
  const { store, heard, troubles, block } = blocked()
  block()
  expect(() => store.record([{ ...opened, session: sessionId('dev-2') }])).toThrow(/locked/)
  expect([heard, troubles]).toEqual([[], []])
})

test('closing writes what waits', () => {
  const { store, repository, block, release } = blocked()
  block()
  store.record([plan(true)])
  release()
  store.close()
  expect(kinds(openStore(repository).load(session))).toEqual(['session-opened', true])
})

test('an event that contradicts the tables stays a bug', () => {
  const { store } = blocked()
  const promoted: DurableEvent = { kind: 'input-promoted', session, at: 3, seqs: [7], entries: [] }
  expect(() => store.record([promoted])).toThrow('inbox row 7 is not pending')
})
