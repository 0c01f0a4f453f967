import { expect, test } from 'vitest'
import { pool } from '../../../src/memory/embedder/pool.ts'
import { fc } from '../../support/laws.ts'

test('the mean is over positions with mask 1 only, then scaled to length 1 (MEM-111)', () => {
  const hidden = Float32Array.of(1, 5, 5, 3, 100, -100)
  expect([...pool(hidden, [1, 1, 0], 2)]).toEqual([Math.fround(0.6), Math.fround(0.8)])
})

test('zeros stay zeros, and so does an all-masked text (MEM-111)', () => {
  expect([...pool(Float32Array.of(0, 0), [1], 2)]).toEqual([0, 0])
  expect([...pool(Float32Array.of(1, 2), [0], 2)]).toEqual([0, 0])
})

test('anything else has length 1', () => {
  const value = fc.float({ min: -1000, max: 1000, noNaN: true })
  fc.assert(
    fc.property(fc.array(fc.array(value, { minLength: 4, maxLength: 4 }), { minLength: 1, maxLength: 8 }), (rows) => {
      const vector = pool(
        Float32Array.from(rows.flat()),
        rows.map(() => 1),
        4
      )
      const length = Math.hypot(...vector)
      expect(length === 0 || Math.abs(length - 1) < 1e-6).toBe(true)
    })
  )
})
