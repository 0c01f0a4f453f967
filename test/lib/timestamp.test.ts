import fc from 'fast-check'
import { expect, it } from 'vitest'
import { rfc3339 } from '../../src/lib/timestamp.ts'

it('keeps every nanosecond (RUN-300)', () => {
  expect(rfc3339(0n)).toBe('1970-01-01T00:00:00.000000000Z')
  expect(rfc3339(1_787_303_702_000_000_001n)).toBe('2026-08-21T09:15:02.000000001Z')
})

it('sorts as text like the times it stands for', () => {
  const time = fc.bigInt(0n, 4_000_000_000n * 1_000_000_000n)
  fc.assert(
    fc.property(time, time, (a, b) => {
      expect(rfc3339(a) < rfc3339(b)).toBe(a < b)
    })
  )
})
