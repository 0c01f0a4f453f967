import { describe, expect, it } from 'vitest'
import { createStamps, nsOf, stampOf } from '../../../src/gate/runner/stamp.ts'
import { fc } from '../../support/laws.ts'

describe('stamps (RUN-300)', () => {
  it('have all nine digits, sort as times do, and are read back', () => {
    const ns = fc.bigInt({ min: 0n, max: 4_000_000_000_000_000_000n })
    fc.assert(
      fc.property(ns, ns, (a, b) => {
        expect(nsOf(stampOf(a))).toBe(a)
        expect(stampOf(a)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/)
        expect(stampOf(a) < stampOf(b)).toBe(a < b)
      })
    )
    expect(nsOf('2026-01-01T00:00:00Z')).toBe(1_767_225_600_000_000_000n)
    for (const text of ['', 'yesterday', '2026-13-01T00:00:00Z', '2026-01-01T00:00:00+01:00'])
      expect(nsOf(text)).toBeNull()
  })

  it('never go back, whatever the clock does', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: 0n, max: 1000n }), { minLength: 2 }), (walls) => {
        let n = -1
        const nowNs = () => {
          n += 1
          return walls[n % walls.length] ?? 0n
        }
        const stamps = createStamps({ now: () => 0, nowNs, sleep: async () => undefined })
        let last = -1n
        for (let k = 0; k < walls.length * 2; k += 1) {
          if (k === 3) stamps.after(500n)
          const now = stamps.nowNs()
          expect(now).toBeGreaterThan(last)
          last = now
        }
      })
    )
  })
})
