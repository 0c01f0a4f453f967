import { expect, test } from 'vitest'
import { median, percentile } from './figure.ts'

test('the median is the middle, or the mean of the two in the middle', () => {
  expect(median([3, 1, 2])).toBe(2)
  expect(median([4, 1, 2, 3])).toBe(2.5)
  expect(() => median([])).toThrow('nothing was measured')
})

test('a percentile is a measured value, by nearest rank', () => {
  const values = Array.from({ length: 40 }, (_, index) => index + 1)
  expect(percentile(values, 0.95)).toBe(38)
  expect(percentile(values, 1)).toBe(40)
  expect(percentile([7], 0.95)).toBe(7)
})
