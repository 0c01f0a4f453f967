import { cellWidth, cutEnd, narrowed, takeStart } from '../../src/lib/width.ts'
import { breakRanges, type LineRange, wrapRanges } from '../../src/lib/wrap.ts'
import type { Line, Span, Style } from '../theme/style.ts'

/** Lines of styled spans: building, wrapping, cutting. Texts are safe already and, apart from `wrapSpans`, hold no line feed. */

export const emptyLine: Line = { spans: [], width: 0 }

/** A line of these spans, as wide as they are. */
export function line(...spans: readonly Span[]): Line {
  return { spans, width: cellWidth(spansText(spans)) }
}

/** Text in a style; the terminal's own by default. */
export function span(text: string, style: Style = {}): Span {
  return { text, style }
}

/** The text of a line without its styles. */
export function lineText(of: Line): string {
  return spansText(of.spans)
}

/**
 * Wraps spans into lines of at most `width` cells (TERM-32): `words` breaks at spaces, `cells` at the last cell (code). Line feeds
 * inside the spans end lines. The widths are those of the joined text, so that a grapheme across two spans is counted once.
 */
export function wrapSpans(spans: readonly Span[], width: number, mode: 'words' | 'cells' = 'words'): Line[] {
  const fitting = narrowedSpans(spans, width)
  const text = spansText(fitting)
  const ranges = mode === 'words' ? wrapRanges(text, width) : breakRanges(text, width)
  return sliceSpans(fitting, ranges)
}

/** As `wrapSpans`, with `first` before the first line and `rest` before every other; both must be narrower than `width`. */
export function wrapHanging(
  spans: readonly Span[],
  width: number,
  first: readonly Span[],
  rest: readonly Span[],
  mode: 'words' | 'cells' = 'words'
): Line[] {
  const wrappedBehind = (prefix: readonly Span[]) =>
    wrapSpans(spans, Math.max(1, width - cellWidth(spansText(prefix))), mode)
  const whole = wrappedBehind(first)
  // Where the others have less room than the first, all keep to theirs, or they would be cut at the edge.
  const isNarrower = whole.length > 1 && cellWidth(spansText(rest)) > cellWidth(spansText(first))
  return prefixed(isNarrower ? wrappedBehind(rest) : whole, first, rest)
}

/** Lines with spans put before them: `first` before the first, `rest` before the others. */
export function prefixed(lines: readonly Line[], first: readonly Span[], rest: readonly Span[]): Line[] {
  const firstWidth = cellWidth(spansText(first))
  const restWidth = cellWidth(spansText(rest))
  return lines.map((each, index) =>
    index === 0
      ? { spans: [...first, ...each.spans], width: firstWidth + each.width }
      : { spans: [...rest, ...each.spans], width: restWidth + each.width }
  )
}

/** The line if it fits, else its beginning and `…` in the style of where it was cut. */
export function cutLine(of: Line, width: number): Line {
  if (of.width <= width) return of
  const spans: Span[] = []
  let left = width
  for (const { text, style } of of.spans) {
    const cells = cellWidth(text)
    // A span that fills the line to the last cell has to leave room for the ellipsis of what follows.
    if (cells < left) {
      spans.push({ text, style })
      left -= cells
      continue
    }
    const cut = cells === left ? `${takeStart(text, left - 1)}…` : cutEnd(text, left)
    if (left > 0) spans.push({ text: cut, style })
    break
  }
  return line(...spans)
}

/** A line of `left` and `right` at its two ends, exactly `width` cells; `left` is cut first, `right` only when alone too wide. */
export function justified(left: Line, right: Line, width: number): Line {
  const end = cutLine(right, width)
  const gap = end.width === 0 ? 0 : 1
  const start = cutLine(left, Math.max(0, width - end.width - gap))
  const fill = Math.max(0, width - start.width - end.width)
  return {
    spans: [...start.spans, { text: ' '.repeat(fill), style: {} }, ...end.spans],
    width: start.width + fill + end.width
  }
}

/** Where `query` stands in a line, case ignored, shown inverse; the line itself when it stands nowhere. */
export function markMatches(of: Line, query: string): Line {
  if (query === '') return of
  const text = lineText(of)
  const found = matchOffsets(text, query)
  if (found.length === 0) return of
  const spans: Span[] = []
  let at = 0
  for (const offset of found) {
    spans.push(...slice(of.spans, at, offset))
    for (const part of slice(of.spans, offset, offset + query.length)) {
      spans.push({ text: part.text, style: { ...part.style, inverse: true } })
    }
    at = offset + query.length
  }
  spans.push(...slice(of.spans, at, text.length))
  return { spans, width: of.width }
}

/** Offsets of `query` in `text`, case ignored, not overlapping. */
export function matchOffsets(text: string, query: string): number[] {
  const offsets: number[] = []
  if (query === '') return offsets
  // Lower case can change the length of a text; then offsets would lie, and case counts.
  const lower = text.toLowerCase()
  const [hay, needle] = lower.length === text.length ? [lower, query.toLowerCase()] : [text, query]
  if (needle.length !== query.length) return offsets
  for (let at = hay.indexOf(needle); at !== -1; at = hay.indexOf(needle, at + needle.length)) offsets.push(at)
  return offsets
}

function spansText(spans: readonly Span[]): string {
  if (spans.length === 1) return spans[0]?.text ?? ''
  let text = ''
  for (const each of spans) text += each.text
  return text
}

function narrowedSpans(spans: readonly Span[], width: number): readonly Span[] {
  return spans.map((each) => {
    const text = narrowed(each.text, width)
    return text === each.text ? each : { text, style: each.style }
  })
}

function sliceSpans(spans: readonly Span[], ranges: readonly LineRange[]): Line[] {
  const lines: Line[] = []
  let index = 0
  let offset = 0 // Where spans[index] begins in the joined text; ranges only move forward.
  for (const { start, end, width } of ranges) {
    const parts: Span[] = []
    for (;;) {
      const each = spans[index]
      if (each === undefined) break
      const from = Math.max(start, offset)
      const to = Math.min(end, offset + each.text.length)
      if (to > from) {
        parts.push(
          from === offset && to === offset + each.text.length
            ? each
            : { text: each.text.slice(from - offset, to - offset), style: each.style }
        )
      }
      if (offset + each.text.length > end) break
      offset += each.text.length
      index += 1
    }
    lines.push({ spans: parts, width })
  }
  return lines
}

function slice(spans: readonly Span[], start: number, end: number): Span[] {
  const parts: Span[] = []
  let offset = 0
  for (const each of spans) {
    const from = Math.max(start - offset, 0)
    const to = Math.min(end - offset, each.text.length)
    if (to > from) parts.push({ text: each.text.slice(from, to), style: each.style })
    offset += each.text.length
  }
  return parts
}
