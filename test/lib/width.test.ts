import { describe, expect, it } from 'vitest'
import { cellWidth, cutEnd, cutMiddle, graphemes, padEnd, takeEnd, takeStart } from '../../src/lib/width.ts'
import { fc } from '../support/laws.ts'
import { wideText } from '../support/wide-text.ts'

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
      fc.property(wideText, (sample) => {
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
      fc.property(wideText, fc.integer({ min: -2, max: 20 }), (sample, cells) => {
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
