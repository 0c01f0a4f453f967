import { describe, expect, test } from 'vitest'
import { applyEdit } from '../../../src/agent/tools/apply-edit.ts'
import { fc } from '../../support/laws.ts'

const edit = (file: string | Buffer, oldString: string, newString: string) =>
  applyEdit(typeof file === 'string' ? Buffer.from(file) : file, { oldString, newString })
const replaced = (file: string | Buffer, oldString: string, newString: string) => {
  const outcome = edit(file, oldString, newString)
  return outcome.kind === 'replaced' ? outcome.bytes : outcome
}

describe('matching (TOOL-046)', () => {
  test('the one occurrence is replaced and its line told', () => {
    expect(edit('a\nb\nc\n', 'c', 'd')).toEqual({ kind: 'replaced', bytes: Buffer.from('a\nb\nd\n'), line: 3 })
  })

  test('an empty new_string deletes', () => {
    expect(replaced('one two', ' two', '')).toEqual(Buffer.from('one'))
  })

  test('is literal: nothing in either string is special', () => {
    expect(replaced('a.*b $1', '.*', '$&$1')).toEqual(Buffer.from('a$&$1b $1'))
  })

  test('a CRLF file is matched with LF, and LF of the replacement becomes CRLF', () => {
    expect(replaced('a\r\nb\r\nc\r\n', 'a\nb', 'x\ny\nz')).toEqual(Buffer.from('x\r\ny\r\nz\r\nc\r\n'))
  })

  test.each([
    ['a\n', 'x\n', 'x\r\nb\r\n'],
    ['\nb', '\nx', 'a\r\nx\r\n'],
    ['a', 'x', 'x\r\nb\r\n'],
    ['\n', '|', null]
  ])('a CR goes with its LF: %j', (oldString, newString, expected) => {
    const outcome = replaced('a\r\nb\r\n', oldString, newString)
    if (expected === null) expect(outcome).toMatchObject({ kind: 'ambiguous', count: 2 })
    else expect(outcome).toEqual(Buffer.from(expected))
  })

  test('mixed endings: the majority decides for the replacement, all else stays', () => {
    expect(replaced('a\r\nb\nc\r\nd', 'b', 'x\ny')).toEqual(Buffer.from('a\r\nx\r\ny\nc\r\nd'))
    expect(replaced('a\nb\nc\r\nd', 'b', 'x\ny')).toEqual(Buffer.from('a\nx\ny\nc\r\nd'))
  })

  test('the mark is outside the text', () => {
    const file = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('first\r\nlast\r\n')])
    expect(replaced(file, 'first\nlast', 'one\ntwo')).toEqual(
      Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('one\r\ntwo\r\n')])
    )
  })

  test('bytes that are no UTF-8 stay as they are (TOOL-048)', () => {
    const file = Buffer.concat([Buffer.from([0xff, 0x80]), Buffer.from('word'), Buffer.from([0xc3])])
    expect(replaced(file, 'word', 'wörd')).toEqual(
      Buffer.concat([Buffer.from([0xff, 0x80]), Buffer.from('wörd'), Buffer.from([0xc3])])
    )
  })

  test('UTF-16 and binary files are left alone (TOOL-102)', () => {
    expect(edit(Buffer.from('\ufeffabc', 'utf16le'), 'a', 'b')).toEqual({ kind: 'unsupported', reason: 'utf-16' })
    expect(edit(Buffer.from('abc\0'), 'a', 'b')).toEqual({ kind: 'unsupported', reason: 'binary' })
  })
})

describe('what is not replaced', () => {
  test('overlapping occurrences count (TOOL-047)', () => {
    expect(edit('aaa', 'aa', 'b')).toEqual({ kind: 'ambiguous', count: 2, lines: [1, 1] })
  })

  test('the first five lines of many', () => {
    expect(edit('x\n'.repeat(9), 'x', 'y')).toEqual({ kind: 'ambiguous', count: 9, lines: [1, 2, 3, 4, 5] })
  })

  test('old = new', () => {
    expect(edit('abc', 'b', 'b')).toEqual({ kind: 'no-change' })
    expect(edit('abb', 'b', 'b')).toMatchObject({ kind: 'ambiguous' })
    expect(edit('abb', 'c', 'c')).toMatchObject({ kind: 'not-found' })
  })

  test.each([
    ['say “hi”', 'say "hi"', 'it would match if typographic quotes were plain ones'],
    ['a  \nb', 'a\nb', 'it would match if blanks at line ends were ignored'],
    ['‘a’ \nb', "'a'\nb", 'it would match if blanks at line ends were ignored and typographic quotes were plain ones'],
    ['abc', 'xyz', null]
  ])('hint for %j', (file, oldString, hint) => {
    expect(edit(file, oldString, '')).toEqual({ kind: 'not-found', hint })
  })

  test('the hint for a string quoted from bytes that are no UTF-8 says so (TOOL-048)', () => {
    expect(edit(Buffer.from('caf\xe9 one\r\ntwo\r\n', 'latin1'), 'caf\ufffd one\ntwo', '')).toEqual({
      kind: 'not-found',
      hint: 'it holds \ufffd where the file has bytes that are no UTF-8; leave these out'
    })
  })

  test('a large file gets no hint, which would take longer than the edit', () => {
    const file = Buffer.concat([Buffer.from('a  \nb\n'), Buffer.alloc(8 * 1024 * 1024, 'line\n')])
    expect(edit(file, 'a\nb', '')).toEqual({ kind: 'not-found', hint: null })
  })
})

describe('laws', () => {
  const piece = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '\r\n', '\n'), maxLength: 12 })

  test('bytes outside the match never change', () => {
    fc.assert(
      fc.property(piece, piece, piece, (before, after, newString) => {
        const outcome = edit(`${before}<mark>${after}`, '<mark>', newString)
        expect(outcome.kind).toBe('replaced')
        if (outcome.kind !== 'replaced') return
        const head = Buffer.from(before)
        const tail = Buffer.from(after)
        expect(outcome.bytes.subarray(0, head.length)).toEqual(head)
        expect(outcome.bytes.subarray(outcome.bytes.length - tail.length)).toEqual(tail)
      })
    )
  })

  test('overlapping occurrences are counted as a slow search counts them', () => {
    const letters = (maxLength: number, minLength = 0) =>
      fc.string({ unit: fc.constantFrom('a', 'b'), minLength, maxLength })
    fc.assert(
      fc.property(letters(40), letters(4, 1), (file, needle) => {
        let count = 0
        for (let at = 0; at < file.length; at += 1) if (file.startsWith(needle, at)) count += 1
        const outcome = edit(file, needle, 'c')
        expect(outcome.kind === 'ambiguous' ? outcome.count : outcome.kind === 'replaced' ? 1 : 0).toBe(count)
      })
    )
  })
})
