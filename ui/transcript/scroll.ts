import { type Row, rowChars } from './model.ts'
import { bottomWindow, down, firstLine, type Heights, isAtOrAbove, nearest, type Position, up } from './window.ts'

/**
 * Where the reader is. Following shows the end whatever arrives; otherwise the top line stays, told by entry and not by number, so that
 * neither new text nor a resize moves it (TERM-21, TERM-4).
 */
export type Scroll =
  | { readonly kind: 'following' }
  /** `seen` is the last row when the reader left the end, and how long it was: what came after it is new. */
  | { readonly kind: 'held'; readonly anchor: Anchor; readonly seen: Seen }

type Seen = { readonly row: string; readonly chars: number }

/**
 * A line by its entry, the piece of it, and the line among the `of` lines the piece had. A resize keeps the anchor as it is and only
 * reads it differently, so that going back to the old width goes back to the same line.
 */
export type Anchor = { readonly row: string; readonly piece: number; readonly line: number; readonly of: number }

/** Heights of rows that can be told by their ids. */
export type Rows = Heights & { row(at: number): Row | undefined; indexOf(id: string): number }

export const following: Scroll = { kind: 'following' }

/** The line at the top of a window of `height` lines, or null when there is nothing to show. */
export function topLine(rows: Rows, scroll: Scroll, height: number): Position | null {
  const bottom = bottomWindow(rows, height)
  if (scroll.kind === 'following' || bottom === null) return bottom
  const { anchor } = scroll
  // A row that was dropped was above all others.
  const row = Math.max(0, rows.indexOf(anchor.row))
  const piece = Math.min(anchor.piece, rows.pieceCount(row) - 1)
  const now = piece < 0 ? 0 : rows.height(row, piece)
  const line = now === anchor.of ? anchor.line : Math.floor((anchor.line * now) / anchor.of)
  const top = nearest(rows, { row, piece, line })
  return top === null || isAtOrAbove(bottom, top) ? bottom : top
}

/** Moves the window by `delta` lines, down if positive. Arriving at the end follows again. */
export function scrolledBy(rows: Rows, scroll: Scroll, delta: number, height: number): Scroll {
  const top = topLine(rows, scroll, height)
  if (top === null || delta === 0) return scroll
  return heldAt(rows, scroll, delta > 0 ? down(rows, top, delta) : up(rows, top, -delta), height)
}

/** Moves the window to the first line of the next (`step` 1) or previous (−1) entry. */
export function scrolledToEntry(rows: Rows, scroll: Scroll, step: 1 | -1, height: number): Scroll {
  const top = topLine(rows, scroll, height)
  if (top === null) return scroll
  const start = nearest(rows, { row: top.row, piece: 0, line: 0 })
  if (step === -1 && start !== null && !isAtOrAbove(top, start)) return heldAt(rows, scroll, start, height)
  for (let row = top.row + step; row >= 0 && row < rows.rowCount; row += step) {
    const first = nearest(rows, { row, piece: 0, line: 0 })
    if (first?.row === row) return heldAt(rows, scroll, first, height)
  }
  return step === 1 ? following : scroll
}

/** Moves the window to the first line of all. */
export function scrolledToStart(rows: Rows, scroll: Scroll, height: number): Scroll {
  const first = firstLine(rows)
  return first === null ? scroll : heldAt(rows, scroll, first, height)
}

/** A window whose top line is `top`, or one that follows if that shows the end. */
export function heldAt(rows: Rows, scroll: Scroll, top: Position, height: number): Scroll {
  const bottom = bottomWindow(rows, height)
  if (bottom === null || isAtOrAbove(bottom, top)) return following
  const row = rows.row(top.row)
  if (row === undefined) return scroll
  const anchor = { row: row.id, piece: top.piece, line: top.line, of: rows.height(top.row, top.piece) }
  return { kind: 'held', anchor, seen: scroll.kind === 'held' ? scroll.seen : seenNow(rows) }
}

function seenNow(rows: Rows): Seen {
  const last = rows.row(rows.rowCount - 1)
  return last === undefined ? { row: '', chars: 0 } : { row: last.id, chars: rowChars(last) }
}

/** Entries that arrived since the reader left the end: the number of `↓ 3 new` (TERM-21). */
export function newEntries(rows: Rows, scroll: Scroll): number {
  if (scroll.kind === 'following') return 0
  return rows.rowCount - 1 - rows.indexOf(scroll.seen.row)
}

/** Whether the entry that was the last one when the reader left the end has grown since: a reply that still streams (TERM-21). */
export function hasGrown(rows: Rows, scroll: Scroll): boolean {
  if (scroll.kind === 'following') return false
  const row = rows.row(rows.indexOf(scroll.seen.row))
  return row !== undefined && rowChars(row) > scroll.seen.chars
}
