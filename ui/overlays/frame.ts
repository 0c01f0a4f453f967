// How large overlays are (OPUI-740, 745), in cells.

export type WindowSize = { readonly columns: number; readonly rows: number }

/** Below this the overlay takes the whole screen. */
const SMALL_COLUMNS = 60
const SMALL_ROWS = 12
/** Below this answers are typed as a line. */
const CRAMPED_COLUMNS = 40
const CRAMPED_ROWS = 10
const MAX_WIDTH = 100
/** Rows of a frame that hold no text: top border, rule and bottom border. */
export const FRAME_ROWS = 3
/** Border and a space on each side. */
const SIDES = 4

export type Frame = {
  readonly isFramed: boolean
  readonly width: number
  /** Cells for text. */
  readonly inner: number
}

/** The frame of an overlay in a window (OPUI-740, OPUI-745). */
export function frameOf({ columns, rows }: WindowSize): Frame {
  const isFramed = columns >= SMALL_COLUMNS && rows >= SMALL_ROWS
  const width = isFramed ? Math.min(MAX_WIDTH, columns - SIDES) : columns
  return { isFramed, width, inner: Math.max(1, isFramed ? width - SIDES : width) }
}

/** Answers are typed as a line instead of by single keys (OPUI-745). */
export function isCramped({ columns, rows }: WindowSize): boolean {
  return columns < CRAMPED_COLUMNS || rows < CRAMPED_ROWS
}

/** Cells an overlay has for text. */
export function innerWidth(size: WindowSize): number {
  return frameOf(size).inner
}
