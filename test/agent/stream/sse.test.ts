import { describe, expect, test } from 'vitest'
import { sizeLimits } from '../../../src/agent/stream/limits.ts'
import { sseDecoder } from '../../../src/agent/stream/sse.ts'
import { fc, runs } from '../../support/laws.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

function decode(pieces: readonly Uint8Array[]): { events: string[]; overflowed: boolean } {
  const decoder = sseDecoder()
  const events = pieces.flatMap((piece) => [...decoder.feed(piece)])
  events.push(...decoder.end())
  return { events, overflowed: decoder.overflowed }
}

function cut(whole: Uint8Array, at: readonly number[]): Uint8Array[] {
  const ends = [...at.map((cut) => cut % (whole.length + 1)).toSorted((a, b) => a - b), whole.length]
  return ends.map((end, i) => whole.subarray(ends[i - 1] ?? 0, end))
}

describe('MODEL-030 the full grammar', () => {
  test.each([
    ['LF', 'data: a\n\ndata: b\n\n', ['a', 'b']],
    ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
    ['CR', 'data: a\r\rdata: b\r\r', ['a', 'b']],
    ['no space after the colon', 'data:a\n\n', ['a']],
    ['only one space is taken', 'data:  a\n\n', [' a']],
    ['several lines of one event', 'data: a\ndata: b\n\n', ['a\nb']],
    ['other fields and comments', ': ping\nevent: x\nid: 1\nretry: 5\nfoo: bar\ndata: a\n\n', ['a']],
    ['only comments', ': ping\n\n: ping\n\n', []],
    ['a byte order mark', '\ufeffdata: a\n\n', ['a']],
    ['no blank line at the end', 'data: a\n\ndata: [DONE]', ['a', '[DONE]']],
    ['no line end at all', 'data: a', ['a']]
  ])('%s', (_name, stream, events) => {
    expect(decode([bytes(stream)])).toEqual({ events, overflowed: false })
  })
})

const stream = bytes(
  ': hi\r\ndata: {"a":"größe 日本 😀"}\r\n\r\nevent: x\ndata: one\ndata: zwei ü\n\n\r\ndata:last\r\rdata: [DONE]\n\n'
)

test('MODEL-031 any cut of the bytes yields the same events', () => {
  const whole = decode([stream])
  expect(whole.events).toHaveLength(4)
  for (let at = 0; at <= stream.length; at += 1) {
    expect(decode([stream.subarray(0, at), stream.subarray(at)])).toEqual(whole)
  }
  expect(decode([...stream].map((_, i) => stream.subarray(i, i + 1)))).toEqual(whole)
})

test('MODEL-030, MODEL-031 so it is for any stream of lines', () => {
  const line = fc.oneof(
    fc.constantFrom('', 'data: x', 'data:', ': c', 'event: e', 'data', 'nonsense', 'id: 4'),
    fc.string({ unit: 'grapheme' }).map((text) => `data: ${text.replace(/[\r\n]/g, ' ')}`)
  )
  const anyStream = fc
    .array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r', '\n\n')), { maxLength: 12 })
    .map((lines) => bytes(lines.map(([text, end]) => text + end).join('')))
  fc.assert(
    fc.property(anyStream, fc.array(fc.nat(2000), { maxLength: 8 }), (whole, at) => {
      expect(decode(cut(whole, at))).toEqual(decode([whole]))
    }),
    { numRuns: runs(500) }
  )
})

describe('MODEL-037 the limit of a line', () => {
  const longest = `data: ${'x'.repeat(sizeLimits.line - 6)}`

  test.each([1, 1000, 65_536, sizeLimits.line * 2])('holds whatever the size of the pieces: %i bytes', (size) => {
    const pieces = (text: string) => {
      const whole = bytes(text)
      return Array.from({ length: Math.ceil(whole.length / size) }, (_, i) => whole.subarray(i * size, (i + 1) * size))
    }
    const fits = decode(pieces(`data: a\n\n${longest}\n\ndata: b\n\n`))
    expect(fits.overflowed).toBe(false)
    expect(fits.events.map(({ length }) => length)).toEqual([1, sizeLimits.line - 6, 1])
    const tooLong = decode(pieces(`data: a\n\n${longest}x\n\ndata: b\n\n`))
    expect(tooLong).toEqual({ events: ['a'], overflowed: true })
  })

  test('a gigabyte without a line end takes no memory', () => {
    const decoder = sseDecoder()
    const piece = new Uint8Array(64 * 1024).fill(0x78)
    const before = process.memoryUsage().rss
    let fed = 0
    for (; fed < 1024 ** 3 && !decoder.overflowed; fed += piece.length) decoder.feed(piece)
    expect(decoder.overflowed).toBe(true)
    expect(fed).toBeLessThan(2 * sizeLimits.line)
    for (; fed < 1024 ** 3; fed += piece.length) expect(decoder.feed(piece)).toEqual([])
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024)
  })

  test('an event of endlessly many lines ends as well', () => {
    const decoder = sseDecoder()
    const piece = bytes(`data: ${'y'.repeat(60_000)}\n`)
    for (let n = 0; n < 1000 && !decoder.overflowed; n += 1) decoder.feed(piece)
    expect(decoder.overflowed).toBe(true)
    expect(decoder.feed(piece)).toEqual([])
  })
})
