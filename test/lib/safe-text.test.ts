import { describe, expect, it } from 'vitest'
import { modelText, safeJson, safeLine, safeText, visibleLine, visibleText } from '../../src/lib/safe-text.ts'
import { cellWidth } from '../../src/lib/width.ts'
import { fc } from '../support/laws.ts'

const nasty = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '\x1b',
        '\x1b[',
        '\x1b]8;;http://x\x07',
        '\x1b]52;c;AA==',
        '\x9d',
        '\x9b',
        '\x90',
        '\x9c',
        '\x07',
        '\x1bP',
        '\x1b\\',
        '\x1b_G',
        '\r',
        '\r\n',
        '\n',
        '\t',
        '\x7f',
        '\u202e',
        '\u2066',
        '\u200b',
        '\u200c',
        '\u200d',
        '\ufeff',
        '\u00ad',
        '\u2028',
        '\x85',
        '\ud800',
        '\udc00',
        '\u{e0041}',
        '\u{1f3f4}',
        '\u{e007f}',
        '\u2800',
        '31m',
        'word',
        '日本',
        '\u{1f468}\u200d\u{1f469}',
        'e\u0301',
        '\ufe0f'
      )
    ),
    { maxLength: 12 }
  )
  .map((parts) => parts.join(''))
const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array).toString('latin1'))

describe('safeText', () => {
  it.each([
    ['CSI', 'a\x1b[1;31mred\x1b[0m', 'ared'],
    ['CSI as one C1 character', 'a\x9b31mred', 'ared'],
    ['OSC 8 hyperlinks', '\x1b]8;;http://evil\x07text\x1b]8;;\x1b\\', 'text'],
    ['OSC 52 clipboard', 'x\x1b]52;c;AAAA\x1b\\y', 'xy'],
    ['OSC as C1', 'x\x9d0;title\x9cy', 'xy'],
    ['DCS, APC, PM and SOS', '\x1bPq\x1b\\a\x1b_G\x1b\\b\x1b^p\x1b\\c\x1bXs\x1b\\d', 'abcd'],
    ['single escapes', 'a\x1bcb\x1b(Bc\x1b7d', 'abcd'],
    ['a string without end loses its introducer only', 'a\x1b]0;title\nb', 'a0;title\nb'],
    ['NUL, BEL, DEL and a lone C1', 'a\0b\x07c\x7fd\x81e', 'a�b�c�d�e'],
    ['separators', 'a\u2028b\u2029c\x85d', 'a b c d'],
    ['direction marks', 'a\u202eb\u2066c', 'a�b�c'],
    ['zero-width characters', 'pass\u200bword\ufeff\u00ad\u2060', 'password'],
    ['emoji joined without end', `${'👩\u200d'.repeat(9)}👩`, `${'👩\u200d'.repeat(6)}👩👩👩👩`],
    ['tones without end', `👍${'🏽'.repeat(9)}`, `👍${'🏽'.repeat(6)}`],
    ['joiners between Latin letters', 'ad\u200dmin\u200c', 'admin'],
    ['tags', 'a\u{e0041}\u{e0042}', 'a'],
    ['lone surrogates', 'a\ud800b\udc00', 'a�b�'],
    ['tabs', 'a\tb\n\tc\n日\td', 'a   b\n    c\n日  d'],
    ['overwritten progress', '10%\r20%\rdone\nnext\r\nlast\r', 'done\nnext\nlast']
  ])('removes or marks %s (TOOL-120, TOOL-121)', (_what, text, expected) => {
    expect(safeText(text)).toBe(expected)
  })

  it.each([
    'é ü ß ñ Ω Ж',
    '日本語 한국어',
    '👨‍👩‍👧 👍🏽 🇩🇪 ⚠️',
    '👩🏻‍❤️‍💋‍👨🏿👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦👩🏻‍❤️‍💋‍👨🏿',
    '🏻🏼🏽🏾🏿',
    'می‌خواهم',
    'क्‍ष',
    '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
    'a → b'
  ])('never harms letters and emoji: %s (TERM-30)', (text) => {
    expect(safeText(text)).toBe(text)
  })

  it('leaves nothing a terminal would obey or that hides other text, for any text (TOOL-128)', () => {
    const hidden = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\xad]/
    fc.assert(
      fc.property(fc.oneof(nasty, bytes), (text) => {
        const safe = safeText(text)
        expect(hidden.test(safe)).toBe(false)
        expect(safe.isWellFormed()).toBe(true)
        expect(safeText(safe)).toBe(safe)
      })
    )
  })

  it('works line by line, so that a growing text can be cleaned from its last line on', () => {
    fc.assert(
      fc.property(nasty, nasty, (above, below) => {
        expect(safeText(`${above}\n${below}`)).toBe(`${safeText(above)}\n${safeText(below)}`)
      })
    )
  })

  it('puts names on one line', () => {
    expect(safeLine('a\n\x1b[1mb')).toBe('a b')
  })
})

describe('visibleText', () => {
  it('shows every character of the list and tabs (TERM-31)', () => {
    const list = '\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2069\u2800\ufeff\u00ad'
    const shown = visibleText(list)
    for (const char of list) {
      expect(shown).toContain(`<U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}>`)
      expect(shown).not.toContain(char)
    }
    expect(visibleText('a\tb')).toBe('a⇥  b')
  })

  it('shows controls instead of dropping them', () => {
    expect(visibleText('a\x1b[2Jb\0\x7f\rc\x9b')).toBe('a␛[2Jb␀␡␍c<U+009B>')
    expect(visibleText('a\r\nb')).toBe('a\nb')
    expect(visibleText('⚠️ é')).toBe('⚠️ é')
  })

  it('shows a file name with escapes and line ends on one line (TOOL-126)', () => {
    expect(visibleLine('evil\x1b[31m\nname')).toBe('evil␛[31m␊name')
  })

  it('holds no control and nothing invisible, for any text (TOOL-128)', () => {
    const hidden =
      /[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\u2800\ufeff\xad]|[\u{e0000}-\u{e0fff}]/u
    fc.assert(
      fc.property(fc.oneof(nasty, bytes), (text) => {
        const shown = visibleText(text)
        expect(hidden.test(shown)).toBe(false)
        expect(shown.isWellFormed()).toBe(true)
        // Nothing vanishes: what was there takes at least as much room as before.
        expect(cellWidth(shown)).toBeGreaterThanOrEqual(cellWidth(text.replace(/[^\x20-\x7e]/g, '')))
      })
    )
  })
})

describe('safeJson', () => {
  it('spells what a terminal acts on as escapes, as JSON has them (TERM-30)', () => {
    expect(safeJson({ title: 'a\u009b31m\u202eb\u2028c\x7f' })).toBe('{"title":"a\\u009b31m\\u202eb\\u2028c\\u007f"}')
  })

  it('says the same value, and holds no control but the line ends of its own layout, for any value', () => {
    const value = fc.dictionary(nasty, fc.oneof(nasty, fc.double({ noNaN: true }), fc.array(nasty)))
    fc.assert(
      fc.property(value, fc.constantFrom(0, 2), (given, indent) => {
        const text = safeJson(given, { indent })
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(given)))
        expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/)
      })
    )
  })
})

describe('modelText', () => {
  it('drops escapes and overwritten progress, keeps tabs and everything else (TOOL-122)', () => {
    expect(modelText('\x1b[32mok\x1b[0m\t1\r\n10%\r99%\n\0\u200b日')).toBe('ok\t1\n99%\n�\u200b日')
  })

  it('holds no escape and no control but LF and TAB, for any text (TOOL-128)', () => {
    fc.assert(
      fc.property(fc.oneof(nasty, bytes), (text) => {
        const given = modelText(text)
        expect(/[\x00-\x08\x0b-\x1f\x7f\x9b]/.test(given)).toBe(false)
        expect(given.isWellFormed()).toBe(true)
        expect(modelText(given)).toBe(given)
      })
    )
  })
})

it('takes linear time on hostile repetition (TOOL-128)', () => {
  // A quadratic scan of these would take minutes; the limit is what a test may last.
  for (const piece of [
    '\x1b]',
    '\x9d',
    '\x1b[1;',
    '\x1b[[',
    '\r',
    '\t',
    '\u200d',
    '\ud800',
    '\u{1f3f4}\u{e0067}',
    '\x90\n'
  ]) {
    const text = piece.repeat(200_000)
    safeText(text)
    visibleText(text)
    modelText(text)
  }
})
