import { describe, expect, test } from 'vitest'
import { createInputDecoder, type TerminalInput } from '../../../ui/keys/index.ts'
import { fc } from '../../support/laws.ts'

function decode(bytes: string, now = 0): TerminalInput[] {
  const decoder = createInputDecoder()
  return [...decoder.push(bytes, now), ...decoder.flush(now + 1_000)]
}

function names(bytes: string): string[] {
  return decode(bytes).map((input) => (input.kind === 'key' ? input.name : input.kind))
}

describe('key names in every encoding (TERM-40, TERM-49)', () => {
  test.each([
    // legacy
    ['a', 'a'],
    ['A', 'A'],
    ['?', '?'],
    [' ', 'space'],
    ['é', 'é'],
    ['\x01', 'ctrl+a'],
    ['\x00', 'ctrl+space'],
    ['\x1f', 'ctrl+_'],
    ['\r', 'enter'],
    ['\n', 'ctrl+j'],
    ['\t', 'tab'],
    ['\x7f', 'backspace'],
    ['\x08', 'ctrl+h'],
    ['\x1b', 'esc'],
    ['\x1b\r', 'alt+enter'],
    ['\x1b\x7f', 'alt+backspace'],
    ['\x1bb', 'alt+b'],
    ['\x1bB', 'alt+shift+b'],
    ['\x1b[A', 'up'],
    ['\x1bOA', 'up'],
    ['\x1b[1;5A', 'ctrl+up'],
    ['\x1b[1;3D', 'alt+left'],
    ['\x1b\x1b[D', 'alt+left'],
    ['\x1b[Z', 'shift+tab'],
    ['\x1b[3~', 'delete'],
    ['\x1b[5~', 'pageup'],
    ['\x1b[1~', 'home'],
    ['\x1b[7~', 'home'],
    ['\x1b[1;5H', 'ctrl+home'],
    ['\x1bOP', 'f1'],
    ['\x1b[11~', 'f1'],
    ['\x1b[[A', 'f1'],
    ['\x1b[1;2R', 'shift+f3'],
    ['\x1b[24~', 'f12'],
    ['\x1bOa', 'ctrl+up'],
    ['\x1b[a', 'shift+up'],
    ['\x1b[5^', 'ctrl+pageup'],
    ['\x1bOM', 'enter'],
    // modifyOtherKeys
    ['\x1b[27;2;13~', 'shift+enter'],
    ['\x1b[27;5;13~', 'ctrl+enter'],
    ['\x1b[27;6;95~', 'ctrl+_'],
    ['\x1b[27;2;65~', 'A'],
    ['\x1b[27;5;105~', 'ctrl+i'],
    // kitty
    ['\x1b[27u', 'esc'],
    ['\x1b[13;2u', 'shift+enter'],
    ['\x1b[13;3u', 'alt+enter'],
    ['\x1b[97;5u', 'ctrl+a'],
    ['\x1b[97:65;2u', 'A'],
    ['\x1b[97;2;65u', 'A'],
    ['\x1b[45:95;6u', 'ctrl+_'],
    ['\x1b[57399u', '0'],
    ['\x1b[57414u', 'enter'],
    ['\x1b[57376u', 'f13'],
    ['\x1b[13~', 'f3'],
    ['\x1b[1;5P', 'ctrl+f1'],
    ['\x1b[99;133u', 'ctrl+c'], // with Num Lock
    ['\x1b[1089::99;5u', 'ctrl+c'] // Cyrillic с on the key of c
  ])('%j is %s', (bytes, name) => {
    expect(names(bytes)).toEqual([name])
  })

  test.each([
    ['a release', '\x1b[97;1:3u'],
    ['a released arrow', '\x1b[1;1:3A'],
    ['a lone Shift', '\x1b[57441;2u'],
    ['Caps Lock', '\x1b[57358u'],
    ['a cursor report', '\x1b[24;80R'],
    ['a terminal version', '\x1bP>|xterm(390)\x1b\\'],
    ['an OSC colour reply', '\x1b]11;rgb:0000/0000/0000\x07'],
    ['a report of a mode that does not exist', '\x1b[?2026;0$y'],
    ['a click', '\x1b[<0;10;5M']
  ])('%s does nothing', (_, bytes) => {
    expect(decode(bytes)).toEqual([])
  })

  test('what a key types is its text, and a shortcut types nothing', () => {
    expect(decode('\x1b[97;2;65u')).toMatchObject([{ name: 'A', text: 'A' }])
    expect(decode('\x1b[97;5u')).toMatchObject([{ name: 'ctrl+a', text: '' }])
    expect(decode('\x1b[97;1:2u')).toMatchObject([{ name: 'a', isRepeat: true }])
  })

  test('a grapheme of several code points is one key, two letters are text', () => {
    expect(names('👩‍👩‍👧')).toEqual(['👩‍👩‍👧'])
    expect(decode('ab')).toEqual([{ kind: 'text', text: 'ab' }])
  })
})

describe('time', () => {
  test('a lone Esc waits 30 ms, the beginning of a sequence longer (TERM-45)', () => {
    const decoder = createInputDecoder()
    expect(decoder.push('\x1b', 100)).toEqual([])
    expect(decoder.deadline()).toBe(130)
    expect(decoder.flush(130)).toMatchObject([{ name: 'esc' }])
    expect(decoder.deadline()).toBeNull()
    decoder.push('\x1b[1;', 200)
    expect(decoder.deadline()).toBe(400)
    expect(decoder.push('5A', 390)).toMatchObject([{ name: 'ctrl+up' }])
  })

  test('a sequence that never ends is dropped, not typed', () => {
    const decoder = createInputDecoder()
    decoder.push('\x1b[1;', 0)
    expect(decoder.flush(200)).toEqual([])
  })

  test.each([
    ['OSC', '\x1b]'],
    ['DCS', '\x1bP'],
    ['CSI', '\x1b[']
  ])('text behind a beginning of %s that is no reply is not lost (TERM-43)', (_, beginning) => {
    const line = `${'1;'.repeat(30)} many words `
    const decoder = createInputDecoder()
    const inputs = decoder.push(beginning, 0)
    for (let at = 1; at <= 100; at += 1) inputs.push(...decoder.push(line, at))
    inputs.push(...decoder.flush(400))
    expect(gather(inputs).join('')).toContain(line.repeat(99))
  })

  test('a line end ends what could have been a reply: the next line is text (TERM-43)', () => {
    const decoder = createInputDecoder()
    const inputs = [...decoder.push('\x1b]0;ti', 0), ...decoder.push('tle\rnext line', 10)]
    expect(gather(inputs).join('')).toContain('next line')
  })

  test('Enter within 30 ms of other typing is a burst, later it is a key (TERM-43)', () => {
    const burst = createInputDecoder()
    burst.push('a', 0)
    expect(burst.push('\r', 10)).toMatchObject([{ name: 'enter', isBurst: true }])
    const typed = createInputDecoder()
    typed.push('a', 0)
    expect(typed.push('\r', 40)).toMatchObject([{ name: 'enter', isBurst: false }])
    expect(decode('\rmore')).toMatchObject([{ name: 'enter', isBurst: true }, { kind: 'text' }])
  })
})

describe('paste (TERM-43)', () => {
  test('arrives whole, with LF ends, escapes as text', () => {
    expect(decode('\x1b[200~a\r\nb\rc\x1b[31mred\t\x1b[201~x')).toMatchObject([
      { kind: 'paste', text: 'a\nb\nc\x1b[31mred\t' },
      { kind: 'key', name: 'x' }
    ])
  })

  test('a missing end mark times out and loses nothing', () => {
    const decoder = createInputDecoder()
    expect(decoder.push('\x1b[200~abc\x1b[20', 0)).toEqual([])
    expect(decoder.deadline()).toBe(1_000)
    expect(decoder.flush(1_000)).toEqual([{ kind: 'paste', text: 'abc\x1b[20' }])
    expect(decoder.push('d', 1_100)).toMatchObject([{ name: 'd' }])
  })

  test('2 MB with escapes, one byte at a time, are one paste, and the key behind it is a key', () => {
    const text = 'a \x1b[31mb\r\n'.repeat(200_000)
    const bytes = Buffer.from(`\x1b[200~${text}\x1b[201~x`)
    const decoder = createInputDecoder()
    const inputs: TerminalInput[] = []
    for (let at = 0; at < bytes.length; at++) inputs.push(...decoder.push(bytes.subarray(at, at + 1), 0))
    expect(inputs).toHaveLength(2)
    expect(inputs[0]?.kind === 'paste' && inputs[0].text === text.replaceAll('\r\n', '\n')).toBe(true)
    expect(inputs[1]).toMatchObject({ kind: 'key', name: 'x' })
  })

  test('any split of the bytes yields the same pastes and the same text', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replaceAll(/[\x00-\x1f\x7f-\x9f]/g, '')),
      fc.string({ maxLength: 30 }).map((text) => `\x1b[200~${text.replaceAll('\x1b', '')}\x1b[201~`)
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), fc.array(fc.nat(400), { maxLength: 8 }), (pieces, cuts) => {
        const bytes = Buffer.from(pieces.join(''))
        const whole = gather(decodeAll([bytes]))
        const points = [...new Set(cuts.map((cut) => Math.min(cut, bytes.length)))].sort((a, b) => a - b)
        const chunks = [0, ...points].map((from, index) => bytes.subarray(from, points[index] ?? bytes.length))
        expect(gather(decodeAll(chunks))).toEqual(whole)
      })
    )
  })
})

function decodeAll(chunks: readonly Uint8Array[]): TerminalInput[] {
  const decoder = createInputDecoder()
  const inputs = chunks.flatMap((chunk) => decoder.push(chunk, 0))
  return [...inputs, ...decoder.flush(5_000)]
}

/** Pastes as they are, and all that was typed in between, joined. */
function gather(inputs: readonly TerminalInput[]): string[] {
  const parts: string[] = ['']
  for (const input of inputs) {
    if (input.kind === 'paste') parts.push(`paste:${input.text}`, '')
    if (input.kind === 'text' || input.kind === 'key') parts[parts.length - 1] += input.text
  }
  return parts
}

test('a burst of wheel notches is one move (TERM-22)', () => {
  expect(decode('\x1b[<65;1;1M\x1b[<65;1;1M\x1b[<64;9;1M')).toEqual([{ kind: 'wheel', notches: 1, column: 8 }])
})

test('focus and query replies are told apart from keys', () => {
  expect(decode('\x1b[I\x1b[O\x1b[?5u\x1b[?2026;2$y\x1b[?62;22c')).toEqual([
    { kind: 'focus', isFocused: true },
    { kind: 'focus', isFocused: false },
    { kind: 'reply', to: 'kitty' },
    { kind: 'reply', to: 'synchronized' },
    { kind: 'reply', to: 'attributes' }
  ])
})

test('invalid UTF-8 becomes U+FFFD (TERM-33)', () => {
  const decoder = createInputDecoder()
  expect(decoder.push(Uint8Array.of(0x61, 0xff, 0x62), 0)).toEqual([{ kind: 'text', text: 'a\uFFFDb' }])
})
