import { describe, expect, it } from 'vitest'
import { formatDuration, parseDuration } from '../../src/lib/duration.ts'
import { fc } from '../support/laws.ts'

describe('durations', () => {
  it.each([
    ['500ms', 500],
    ['30s', 30_000],
    ['5m', 300_000],
    ['1h30m', 5_400_000],
    ['30m1h', 5_400_000],
    ['0s1ms', 1]
  ])('%s', (text, ms) => expect(parseDuration(text)).toBe(ms))

  it.each(['', '5', '0s', '-5m', '1.5h', '5 m', 'm', '5M', '99999999999999999h'])('refuses %j', (text) =>
    expect(parseDuration(text)).toBeNull()
  )

  it('reads what it writes', () => {
    fc.assert(fc.property(fc.integer({ min: 1 }), (ms) => parseDuration(formatDuration(ms)) === ms))
  })
})
