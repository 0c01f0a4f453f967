import { describe, expect, it } from 'vitest'
import { safeText } from '../../src/lib/safe-text.ts'
import {
  breakRanges,
  cellWidth,
  cutEnd,
  cutMiddle,
  graphemes,
  narrowed,
  padEnd,
  takeEnd,
  takeStart,
  wrapCells,
  wrapRanges
} from '../../src/lib/width.ts'
import { fc } from '../support/laws.ts'

const text = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 8 }),
      fc.constantFrom(
        ' ',
        '   ',
        '\n',
        'word',
        '日本語',
        '👨‍👩‍👧',
        '👍🏽',
        '🇩🇪',
        'e\u0301',
        'ᄀᄀᄀ',
        '한글',
        'a-very-long-word-without-spaces',
        '→'
      )
    ),
    { maxLength: 20 }
  )
  .map((parts) => safeText(parts.join('')))
const width = fc.integer({ min: 1, max: 30 })

describe('cellWidth', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['é', 1],
    ['e\u0301', 1],
    ['日本', 4],
    ['👨‍👩‍👧', 2],
    ['👍🏽', 2],
    ['🇩🇪', 2],
    ['→ … █ ─', 7],
    ['한글', 4],
    ['�', 1],
    ['«Ω Ж»', 5]
  ])('counts %j as %d cells (TERM-32)', (sample, cells) => {
    expect(cellWidth(sample)).toBe(cells)
  })

  it('is the sum of its graphemes', () => {
    fc.assert(
      fc.property(text, (sample) => {
        let sum = 0
        let joined = ''
        for (const grapheme of graphemes(sample)) {
          expect(grapheme.index).toBe(joined.length)
          sum += grapheme.width
          joined += grapheme.text
        }
        expect(joined).toBe(sample)
        expect(sum).toBe(cellWidth(sample))
      })
    )
  })
})

describe('wrapCells', () => {
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
    expect(wrapCells(sample, cells)).toEqual(lines)
  })

  it('never exceeds the width, loses nothing but spaces and tells the widths right (TERM-32)', () => {
    fc.assert(
      fc.property(text, width, (sample, cells) => {
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
    fc.property(text, width, (sample, cells) => {
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

describe('cutting', () => {
  it('cuts text at its end and paths in their middle (TERM-3)', () => {
    expect(cutEnd('hello world', 8)).toBe('hello w…')
    expect(cutEnd('日本語', 4)).toBe('日…')
    expect(cutMiddle('/home/alice/repos/shop/cart.ts', 15)).toBe('/home/a…cart.ts')
    expect(padEnd('日', 4)).toBe('日  ')
    for (const cut of [cutEnd, cutMiddle, padEnd]) expect(cut('abc', 0)).toBe('')
  })

  it('never exceeds the width and leaves alone what fits', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: -2, max: 20 }), (sample, cells) => {
        const line = sample.replaceAll('\n', ' ')
        for (const cut of [cutEnd, cutMiddle, takeStart, takeEnd]) {
          expect(cellWidth(cut(line, cells))).toBeLessThanOrEqual(Math.max(0, cells))
          if (cellWidth(line) <= cells) expect(cut(line, cells)).toBe(line)
        }
        expect(cellWidth(padEnd(line, cells))).toBe(Math.max(0, cells))
      })
    )
  })
})
