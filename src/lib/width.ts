import stringWidth from 'string-width'

/**
 * Cells on a terminal, counted by grapheme (TERM-32): CJK and emoji take two, combining marks none, ambiguous width one. Text must be
 * safe already (safe-text.ts): controls count as nothing here, whatever a terminal would do with them.
 */

/** A stretch of a text that fills one line: offsets into the text in UTF-16 units, `end` exclusive, and its width in cells. */
export type LineRange = { readonly start: number; readonly end: number; readonly width: number }

/** One user-perceived character: its offset in UTF-16 units, its text and its width in cells. */
export type Grapheme = { readonly index: number; readonly text: string; readonly width: number }

const ELLIPSIS = '…'
const printableAscii = /^[\x20-\x7e]*$/
// Scripts whose letters stand alone: one code unit, one grapheme. They spare the segmenter, which costs fifty times as much.
const standalone =
  /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0377\u0391-\u03a9\u03b1-\u03c9\u0400-\u0482\u2010-\u2027\u2190-\u2193\u2500-\u257f\u2580-\u259f\u3001-\u3003\u3008-\u3011\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3\ufffd]*$/
const wideStandalone = /[\u3001-\ud7a3]/g
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** The width of `text` in cells, as if on one line. */
export function cellWidth(text: string): number {
  if (printableAscii.test(text)) return text.length
  if (standalone.test(text)) return text.length + (text.match(wideStandalone)?.length ?? 0)
  let width = 0
  for (const { segment } of segmenter.segment(text)) width += graphemeWidth(segment)
  return width
}

/** The graphemes of `text` in order. */
export function* graphemes(text: string): Generator<Grapheme> {
  if (standalone.test(text)) {
    for (let index = 0; index < text.length; index++) {
      const char = text.charAt(index)
      yield { index, text: char, width: char >= '\u3001' && char !== '\ufffd' ? 2 : 1 }
    }
    return
  }
  for (const { segment, index } of segmenter.segment(text)) {
    yield { index, text: segment, width: graphemeWidth(segment) }
  }
}

/**
 * Breaks `text` (line feeds included) into lines of at most `width` cells: at the last space that fits, which is dropped, and inside
 * a word only when the word alone is too long. A wide character that does not fit moves to the next line whole (TERM-32); the caller
 * has replaced what can never fit (`narrowed`).
 */
export function wrapRanges(text: string, width: number): LineRange[] {
  const lines: LineRange[] = []
  forEachLine(text, (start, end) => {
    wrapLine(text.slice(start, end), start, Math.max(1, width), lines)
  })
  return lines
}

/** As `wrapRanges`, but breaks at the last cell whatever stands there and drops nothing: for code, where spaces count. */
export function breakRanges(text: string, width: number): LineRange[] {
  const lines: LineRange[] = []
  forEachLine(text, (start, end) => {
    breakLine(text.slice(start, end), start, Math.max(1, width), lines)
  })
  return lines
}

/** `text` as lines of at most `width` cells, broken at words. A width below 1 counts as 1. */
export function wrapCells(text: string, width: number): string[] {
  const fitting = narrowed(text, width)
  return wrapRanges(fitting, width).map(({ start, end }) => fitting.slice(start, end))
}

/** `text` with every grapheme wider than `width` replaced by `…`: wide ones at width 1, heaps of jamo at any. */
export function narrowed(text: string, width: number): string {
  if (width > 1 && standalone.test(text.replaceAll('\n', ''))) return text
  let result = ''
  let changed = false
  for (const grapheme of graphemes(text)) {
    const fits = grapheme.width <= Math.max(1, width)
    changed ||= !fits
    result += fits ? grapheme.text : ELLIPSIS
  }
  return changed ? result : text
}

/** `text` if it fits into `width` cells, else its beginning and `…`. A width of 0 or less leaves nothing. */
export function cutEnd(text: string, width: number): string {
  if (width <= 0) return ''
  if (cellWidth(text) <= width) return text
  return takeStart(text, width - 1) + ELLIPSIS
}

/** `text` if it fits into `width` cells, else its beginning, `…` and its end: for paths, whose ends tell the most (TERM-3). */
export function cutMiddle(text: string, width: number): string {
  if (width <= 0) return ''
  if (cellWidth(text) <= width) return text
  const head = takeStart(text, Math.floor((width - 1) / 2))
  return head + ELLIPSIS + takeEnd(text.slice(head.length), width - 1 - cellWidth(head))
}

/** `text` cut (`cutEnd`) or filled with spaces to exactly `width` cells. */
export function padEnd(text: string, width: number): string {
  const fitting = cutEnd(text, width)
  return fitting + ' '.repeat(Math.max(0, width - cellWidth(fitting)))
}

/** The longest beginning of `text` that fits into `width` cells. */
export function takeStart(text: string, width: number): string {
  if (width <= 0) return ''
  let used = 0
  for (const grapheme of graphemes(text)) {
    used += grapheme.width
    if (used > width) return text.slice(0, grapheme.index)
  }
  return text
}

/** The longest end of `text` that fits into `width` cells. */
export function takeEnd(text: string, width: number): string {
  if (width <= 0) return ''
  const all = [...graphemes(text)]
  let used = 0
  for (let index = all.length - 1; index >= 0; index--) {
    const grapheme = all[index]
    if (grapheme === undefined) break
    used += grapheme.width
    if (used > width) return text.slice(grapheme.index + grapheme.text.length)
  }
  return text
}

// Classifying a grapheme takes microseconds and texts repeat theirs; a full table is dropped whole.
const knownWidths = new Map<string, number>()
const KNOWN_WIDTHS_MAX = 4096

function graphemeWidth(grapheme: string): number {
  const code = grapheme.length === 1 ? grapheme.charCodeAt(0) : -1
  if (code >= 0x20 && code < 0x7f) return 1
  const known = knownWidths.get(grapheme)
  if (known !== undefined) return known
  const width = stringWidth(grapheme, { countAnsiEscapeCodes: true })
  if (knownWidths.size >= KNOWN_WIDTHS_MAX) knownWidths.clear()
  if (grapheme.length <= 64) knownWidths.set(grapheme, width)
  return width
}

function forEachLine(text: string, visit: (start: number, end: number) => void): void {
  let start = 0
  for (;;) {
    const end = text.indexOf('\n', start)
    if (end === -1) break
    visit(start, end)
    start = end + 1
  }
  visit(start, text.length)
}

type Piece = { readonly start: number; readonly end: number; readonly width: number; readonly gap: number }

function wrapLine(line: string, base: number, width: number, into: LineRange[]): void {
  const total = cellWidth(line)
  if (total <= width) {
    into.push({ start: base, end: base + line.length, width: total })
    return
  }
  let start = 0
  let end = 0
  let used = 0
  const push = () => into.push({ start: base + start, end: base + end, width: used })
  for (const piece of pieces(line)) {
    if (used + piece.gap + piece.width <= width) {
      used += piece.gap + piece.width
      end = piece.end
      continue
    }
    if (end > start) push()
    start = piece.start
    end = piece.start
    used = 0
    if (piece.width <= width) {
      end = piece.end
      used = piece.width
      continue
    }
    // A word longer than the line: its last part stays open for what follows.
    for (const { index, text, width: cells } of graphemes(line.slice(piece.start, piece.end))) {
      if (used + cells > width && end > start) {
        push()
        start = piece.start + index
        used = 0
      }
      end = piece.start + index + text.length
      used += cells
    }
  }
  if (end === start && start === 0) {
    // Nothing but spaces.
    end = Math.min(line.length, width)
    used = end
  }
  push()
}

/** Words with the number of spaces before them. A wide character is a word of its own: such scripts break anywhere. */
function* pieces(line: string): Generator<Piece> {
  if (printableAscii.test(line)) yield* asciiPieces(line)
  else yield* graphemePieces(line)
}

function* asciiPieces(line: string): Generator<Piece> {
  let end = 0
  for (;;) {
    let start = end
    while (line.charCodeAt(start) === 0x20) start += 1
    if (start === line.length) return
    const gap = start - end
    end = line.indexOf(' ', start)
    if (end === -1) end = line.length
    yield { start, end, width: end - start, gap }
  }
}

function* graphemePieces(line: string): Generator<Piece> {
  let start = -1
  let width = 0
  let gap = 0
  for (const { index, text, width: cells } of graphemes(line)) {
    if (start !== -1 && (text === ' ' || cells > 1)) {
      yield { start, end: index, width, gap }
      start = -1
      gap = 0
    }
    if (text === ' ') gap += 1
    else if (cells > 1) {
      yield { start: index, end: index + text.length, width: cells, gap }
      gap = 0
    } else {
      if (start === -1) {
        start = index
        width = 0
      }
      width += cells
    }
  }
  if (start !== -1) yield { start, end: line.length, width, gap }
}

function breakLine(line: string, base: number, width: number, into: LineRange[]): void {
  const total = cellWidth(line)
  if (total <= width) {
    into.push({ start: base, end: base + line.length, width: total })
    return
  }
  let start = 0
  let used = 0
  for (const { index, width: cells } of graphemes(line)) {
    if (used + cells > width && index > start) {
      into.push({ start: base + start, end: base + index, width: used })
      start = index
      used = 0
    }
    used += cells
  }
  into.push({ start: base + start, end: base + line.length, width: used })
}
