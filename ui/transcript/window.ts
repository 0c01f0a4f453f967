/**
 * A window over lines that are grouped in pieces, and pieces in rows: pure geometry over nothing but heights. It asks only for the
 * heights it walks over, so that its cost is what it shows (TERM-12).
 */
export type Heights = {
  readonly rowCount: number
  pieceCount(row: number): number
  /** Lines of one piece; asking lays it out. 0 is possible. */
  height(row: number, piece: number): number
}

/** One line, by where it is. */
export type Position = { readonly row: number; readonly piece: number; readonly line: number }

/** The first line, or null when there is none. */
export function firstLine(heights: Heights): Position | null {
  return nextPiece(heights, { row: 0, piece: -1, line: 0 })
}

/** The last line, or null when there is none. */
export function lastLine(heights: Heights): Position | null {
  const before = previousPiece(heights, { row: heights.rowCount, piece: 0, line: 0 })
  return before === null ? null : { ...before, line: heights.height(before.row, before.piece) - 1 }
}

/** The line `count` lines below `from`; the last one when there are fewer. */
export function down(heights: Heights, from: Position, count: number): Position {
  let at = from
  let left = count
  for (;;) {
    const below = heights.height(at.row, at.piece) - 1 - at.line
    if (left <= below) return { ...at, line: at.line + left }
    const next = nextPiece(heights, at)
    if (next === null) return { ...at, line: at.line + below }
    left -= below + 1
    at = next
  }
}

/** The line `count` lines above `from`; the first one when there are fewer. */
export function up(heights: Heights, from: Position, count: number): Position {
  let at = from
  let left = count
  for (;;) {
    if (left <= at.line) return { ...at, line: at.line - left }
    const before = previousPiece(heights, at)
    if (before === null) return { ...at, line: 0 }
    left -= at.line + 1
    at = { ...before, line: heights.height(before.row, before.piece) - 1 }
  }
}

/** The top line of a window of `rows` lines that ends with the last line, or null when there is no line. */
export function bottomWindow(heights: Heights, rows: number): Position | null {
  const last = lastLine(heights)
  return last === null ? null : up(heights, last, Math.max(0, rows - 1))
}

/** Whether `a` stands above `b` or is the same line. */
export function isAtOrAbove(a: Position, b: Position): boolean {
  return a.row < b.row || (a.row === b.row && (a.piece < b.piece || (a.piece === b.piece && a.line <= b.line)))
}

/** The nearest line to a place that may be gone: rows were dropped, folded or laid out anew. */
export function nearest(heights: Heights, to: Position): Position | null {
  const row = Math.min(Math.max(0, to.row), heights.rowCount - 1)
  if (row < 0) return null
  const isSameRow = row === to.row
  const piece = isSameRow ? Math.min(to.piece, heights.pieceCount(row) - 1) : 0
  const height = piece < 0 ? 0 : heights.height(row, piece)
  if (height > 0) return { row, piece, line: isSameRow && piece === to.piece ? Math.min(to.line, height - 1) : 0 }
  return nextPiece(heights, { row, piece, line: 0 }) ?? lastLine(heights)
}

/** The pieces that show in a window of `rows` lines from `top` on, each with its first shown line and how many. */
export function* visible(
  heights: Heights,
  top: Position,
  rows: number
): Generator<{ readonly row: number; readonly piece: number; readonly from: number; readonly count: number }> {
  let at: Position | null = top
  let left = rows
  while (at !== null && left > 0) {
    const count = Math.min(left, heights.height(at.row, at.piece) - at.line)
    yield { row: at.row, piece: at.piece, from: at.line, count }
    left -= count
    at = nextPiece(heights, at)
  }
}

/** The first line of the next piece that has any. */
function nextPiece(heights: Heights, from: Position): Position | null {
  let { row, piece } = from
  while (row < heights.rowCount) {
    piece += 1
    if (piece >= heights.pieceCount(row)) {
      row += 1
      piece = -1
    } else if (heights.height(row, piece) > 0) return { row, piece, line: 0 }
  }
  return null
}

function previousPiece(heights: Heights, from: Position): Position | null {
  let { row, piece } = from
  while (row >= 0) {
    piece -= 1
    if (piece < 0) {
      row -= 1
      if (row < 0) return null
      piece = heights.pieceCount(row)
    } else if (heights.height(row, piece) > 0) return { row, piece, line: 0 }
  }
  return null
}
