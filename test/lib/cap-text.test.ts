import { describe, expect, test } from 'vitest'
import { capResult, cutBytes, cutLength } from '../../src/lib/cap-text.ts'
import { fc } from '../support/laws.ts'

const lines = (count: number) => Array.from({ length: count }, (_, i) => `line ${i}\n`).join('')

describe('capResult (TOOL-011)', () => {
  test('what fits is left alone, and -1 is no limit', () => {
    expect(capResult('abc', 3)).toBe('abc')
    expect(capResult(lines(5000), -1)).toBe(lines(5000))
  })

  test('keeps head and tail at line boundaries with the marker between them', () => {
    const text = lines(2000)
    const capped = capResult(text, 1000).split('\n')
    const at = capped.findIndex((line) => line.startsWith('[…'))
    expect(capped[0]).toBe('line 0')
    expect(capped[at - 1]).toBe(`line ${at - 1}`)
    expect(capped.at(-2)).toBe('line 1999')
    expect(capped[at + 1]).toMatch(/^line \d{4}$/)
    const kept = `${capped.slice(0, at).join('\n')}\n`.length + capped.slice(at + 1).join('\n').length
    expect(capped[at]).toBe(`[… ${kept} of ${text.length} bytes shown, limit tools.max_result_bytes …]`)
    const headShare = `${capped.slice(0, at).join('\n')}\n`.length / kept
    expect(headShare).toBeGreaterThan(0.65)
    expect(headShare).toBeLessThan(0.75)
  })

  test('the marker names the file with the whole output (TOOL-012)', () => {
    expect(capResult(lines(500), 500, '.ghyll/state/out/c.txt')).toContain(
      'limit tools.max_result_bytes, whole output in .ghyll/state/out/c.txt …]'
    )
  })

  test('a line without end is cut between letters', () => {
    const capped = capResult('é'.repeat(5000), 1000)
    expect(capped).not.toContain('\ufffd')
    expect(capped).toMatch(/^é+\n\[….*…\]\né+$/)
  })

  test('law: never above the limit, and made of the beginning and the end', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'é', '日', '😀', '\n', ' '), maxLength: 2000 })
    fc.assert(
      fc.property(text, fc.integer({ min: 150, max: 1500 }), (whole, limit) => {
        const capped = capResult(whole, limit)
        expect(Buffer.byteLength(capped)).toBeLessThanOrEqual(Math.max(limit, 0))
        if (capped === whole) return
        const [, head = '', tail = ''] = /^([\s\S]*?)\n?\[… \d+ of \d+ bytes[^\n]*\n([\s\S]*)$/.exec(capped) ?? []
        expect(whole.startsWith(head)).toBe(true)
        expect(whole.endsWith(tail)).toBe(true)
      })
    )
  })
})

describe('cutBytes', () => {
  test.each([
    ['abc', 3, 'abc'],
    ['abcd', 3, 'abc'],
    ['a→b', 3, 'a'],
    ['a→b', 4, 'a→'],
    ['🙂🙂', 7, '🙂'],
    ['🙂', 3, ''],
    ['aé', 2, 'a'],
    ['', 10, ''],
    ['abc', 0, '']
  ])('%j in %i bytes is %j', (text, most, cut) => {
    expect(cutBytes(text, most)).toBe(cut)
  })

  test('law: it is a beginning of the text, within the limit, and as long as letters allow', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(40), (text, most) => {
        const cut = cutBytes(text, most)
        expect(text.startsWith(cut)).toBe(true)
        expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(most)
        expect(cut === text || Buffer.byteLength(cut) > most - 4).toBe(true)
      })
    )
  })
})

describe('cutLength', () => {
  test.each([
    ['abc', 3, 'abc'],
    ['abcd', 3, 'abc'],
    ['a🙂b', 2, 'a'],
    ['a🙂b', 3, 'a🙂'],
    ['🙂', 1, ''],
    ['abc', 0, ''],
    ['', 10, '']
  ])('%j in %i units is %j', (text, most, cut) => {
    expect(cutLength(text, most)).toBe(cut)
  })
})
