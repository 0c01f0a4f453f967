import { cellWidth, graphemes, printableAscii } from './width.ts'

// Lines of a text that is wider than the screen, as stretches of it, so that nobody has to find out where a piece came from. Text must be
// safe already (safe-text.ts).

/** A stretch of a text that fills one line: offsets into the text in UTF-16 units, `end` exclusive, and its width in cells. */
export type LineRange = { readonly start: number; readonly end: number; readonly width: number }

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
