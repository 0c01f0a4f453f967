import { describe, expect, it } from 'vitest'
import { safeLine, safeText } from '../../../src/lib/safe-text.ts'
import { cellWidth, narrowed } from '../../../src/lib/width.ts'
import {
  cutLine,
  justified,
  line,
  lineText,
  markMatches,
  matchOffsets,
  prefixed,
  span,
  wrapHanging,
  wrapSpans
} from '../../../ui/parts/lines.ts'
import type { Span } from '../../../ui/theme/index.ts'
import { fc } from '../../support/laws.ts'
import { foreignText } from '../../support/text.ts'

const width = fc.integer({ min: 1, max: 40 })
const styles = [{}, { bold: true }, { tone: 'ok' }] as const
const spans: fc.Arbitrary<Span[]> = fc.array(
  fc.tuple(foreignText.map(safeText), fc.constantFrom(...styles)).map(([text, style]) => span(text, style)),
  { maxLength: 5 }
)
const lineSpans = spans.map((all) => all.map((each) => span(safeLine(each.text), each.style)))

describe('wrapSpans', () => {
  it('keeps styles across the lines', () => {
    const lines = wrapSpans([span('one '), span('two three', { bold: true })], 8)
    expect(lines.map(lineText)).toEqual(['one two', 'three'])
    expect(lines[1]!.spans).toEqual([span('three', { bold: true })])
  })

  it('exceeds no width above one and tells widths right, for any spans (TERM-32)', () => {
    fc.assert(
      fc.property(spans, fc.integer({ min: 8, max: 40 }), fc.constantFrom('words', 'cells'), (all, cells, mode) => {
        for (const each of wrapSpans(all, cells, mode)) {
          expect(each.width).toBe(cellWidth(lineText(each)))
          expect(each.width).toBeLessThanOrEqual(cells)
        }
      })
    )
  })

  it('breaks code without losing a character', () => {
    fc.assert(
      fc.property(spans, width, (all, cells) => {
        const text = all.map((each) => narrowed(each.text, cells)).join('')
        expect(wrapSpans(all, cells, 'cells').map(lineText).join('')).toBe(text.replaceAll('\n', ''))
      })
    )
  })
})

it('wrapHanging puts a mark before the first line and an indent before the others', () => {
  expect(wrapHanging([span('one two')], 6, [span('• ')], [span('  ')]).map(lineText)).toEqual(['• one', '  two'])
  // Where the others stand further in, they are no wider for it.
  const hanging = (width: number) => wrapHanging([span('(robust) not evaluated')], width, [span('')], [span('    ')])
  expect(hanging(22).map(lineText)).toEqual(['(robust) not evaluated'])
  expect(hanging(18).map(lineText)).toEqual(['(robust) not', '    evaluated'])
  expect(hanging(16).map(lineText)).toEqual(['(robust) not', '    evaluated'])
  expect(prefixed([line(span('a')), line(span('b'))], [], [span('  ')]).map((each) => each.width)).toEqual([1, 3])
})

describe('cutLine', () => {
  it('marks what it cuts, also where a span ends at the last cell', () => {
    expect(lineText(cutLine(line(span('abc'), span('def')), 3))).toBe('ab…')
    expect(lineText(cutLine(line(span('abc'), span('def')), 5))).toBe('abcd…')
    expect(lineText(cutLine(line(span('abc')), 3))).toBe('abc')
  })

  it('never exceeds the width (TERM-3)', () => {
    fc.assert(
      fc.property(lineSpans, fc.integer({ min: 0, max: 40 }), (all, cells) => {
        expect(cutLine(line(...all), cells).width).toBeLessThanOrEqual(cells)
      })
    )
  })
})

it('justified fills exactly the width and cuts the left before the right (TERM-3)', () => {
  expect(lineText(justified(line(span('read_file src/cart.ts')), line(span('8 ms')), 16))).toBe('read_file … 8 ms')
  fc.assert(
    fc.property(lineSpans, lineSpans, fc.integer({ min: 0, max: 40 }), (left, right, cells) => {
      expect(justified(line(...left), line(...right), cells).width).toBe(cells)
    })
  )
})

describe('markMatches', () => {
  it('shows every occurrence inverse, case ignored (TERM-22)', () => {
    const marked = markMatches(line(span('Cart and '), span('cart', { bold: true })), 'cart')
    expect(marked.spans).toEqual([
      span('Cart', { inverse: true }),
      span(' and '),
      span('cart', { bold: true, inverse: true })
    ])
  })

  it('changes no text', () => {
    fc.assert(
      fc.property(lineSpans, fc.string({ maxLength: 3 }), (all, query) => {
        const before = line(...all)
        expect(lineText(markMatches(before, query))).toBe(lineText(before))
      })
    )
  })

  it('finds nothing for an empty query and keeps offsets where lower case changes the length', () => {
    expect(matchOffsets('abc', '')).toEqual([])
    expect(matchOffsets('İx', 'x')).toEqual([1])
  })
})
