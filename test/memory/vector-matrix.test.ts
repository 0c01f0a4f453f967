import { expect, test } from 'vitest'
import { createMatrix } from '../../src/memory/vector-matrix.ts'
import { fc } from '../support/laws.ts'

const bytesOf = (values: readonly number[]) => {
  const bytes = Buffer.alloc(values.length * 4)
  values.forEach((value, at) => void bytes.writeFloatLE(value, at * 4))
  return bytes
}

function matrixOf(rows: readonly (readonly [hash: string, ts: bigint, values: readonly number[]])[]) {
  const matrix = createMatrix(rows[0]![2].length)
  for (const [hash, ts, values] of rows) matrix.add(hash, ts, bytesOf(values))
  return matrix
}

test('best first by cosine, whatever the lengths (MEM-047)', () => {
  const matrix = matrixOf([
    ['opposite', 1n, [-2, 0]],
    ['same', 2n, [0.001, 0]],
    ['near', 3n, [100, 100]],
    ['square', 4n, [0, 5]]
  ])
  const hits = matrix.nearest(Float32Array.of(3, 0), 4)
  expect(hits.map(({ hash }) => hash)).toEqual(['same', 'near', 'square', 'opposite'])
  expect(hits[0]!.similarity).toBeCloseTo(1, 12)
  expect(hits[1]!.similarity).toBeCloseTo(Math.SQRT1_2, 7)
  expect(hits[3]!.similarity).toBeCloseTo(-1, 12)
})

test('ties go to the newer one; beyond 2^53 too (MEM-047, MEM-016)', () => {
  const matrix = matrixOf([
    ['older', 9007199254740992n, [1, 1]],
    ['newer', 9007199254740993n, [1, 1]],
    ['oldest', 5n, [1, 1]]
  ])
  expect(matrix.nearest(Float32Array.of(1, 1), 2).map(({ hash }) => hash)).toEqual(['newer', 'older'])
})

test('a row or query of zeros or of no numbers has similarity 0 (MEM-047)', () => {
  const matrix = matrixOf([
    ['zero', 1n, [0, 0]],
    ['nan', 2n, [Number.NaN, 1]],
    ['infinite', 3n, [Number.POSITIVE_INFINITY, 1]],
    ['away', 4n, [-1, 0]]
  ])
  const hits = matrix.nearest(Float32Array.of(1, 0), 4)
  expect(hits.map(({ similarity }) => similarity)).toEqual([0, 0, 0, -1])
  expect(matrix.nearest(Float32Array.of(0, 0), 4).map(({ similarity }) => similarity)).toEqual([0, 0, 0, 0])
})

test('one hash is one row', () => {
  const matrix = matrixOf([
    ['a', 1n, [1, 0]],
    ['a', 1n, [1, 0]]
  ])
  expect(matrix.rows).toBe(1)
})

test('agrees with sorting everything, over several blocks and odd sizes', () => {
  const value = fc.float({ min: -1, max: 1, noNaN: true })
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 7 }).chain((size) => {
        const vector = fc.array(value, { minLength: size, maxLength: size })
        return fc.tuple(fc.array(vector, { minLength: 1, maxLength: 40 }), vector, fc.integer({ min: 1, max: 12 }))
      }),
      ([rows, query, limit]) => {
        const matrix = matrixOf(rows.map((values, at) => [`h${at}`, BigInt(at), values]))
        const sorted = rows
          .map((values, at) => ({ hash: `h${at}`, ts: at, similarity: cosine(values, query) }))
          .sort((a, b) => b.similarity - a.similarity || b.ts - a.ts)
        const hits = matrix.nearest(Float32Array.from(query), limit)
        expect(hits).toHaveLength(Math.min(limit, rows.length))
        hits.forEach(({ similarity }, at) => {
          expect(similarity).toBeCloseTo(sorted[at]!.similarity, 9)
        })
      }
    )
  )
  const many = createMatrix(3)
  for (let row = 0; row < 10_000; row += 1) many.add(`h${row}`, BigInt(row), bytesOf([1, row / 10_000, 0]))
  expect(many.nearest(Float32Array.of(1, 0, 0), 1)[0]!.hash).toBe('h0')
  expect(many.nearest(Float32Array.of(1, 1, 0), 1)[0]!.hash).toBe('h9999')
  expect(many.nearest(Float32Array.of(1, 0.5, 0), 1)[0]!.hash).toBe('h5000')
})

function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = a.reduce((sum, value, at) => sum + value * b[at]!, 0)
  const lengths = Math.hypot(...a) * Math.hypot(...b)
  // float32 squares of the tiniest numbers vanish, and then there is no direction
  return a.every((value) => value * value === 0) || b.every((value) => value * value === 0) ? 0 : dot / lengths
}
