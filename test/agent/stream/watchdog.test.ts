import { expect, test } from 'vitest'
import { timeLimits } from '../../../src/agent/stream/limits.ts'
import { watchdog } from '../../../src/agent/stream/watchdog.ts'
import { manualClock } from '../../support/clock.ts'

test('MODEL-039 the limits are 5 s, 300 s and 120 s', () => {
  expect(timeLimits).toEqual({ connectMs: 5_000, headersMs: 300_000, gapMs: 120_000 })
})

test('MODEL-039 the first event may take as long as the headers', async () => {
  const clock = manualClock()
  const dog = watchdog(clock, timeLimits)
  await clock.advance(299_999)
  expect(dog.signal.aborted).toBe(false)
  await clock.advance(1)
  expect(dog.signal.aborted).toBe(true)
  expect(dog.expired).toBe('no response within 300 s')
})

test('MODEL-039 from the first event on the gap counts, also when it is the nearer limit', async () => {
  const clock = manualClock()
  const dog = watchdog(clock, timeLimits)
  await clock.advance(1_000)
  dog.feed()
  await clock.advance(119_999)
  expect(dog.signal.aborted).toBe(false)
  dog.feed()
  await clock.advance(119_999)
  expect(dog.signal.aborted).toBe(false)
  await clock.advance(1)
  expect(dog.expired).toBe('no event for 120 s')
})

test('a thousand events move one deadline, and a stopped dog never barks', async () => {
  const clock = manualClock()
  const dog = watchdog(clock, timeLimits)
  for (let n = 0; n < 1000; n += 1) {
    dog.feed()
    await clock.advance(1)
  }
  // The wait for the headers, and the gap that began with the first event.
  expect(clock.slept).toHaveLength(2)
  dog.stop()
  await clock.advance(500_000)
  expect(dog.signal.aborted).toBe(false)
  expect(clock.slept).toHaveLength(2)
})
