import { describe, expect, test } from 'vitest'
import { startTickLoop } from '../../../src/memory/branch/loop.ts'
import { manualClock } from '../../support/clock.ts'

function begin(work: (signal: AbortSignal) => Promise<unknown> = async () => undefined) {
  const clock = manualClock()
  const start = clock.now()
  const ticks: number[] = []
  const loop = startTickLoop(
    (signal) => {
      ticks.push(clock.now() - start)
      return work(signal)
    },
    { clock, intervalMs: 60_000 }
  )
  return { clock, ticks, loop }
}

describe('when ticks happen (MEM-078)', () => {
  test('every interval', async () => {
    const { clock, ticks, loop } = begin()
    for (let n = 0; n < 4; n++) {
      await clock.sleeper()
      await clock.advance(30_000)
    }
    await clock.sleeper()
    expect(ticks).toEqual([60_000, 120_000])
    await loop.stop()
  })

  test('two seconds after the last of several nudges, once', async () => {
    const { clock, ticks, loop } = begin()
    await clock.sleeper()
    for (let n = 0; n < 3; n++) {
      loop.nudge()
      await clock.sleeper()
      await clock.advance(1500)
    }
    await clock.advance(500)
    await clock.sleeper()
    expect(ticks).toEqual([5000])
    await clock.advance(59_000)
    expect(ticks).toEqual([5000])
    await loop.stop()
  })

  test('a nudge while a tick runs is followed by another one', async () => {
    let finish: () => void = () => undefined
    const { clock, ticks, loop } = begin(
      () =>
        new Promise<void>((resolve) => {
          finish = resolve
        })
    )
    loop.nudge()
    await clock.sleeper()
    await clock.advance(2000)
    loop.nudge()
    finish()
    await clock.sleeper()
    await clock.advance(2000)
    expect(ticks).toEqual([2000, 4000])
    finish()
    await loop.stop()
  })

  test('stopping aborts the tick under way and ends the loop', async () => {
    const { clock, ticks, loop } = begin(
      (signal) => new Promise((resolve) => signal.addEventListener('abort', resolve))
    )
    await clock.sleeper()
    await clock.advance(60_000)
    expect(ticks).toEqual([60_000])
    await loop.stop()
  })
})
