import type { IBufferCell, Terminal } from '@xterm/headless'

/** One cell of the screen. Colours are `default`, a palette number or `#rrggbb`. */
export type Cell = {
  readonly text: string
  /** Cells it takes: 2 for a wide character, 0 for the right half of one. */
  readonly width: number
  readonly foreground: string
  readonly background: string
  readonly bold: boolean
  readonly dim: boolean
  readonly italic: boolean
  readonly underline: boolean
  readonly inverse: boolean
  readonly strikethrough: boolean
}

/** Rows of the active buffer, right-trimmed. What a narrower window has cut off is not seen. */
export function readLines(terminal: Terminal, which: 'visible' | 'all'): string[] {
  const buffer = terminal.buffer.active
  const first = which === 'all' ? 0 : buffer.baseY
  const lines: string[] = []
  for (let row = first; row < buffer.baseY + terminal.rows; row += 1) {
    // Blank cells that were written and others look alike.
    lines.push(buffer.getLine(row)?.translateToString(true, 0, terminal.cols).trimEnd() ?? '')
  }
  return lines
}

/** The cell at a visible place, counted from 0. */
export function readCell(terminal: Terminal, column: number, row: number): Cell {
  const buffer = terminal.buffer.active
  const cell = buffer.getLine(buffer.baseY + row)?.getCell(column)
  if (cell === undefined) throw new RangeError(`no cell at column ${column}, row ${row}`)
  return {
    text: cell.getChars(),
    width: cell.getWidth(),
    foreground: colour(cell, 'Fg'),
    background: colour(cell, 'Bg'),
    bold: cell.isBold() !== 0,
    dim: cell.isDim() !== 0,
    italic: cell.isItalic() !== 0,
    underline: cell.isUnderline() !== 0,
    inverse: cell.isInverse() !== 0,
    strikethrough: cell.isStrikethrough() !== 0
  }
}

function colour(cell: IBufferCell, side: 'Fg' | 'Bg'): string {
  if (cell[`is${side}Default`]()) return 'default'
  const value = cell[`get${side}Color`]()
  return cell[`is${side}RGB`]() ? `#${value.toString(16).padStart(6, '0')}` : String(value)
}
