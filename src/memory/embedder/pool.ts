import { assert } from '../../lib/assert.ts'

/**
 * One vector of a model's `[n, dimensions]` output: the mean of the rows whose mask is 1, scaled to length 1; nothing but zeros stays
 * zero (MEM-111). Sums in float64.
 */
export function pool(hidden: Float32Array, mask: readonly number[], dimensions: number): Float32Array {
  assert(hidden.length === mask.length * dimensions, 'one row per position')
  const sums = new Float64Array(dimensions)
  const rows = mask.reduce((count, bit) => count + (bit === 1 ? 1 : 0), 0)
  mask.forEach((bit, row) => {
    if (bit !== 1) return
    for (let at = 0; at < dimensions; at += 1) sums[at] = (sums[at] ?? 0) + (hidden[row * dimensions + at] ?? 0)
  })
  const mean = rows === 0 ? sums : sums.map((sum) => sum / rows)
  const length = Math.sqrt(mean.reduce((total, value) => total + value * value, 0))
  return Float32Array.from(mean, (value) => (length === 0 ? 0 : value / length))
}
