import { expect, test } from 'vitest'
import type { TourSession } from '../../src/demo/host.ts'
import { watchSession } from '../../src/demo/watch.ts'
import type { GhyllEvent } from '../../src/protocol/event.ts'
import { sessionId } from '../../src/protocol/ids.ts'

function fakeSession() {
  const listeners = new Set<(event: GhyllEvent) => void>()
  const ending = Promise.withResolvers<number>()
  const session: TourSession = {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    dispatch: () => undefined,
    ended: ending.promise
  }
  const tell = (on: boolean) => {
    for (const each of listeners) each({ kind: 'plan-mode-changed', on, session: sessionId('s'), at: 0 })
  }
  return { session, tell, end: () => ending.resolve(0), listeners }
}

test('an event behind the mark is found whether it came already or comes later', async () => {
  const { session, tell } = fakeSession()
  const watch = watchSession(session, 1000)
  tell(true)
  const mark = watch.mark()
  const later = watch.next(mark, 'plan-mode-changed')
  tell(false)
  expect((await later).on).toBe(false)
  expect((await watch.next(0, 'plan-mode-changed')).on).toBe(true)
  expect((await watch.next(0, 'plan-mode-changed', (event) => !event.on)).on).toBe(false)
  expect(watch.since(0, 'plan-mode-changed')).toHaveLength(2)
})

test('waiting fails when the session ends, and at the limit', async () => {
  const { session, end } = fakeSession()
  const watch = watchSession(session, 1000)
  const never = watch.next(0, 'turn-ended')
  end()
  await expect(never).rejects.toThrow('the session ended before the event turn-ended')
  await expect(watchSession(fakeSession().session, 20).next(0, 'turn-ended')).rejects.toThrow('within 0.02 s')
})

test('stopping stops listening', () => {
  const { session, listeners } = fakeSession()
  watchSession(session, 1000).stop()
  expect(listeners.size).toBe(0)
})
