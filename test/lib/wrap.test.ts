import { describe, expect, it } from 'vitest'
import { cellWidth, narrowed } from '../../src/lib/width.ts'
import { breakRanges, wrapRanges } from '../../src/lib/wrap.ts'
import { fc } from '../support/laws.ts'
import { narrowWidth, wideText } from '../support/wide-text.ts'

describe('wrapping', () => {
  it.each([
    ['hello big world', 9, ['hello big', 'world']],
    ['hello big world', 8, ['hello', 'big', 'world']],
    ['ab  cd', 4, ['ab', 'cd']],
    ['  indented text', 10, ['  indented', 'text']],
    ['abcdefghij k', 4, ['abcd', 'efgh', 'ij k']],
    ['日本語', 5, ['日本', '語']],
    ['ab日', 3, ['ab', '日']],
    ['a\n\nb', 5, ['a', '', 'b']],
    ['日', 1, ['…']],
    ['', 5, ['']]
  ])('wraps %j at %d', (sample, cells, lines) => {
    const fitting = narrowed(sample, cells)
    const found = wrapRanges(fitting, cells).map(({ start, end }) => fitting.slice(start, end))
    expect(found).toEqual(lines)
  })

  it('never exceeds the width, loses nothing but spaces and tells the widths right (TERM-32)', () => {
    fc.assert(
      fc.property(wideText, narrowWidth, (sample, cells) => {
        const fitting = narrowed(sample, cells)
        const ranges = wrapRanges(fitting, cells)
        let end = 0
        for (const range of ranges) {
          const line = fitting.slice(range.start, range.end)
          expect(range.width).toBe(cellWidth(line))
          expect(range.width).toBeLessThanOrEqual(cells)
          expect(fitting.slice(end, range.start).trim()).toBe('')
          end = range.end
        }
        expect(fitting.slice(end).trim()).toBe('')
      })
    )
  })
})

it('breakRanges keeps every character of code', () => {
  fc.assert(
    fc.property(wideText, narrowWidth, (sample, cells) => {
      const fitting = narrowed(sample, cells)
      const parts = breakRanges(fitting, cells).map(({ start, end, width: told }) => {
        const part = fitting.slice(start, end)
        expect(told).toBe(cellWidth(part))
        expect(told).toBeLessThanOrEqual(cells)
        return part
      })
      expect(parts.join('')).toBe(fitting.replaceAll('\n', ''))
    })
  )
})
