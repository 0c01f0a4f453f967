import { describe, expect, test } from 'vitest'
import { createTokenizer } from '../../../src/memory/embedder/tokenizer.ts'
import { fc, runs } from '../../support/laws.ts'

const wordPiece = createTokenizer('wordpiece')
const hash = createTokenizer('hash')

describe('wordpiece (MEM-112)', () => {
  test.each([
    [
      'Hello, world! Unaffable naïve 日本',
      [101, 7592, 1010, 2088, 999, 14477, 20961, 3468, 15743, 1864, 1876, 102],
      'case, accents, punctuation, pieces, CJK'
    ],
    ['hello', [101, 7592, 102], 'one word'],
    ['', [101, 102], 'nothing'],
    [' \t\n\u0000 ', [101, 102], 'nothing but blanks and controls'],
    ['a'.repeat(101), [101, 100, 102], 'a word of more than 100 characters'],
    ['hello [SEP] hello', [101, 7592, 1031, 19802, 1033, 7592, 102], 'a special token as plain text']
  ])('%j', (text, ids) => {
    expect(wordPiece(text)).toEqual(ids)
  })

  test('a long text is cut to 512 with [SEP] still last', () => {
    const ids = wordPiece('hello '.repeat(5000))
    expect(ids).toHaveLength(512)
    expect(ids.at(-1)).toBe(102)
    expect(ids.at(-2)).toBe(7592)
  })
})

describe('hash (MEM-113)', () => {
  test.each([
    ['Hello, world', [101, 4026, 16802, 102]],
    ['hello,\u0085\u3000WORLD', [101, 4026, 16802, 102]],
    ['', [101, 102]]
  ])('%j', (text, ids) => {
    expect(hash(text)).toEqual(ids)
  })

  test('words of any length stay within the vocabulary, overflow of 64 bits included', () => {
    const [, id = 0] = hash('\u{10ffff}'.repeat(200))
    expect(id).toBeGreaterThanOrEqual(1000)
    expect(id).toBeLessThan(30_000)
  })

  test('stops at 511 before the last', () => {
    expect(hash('a '.repeat(510))).toHaveLength(512)
    expect(hash('a '.repeat(511))).toHaveLength(512)
  })
})

test.each(['wordpiece', 'hash'] as const)(
  '%s: any text gives 2 to 512 known numbers between [CLS] and [SEP]',
  (name) => {
    const tokenize = createTokenizer(name)
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), (text) => {
        const ids = tokenize(text)
        expect(ids.length).toBeLessThanOrEqual(512)
        expect([ids[0], ids.at(-1)]).toEqual([101, 102])
        expect(ids.every((id) => Number.isInteger(id) && id >= 0 && id < 30_522)).toBe(true)
      }),
      { numRuns: runs(50) }
    )
  }
)
