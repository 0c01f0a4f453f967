import { describe, expect, test } from 'vitest'
import { validateOpId } from '../../../src/gate/runner/op-id.ts'
import { fc } from '../../support/laws.ts'

const refusalOf = (text: string) => {
  const result = validateOpId(text)
  return 'refused' in result ? result.refused.text : null
}

describe('INIT-10…19: what an op-id may not be', () => {
  test.each([
    ['', 'op-id-required'],
    [' \t\u00a0', 'op-id-required'],
    ['a'.repeat(257), 'op-id-too-long: 257 > 256 bytes'],
    ['é'.repeat(129), 'op-id-too-long: 258 > 256 bytes'],
    ['a\u0000b', 'op-id-invalid-characters: control byte at offset 1 (0x00)'],
    ['é\tb', 'op-id-invalid-characters: control byte at offset 2 (0x09)'],
    ['a\u007f', 'op-id-invalid-characters: control byte at offset 1 (0x7f)'],
    ['a/b', 'op-id-invalid-characters: path-separator at offset 1 ("/")'],
    ['é\\b', 'op-id-invalid-characters: path-separator at offset 2 ("\\\\")'],
    [' alice', 'op-id-invalid-characters: whitespace at offset 0'],
    ['alice ', 'op-id-invalid-characters: whitespace at offset 5'],
    ['a\u2003b', 'op-id-invalid-characters: whitespace at offset 1'],
    ['a..b', 'op-id-invalid-characters: contains ".." (path-traversal guard)'],
    ['.a', 'op-id-invalid-characters: must not start with "."'],
    ['-a', 'op-id-invalid-characters: must not start with "-"'],
    ['a.', "op-id-invalid-characters: trailing '.' rejected"],
    ['a\u0080', 'op-id-invalid-characters: contains Unicode format/control rune U+0080'],
    ['a\u200b', 'op-id-invalid-characters: contains Unicode format/control rune U+200B'],
    ['a\u202eb', 'op-id-invalid-characters: contains Unicode format/control rune U+202E'],
    ['a\ufeff', 'op-id-invalid-characters: contains Unicode format/control rune U+FEFF'],
    ['a\u{e0001}', 'op-id-invalid-characters: contains Unicode format/control rune U+E0001'],
    ['a\ud800', 'op-id-invalid-characters: not valid UTF-8'],
    ['a\ufffd', 'op-id-invalid-characters: not valid UTF-8']
  ])('%j', (text, refusal) => {
    expect(refusalOf(text)).toBe(refusal)
  })

  test('INIT-20: the first row that applies is told, ill-formed text before controls', () => {
    expect(refusalOf('\u0001/ ..\ud800')).toBe('op-id-invalid-characters: not valid UTF-8')
    expect(refusalOf('./ \u0001')).toMatch(/control byte at offset 3/)
    expect(refusalOf('.. /')).toMatch(/path-separator at offset 3/)
    expect(refusalOf('.. ')).toMatch(/whitespace/)
    expect(refusalOf('..')).toMatch(/contains "\.\."/)
    expect(refusalOf(`/${'a'.repeat(300)}`)).toMatch(/^op-id-too-long/)
  })
})

describe('INIT-21, INIT-22: what is accepted', () => {
  test.each([
    'alice',
    'alice@example.com',
    'u123',
    'team:platform',
    'ops_team_42',
    `o'brien`,
    '{"a":[1]}',
    '日本',
    'a'.repeat(256)
  ])('%s', (text) => {
    expect(validateOpId(text)).toEqual({ opId: text })
  })

  test('two encodings of one text are one operator; scripts are not folded', () => {
    expect(validateOpId('e\u0301')).toEqual(validateOpId('\u00e9'))
    expect(validateOpId('\u0430lice')).not.toEqual(validateOpId('alice'))
  })

  test('law: whatever is accepted is a fixed point, fits its bytes and survives JSON (INIT-22, INIT-23)', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        const result = validateOpId(text)
        if ('refused' in result) return
        expect(validateOpId(result.opId)).toEqual(result)
        expect(Buffer.byteLength(result.opId)).toBeLessThanOrEqual(256)
        expect(JSON.parse(JSON.stringify(result.opId))).toBe(result.opId)
        expect(result.opId).not.toMatch(/[/\\\s]/)
      })
    )
  })
})
