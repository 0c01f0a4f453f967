import { describe, expect, test } from 'vitest'
import { binaryType, bomOf, decodeText, encodeLike, isBinary, styleOf } from '../../../src/agent/tools/file-text.ts'
import { fc } from '../../support/laws.ts'

const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16()

describe('what a file is made of (TOOL-100)', () => {
  test.each([
    ['plain', Buffer.from('a\nb'), { bom: null, ending: '\n', finalNewline: false }],
    ['CRLF', Buffer.from('a\r\nb\r\n'), { bom: null, ending: '\r\n', finalNewline: true }],
    ['majority CRLF', Buffer.from('a\r\nb\r\nc\n'), { bom: null, ending: '\r\n', finalNewline: true }],
    ['as many of both', Buffer.from('a\r\nb\n'), { bom: null, ending: '\n', finalNewline: true }],
    ['no line', Buffer.from('a'), { bom: null, ending: '\n', finalNewline: false }],
    ['UTF-8 mark', Buffer.from('\ufeffa\n'), { bom: 'utf-8', ending: '\n', finalNewline: true }],
    ['UTF-16 LE', Buffer.from('\ufeffa\r\n', 'utf16le'), { bom: 'utf-16le', ending: '\r\n', finalNewline: true }],
    ['UTF-16 BE', utf16be('\ufeffa\n'), { bom: 'utf-16be', ending: '\n', finalNewline: true }]
  ])('%s', (_, bytes, style) => {
    expect(styleOf(bytes)).toEqual(style)
  })

  test.each([
    ['a NUL', Buffer.from('a\0b'), true],
    ['a NUL behind a UTF-8 mark', Buffer.from('\ufeffa\0'), true],
    ['UTF-16', Buffer.from('\ufeffab', 'utf16le'), false],
    ['a NUL after 8 KiB', Buffer.concat([Buffer.alloc(8192, 'a'), Buffer.from([0])]), false],
    ['a NUL as byte 8192', Buffer.concat([Buffer.alloc(8191, 'a'), Buffer.from([0])]), true],
    ['text', Buffer.from('ä'), false]
  ])('binary (TOOL-104): %s', (_, bytes, expected) => {
    expect(isBinary(bytes)).toBe(expected)
  })

  test('types by first bytes, then by name (TOOL-033)', () => {
    expect(binaryType(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'x')).toBe('PNG image')
    expect(binaryType(Buffer.from('??'), 'a/b.DAT')).toBe('dat file')
    expect(binaryType(Buffer.from('??'), 'a/b')).toBe('unknown type')
  })
})

describe('text as the model sees it (TOOL-034, TOOL-102)', () => {
  test('no mark, LF, UTF-16 converted', () => {
    expect(decodeText(Buffer.from('\ufeffa\r\nb'))).toBe('a\nb')
    expect(decodeText(utf16be('\ufeffä\r\n'))).toBe('ä\n')
  })

  test('law: what is written like a file reads back as it was meant', () => {
    const bom = fc.constantFrom('utf-8', 'utf-16le', 'utf-16be', null)
    const text = fc.string({ unit: fc.constantFrom('a', 'ä', '😀', '\n', ' ') })
    fc.assert(
      fc.property(bom, fc.constantFrom('\n', '\r\n'), text, (mark, ending, content) => {
        const bytes = encodeLike({ bom: mark, ending, finalNewline: true } as never, content)
        expect(bomOf(bytes)).toBe(mark)
        expect(decodeText(bytes)).toBe(content)
        if (ending === '\r\n' && content.includes('\n')) expect(styleOf(bytes).ending).toBe('\r\n')
      })
    )
  })

  test('content with a CRLF of its own is left as it is (TOOL-101)', () => {
    expect(encodeLike({ bom: null, ending: '\r\n', finalNewline: true }, 'a\r\nb\n')).toEqual(Buffer.from('a\r\nb\n'))
  })
})
