import { describe, expect, it } from 'vitest'
import { cellWidth } from '../../../src/lib/width.ts'
import { asciiGlyphs, type Glyphs, unicodeGlyphs } from '../../../ui/theme/glyphs.ts'
import { createTheme, type Style, type Tone } from '../../../ui/theme/index.ts'

const tones: readonly Tone[] = ['role', 'ok', 'warn', 'fail', 'unevaluated', 'dim', 'accent']
const colour = createTheme({ colour: true, ascii: false })
const mono = createTheme({ colour: false, ascii: true })

describe('createTheme', () => {
  it('gives every tone a colour of its own from the basic sixteen (TERM-16)', () => {
    const painted = tones.map((tone) => colour.paint('x', { tone }))
    expect(new Set(painted).size).toBe(tones.length)
    for (const text of painted) expect(text).toMatch(/^\x1b\[(?:3[0-7]|9[0-7])mx\x1b\[39m$/)
  })

  it('leaves only bold and inverse without colour (TERM-16)', () => {
    for (const tone of tones) {
      const style: Style = { tone, italic: true, underline: true, inverse: true, bold: true }
      expect(mono.paint('x', style)).toBe('\x1b[1m\x1b[7mx\x1b[27m\x1b[22m')
    }
    expect(mono.paint('x', { tone: 'dim' })).toBe('x')
    expect(mono.paint('x', { tone: 'fail' })).toBe('\x1b[1mx\x1b[22m')
  })

  it('writes nothing around text without a style, and nothing at all for no text', () => {
    expect(colour.paint('x', {})).toBe('x')
    expect(colour.paint('', { tone: 'ok' })).toBe('')
    const line = {
      spans: [
        { text: 'a', style: {} },
        { text: 'b', style: { bold: true } }
      ],
      width: 2
    }
    expect(colour.paintLine(line)).toBe('a\x1b[1mb\x1b[22m')
  })
})

function marks({ box, arrow, ...glyphs }: Glyphs): string[] {
  return [...Object.values(glyphs), ...Object.values(box), ...Object.values(arrow)]
}

it('has glyphs of one cell each, plain ASCII where the terminal knows no others (SESS-023)', () => {
  for (const mark of [...marks(unicodeGlyphs), ...marks(asciiGlyphs)]) expect(cellWidth(mark)).toBe(1)
  for (const mark of marks(mono.glyphs)) expect(mark).toMatch(/^[\x21-\x7e]$/)
})

it('uses the glyphs operators know (OPUI-100)', () => {
  const { done, failed, attention, info, switched, tool, detail } = colour.glyphs
  expect([done, failed, attention, info, switched, tool, detail]).toEqual(['✓', '✗', '⚠', 'ℹ', '⟳', '⏵', '·'])
})
