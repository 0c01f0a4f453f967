import { bomLength, bomOf, decodeText, isBinary, styleOf, withEnding } from './file-text.ts'
import { findOccurrences } from './find-occurrences.ts'

export type Edit = { readonly oldString: string; readonly newString: string }

export type EditOutcome =
  /** `line` is where the replacement starts, from 1. */
  | { readonly kind: 'replaced'; readonly bytes: Buffer; readonly line: number }
  | { readonly kind: 'no-change' }
  | { readonly kind: 'not-found'; readonly hint: string | null }
  | { readonly kind: 'ambiguous'; readonly count: number; readonly lines: readonly number[] }
  | { readonly kind: 'unsupported'; readonly reason: 'utf-16' | 'binary' }

const cr = 0x0d
const lf = 0x0a

/**
 * Replaces the one occurrence of `oldString` in a file's bytes, matched on the text as the model saw it: without mark, with LF
 * endings. Bytes outside the match stay as they are, whatever they are (TOOL-046, TOOL-048).
 */
export function applyEdit(file: Buffer, { oldString, newString }: Edit): EditOutcome {
  const bom = bomOf(file)
  if (bom === 'utf-16le' || bom === 'utf-16be') return { kind: 'unsupported', reason: 'utf-16' }
  if (isBinary(file)) return { kind: 'unsupported', reason: 'binary' }

  const body = file.subarray(bomLength(bom))
  const seen = asSeen(body)
  const needle = Buffer.from(oldString.replaceAll('\r\n', '\n'))
  const { count, starts } = findOccurrences(seen.bytes, needle)
  const [start] = starts
  if (start === undefined) return { kind: 'not-found', hint: nearMiss(file, oldString) }
  if (count > 1) return { kind: 'ambiguous', count, lines: starts.map((at) => lineAt(seen.bytes, at)) }
  if (oldString === newString) return { kind: 'no-change' }

  const from = bomLength(bom) + seen.original(start)
  const to = bomLength(bom) + seen.original(start + needle.length)
  const replacement = Buffer.from(withEnding(newString, styleOf(file).ending))
  const bytes = Buffer.concat([file.subarray(0, from), replacement, file.subarray(to)])
  return { kind: 'replaced', bytes, line: lineAt(seen.bytes, start) }
}

/** The bytes without the CR of every CRLF, and the way back: from a place in them to the place in the original. */
function asSeen(body: Buffer): { readonly bytes: Buffer; readonly original: (at: number) => number } {
  if (!body.includes('\r\n')) return { bytes: body, original: (at) => at }
  const bytes = Buffer.alloc(body.length)
  const dropped: number[] = []
  let length = 0
  for (let at = 0; at < body.length; at += 1) {
    if (body[at] === cr && body[at + 1] === lf) dropped.push(length)
    else {
      bytes[length] = body[at] as number
      length += 1
    }
  }
  return {
    bytes: bytes.subarray(0, length),
    // A CR belongs to the LF behind it: a match that starts with that LF takes it along, one that ends before it does not.
    original: (at) => at + countBelow(dropped, at)
  }
}

/** How many of the ascending `values` are less than `limit`. */
function countBelow(values: readonly number[], limit: number): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((values[middle] as number) < limit) low = middle + 1
    else high = middle
  }
  return low
}

function lineAt(bytes: Buffer, at: number): number {
  let line = 1
  for (let end = bytes.indexOf(lf); end !== -1 && end < at; end = bytes.indexOf(lf, end + 1)) line += 1
  return line
}

/** In a larger file the hint would take longer than it is worth, and memory many times the file's size. */
const maxHintedBytes = 4 * 1024 * 1024

/** What would have to be overlooked for a match, for the hint beside `old_string not found in file`. */
function nearMiss(file: Buffer, oldString: string): string | null {
  if (file.length > maxHintedBytes) return null
  const text = decodeText(file)
  // As it was read, but not as it is: `�` stands for bytes that are no UTF-8, which no string can name (TOOL-048).
  if (text.includes(oldString.replaceAll('\r\n', '\n')))
    return 'it holds � where the file has bytes that are no UTF-8; leave these out'
  for (const [what, lenient] of leniencies)
    if (lenient(text).includes(lenient(oldString))) return `it would match ${what}`
  return null
}

const leniencies: readonly (readonly [string, (text: string) => string])[] = [
  ['if blanks at line ends were ignored', trimLineEnds],
  ['if typographic quotes were plain ones', plainQuotes],
  [
    'if blanks at line ends were ignored and typographic quotes were plain ones',
    (text) => trimLineEnds(plainQuotes(text))
  ]
]

function trimLineEnds(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
}

function plainQuotes(text: string): string {
  return text.replace(/[‘’‚‛]/g, "'").replace(/[“”„‟]/g, '"')
}
