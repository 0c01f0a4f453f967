import { expect, test } from 'vitest'
import { manualClock } from './clock.ts'

test('sleeps end in the order of their ends, and time is what it was told to be', async () => {
  const clock = manualClock(1000)
  const { signal } = new AbortController()
  const order: string[] = []
  void clock.sleep(300, signal).then(() => order.push(`late ${clock.now()}`))
  void clock.sleep(100, signal).then(async () => {
    order.push(`early ${clock.now()}`)
    await clock.sleep(100, signal)
    order.push(`again ${clock.now()}`)
  })
  await clock.advance(299)
  expect(order).toEqual(['early 1100', 'again 1200'])
  await clock.advance(1)
  expect(order.at(-1)).toBe('late 1300')
  expect(clock.slept).toEqual([300, 100, 100])
})

test('an abort ends a sleep at once', async () => {
  const clock = manualClock()
  const controller = new AbortController()
  const sleeping = clock.sleep(1000, controller.signal)
  await clock.sleeper()
  controller.abort(new Error('enough'))
  await expect(sleeping).rejects.toThrow('enough')
})

test('nanoseconds never repeat and never go back (SESS-022)', () => {
  const clock = manualClock()
  const first = clock.nowNs()
  expect(clock.nowNs()).toBeGreaterThan(first)
})
