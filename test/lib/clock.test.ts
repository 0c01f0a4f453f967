import { expect, test, vi } from 'vitest'
import { systemClock } from '../../src/lib/clock.ts'

test('a wait longer than timers know is a long one, not none', async () => {
  vi.useFakeTimers()
  try {
    const stop = new AbortController()
    let isOver = false
    const sleeping = systemClock()
      .sleep(99_999_999_000, stop.signal)
      .then(() => {
        isOver = true
      })
    await vi.advanceTimersByTimeAsync(24 * 24 * 60 * 60 * 1000)
    expect(isOver).toBe(false)
    stop.abort(new Error('enough'))
    await expect(sleeping).rejects.toThrow('enough')
  } finally {
    vi.useRealTimers()
  }
})
