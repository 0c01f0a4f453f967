import stringWidth from 'string-width'

// Cells on a terminal, counted by grapheme (TERM-32): CJK and emoji take two, combining marks none, ambiguous width one. Text must be
// safe already (safe-text.ts): controls count as nothing here, whatever a terminal would do with them.

/** One user-perceived character: its offset in UTF-16 units, its text and its width in cells. */
export type Grapheme = { readonly index: number; readonly text: string; readonly width: number }

const ELLIPSIS = '…'
/** Text whose every character is one cell. */
export const printableAscii = /^[\x20-\x7e]*$/
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
