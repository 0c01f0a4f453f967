import { expect, test } from 'vitest'
import { timeLimits } from '../../../src/agent/stream/limits.ts'
import { watchdog } from '../../../src/agent/stream/watchdog.ts'
import type { Clock } from '../../../src/lib/clock.ts'

/** A clock that moves when it is told to. */
function handClock(): Clock & { pass(ms: number): Promise<void>; readonly sleeping: number } {
  let now = 1_000_000
  const sleepers = new Set<{ at: number; wake: () => void }>()
  return {
    now: () => now,
    nowNs: () => BigInt(now) * 1_000_000n,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const sleeper = { at: now + ms, wake: resolve }
        sleepers.add(sleeper)
        signal.addEventListener('abort', () => {
          sleepers.delete(sleeper)
          reject(signal.reason)
        })
      }),
    async pass(ms) {
      now += ms
      for (const sleeper of sleepers) {
        if (sleeper.at > now) continue
        sleepers.delete(sleeper)
        sleeper.wake()
      }
      await new Promise(setImmediate)
    },
    get sleeping() {
      return sleepers.size
    }
  }
}

test('MODEL-039 the limits are 5 s, 300 s and 120 s', () => {
  expect(timeLimits).toEqual({ connectMs: 5_000, headersMs: 300_000, gapMs: 120_000 })
})

test('MODEL-039 the first event may take as long as the headers', async () => {
  const clock = handClock()
  const dog = watchdog(clock, timeLimits)
  await clock.pass(299_999)
  expect(dog.signal.aborted).toBe(false)
  await clock.pass(1)
  expect(dog.signal.aborted).toBe(true)
  expect(dog.expired).toBe('no response within 300 s')
})

test('MODEL-039 from the first event on the gap counts, also when it is the nearer limit', async () => {
  const clock = handClock()
  const dog = watchdog(clock, timeLimits)
  await clock.pass(1_000)
  dog.feed()
  await clock.pass(119_999)
  expect(dog.signal.aborted).toBe(false)
  dog.feed()
  await clock.pass(119_999)
  expect(dog.signal.aborted).toBe(false)
  await clock.pass(1)
  expect(dog.expired).toBe('no event for 120 s')
})

test('a thousand events take one timer, and a stopped dog leaves none', async () => {
  const clock = handClock()
  const dog = watchdog(clock, timeLimits)
  for (let n = 0; n < 1000; n += 1) {
    dog.feed()
    await clock.pass(1)
  }
  expect(clock.sleeping).toBe(1)
  dog.stop()
  await clock.pass(500_000)
  expect(clock.sleeping).toBe(0)
  expect(dog.signal.aborted).toBe(false)
})
