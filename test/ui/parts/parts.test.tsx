import { Text } from 'ink'
import { cleanup, render } from 'ink-testing-library'
import { afterEach, describe, expect, it } from 'vitest'
import { safeLine } from '../../../src/lib/safe-text.ts'
import { cellWidth } from '../../../src/lib/width.ts'
import { borderLine } from '../../../ui/parts/border.ts'
import { durationText } from '../../../ui/parts/duration.ts'
import { line, lineText, span } from '../../../ui/parts/lines.ts'
import { listOffset, listRow } from '../../../ui/parts/list.ts'
import { Pane } from '../../../ui/parts/pane.tsx'
import { asciiGlyphs, unicodeGlyphs } from '../../../ui/theme/glyphs.ts'
import { createTheme, ThemeContext } from '../../../ui/theme/index.ts'
import { fc, runs } from '../../support/laws.ts'
import { foreignText } from '../../support/text.ts'

afterEach(cleanup)

describe('borderLine', () => {
  it('puts the title left and the note right', () => {
    const top = borderLine(unicodeGlyphs.box, 20, 'top', { title: 'arrows 4' }, {})
    const bottom = borderLine(unicodeGlyphs.box, 20, 'bottom', { note: '92%' }, {})
    expect(lineText(top)).toBe('╭ arrows 4 ────────╮')
    expect(lineText(bottom)).toBe('╰──────────── 92% ─╯')
  })

  it('is exactly as wide as asked, whatever stands in it (TERM-32)', () => {
    const text = fc.option(foreignText.map(safeLine), { nil: undefined })
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 50 }),
        text,
        text,
        fc.constantFrom(unicodeGlyphs, asciiGlyphs),
        (cells, title, note, glyphs) => {
          const border = borderLine(glyphs.box, cells, 'top', { title, note }, {})
          expect(cellWidth(lineText(border))).toBe(cells)
          expect(border.width).toBe(cells)
        }
      )
    )
  })
})

describe('Pane', () => {
  const theme = createTheme({ colour: false, ascii: false })

  it('draws a box with straight sides around its content', () => {
    const { lastFrame } = render(
      <ThemeContext value={theme}>
        <Pane title="日本" note="3 of 9" cols={16} rows={5}>
          <Text>👨‍👩‍👧 family</Text>
          <Text>日本語</Text>
        </Pane>
      </ThemeContext>
    )
    expect(lastFrame()).toBe(
      ['╭ 日本 ────────╮', '│👨‍👩‍👧 family     │', '│日本語        │', '│              │', '╰───── 3 of 9 ─╯'].join(
        '\n'
      )
    )
  })

  it('takes no more than its size at any size (TERM-1)', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 8 }), (cols, rows) => {
        const { lastFrame, unmount } = render(
          <ThemeContext value={theme}>
            <Pane title="a title" note="note" isFocused cols={cols} rows={rows}>
              <Text wrap="truncate">content that is longer than the pane</Text>
            </Pane>
          </ThemeContext>
        )
        const lines = (lastFrame() ?? '').replace(/\x1b\[[\d;]*m/g, '').split('\n')
        unmount()
        if (rows > 0) expect(lines.length).toBeLessThanOrEqual(rows)
        for (const each of lines) expect(cellWidth(each)).toBeLessThanOrEqual(cols)
        if (cols >= 3 && rows >= 3) for (const each of lines) expect(cellWidth(each)).toBe(cols)
      }),
      { numRuns: runs(60) }
    )
  })
})

describe('lists', () => {
  it('keeps the selected row in view and the room filled', () => {
    fc.assert(
      fc.property(fc.nat(50), fc.nat(50), fc.integer({ min: 1, max: 20 }), fc.nat(60), (count, at, height, before) => {
        if (count === 0) return
        const selected = at % count
        const offset = listOffset(count, selected, height, before)
        expect(offset).toBeGreaterThanOrEqual(0)
        expect(selected).toBeGreaterThanOrEqual(offset)
        expect(selected).toBeLessThan(offset + height)
        expect(offset).toBeLessThanOrEqual(Math.max(0, count - height))
      })
    )
  })

  it('tells the selected row by a cursor, without colour too (OPUI-712)', () => {
    const row = line(span('init→analyst'))
    expect(lineText(listRow(row, true, true, 10, unicodeGlyphs))).toBe('▸ init→an…')
    expect(lineText(listRow(row, false, true, 16, unicodeGlyphs))).toBe('  init→analyst  ')
    for (let cells = 0; cells < 20; cells++)
      expect(cellWidth(lineText(listRow(row, true, false, cells, asciiGlyphs)))).toBe(cells)
  })
})

it.each([
  [0, '0 ms'],
  [8.4, '8 ms'],
  [999, '999 ms'],
  [1234, '1.2 s'],
  [9999, '9.9 s'],
  [42_900, '42 s'],
  [185_000, '3 m 05 s'],
  [7_800_000, '2 h 10 m']
])('durationText of %d is %s', (ms, text) => {
  expect(durationText(ms)).toBe(text)
})
