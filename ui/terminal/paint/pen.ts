import type { Cell, Cells } from './cells.ts'

const BLANK: Cell = { text: ' ', width: 1, style: '' }
/** Cells that have not changed are written over when a jump would cost about as much. */
const GAP_MAX = 7
// Graphemes whose width every terminal agrees on: letters that stand alone, box drawing, CJK, and emoji of a single code point.
const agreed =
  /^[\x20-\x7e\u00a1-\u02ff\u0370-\u058f\u2010-\u2027\u2190-\u21ff\u2500-\u259f\u25cb-\u25d0\u25b8-\u25be\u3001-\u30ff\u4e00-\u9fff\uac00-\ud7a3\ufffd]$|^[\u{1f600}-\u{1f64f}]$/u

/** Collects what brings a screen of known content to another, keeping track of the cursor and of the style that is on. */
export class Pen {
  private bytes = ''
  private row = -1
  private column = -1
  private style = ''
  private readonly columns: number

  constructor(columns: number) {
    this.columns = columns
  }

  /** What was written, back in the terminal's own style. */
  get written(): string {
    return this.style === '' ? this.bytes : `${this.bytes}\x1b[m`
  }

  moveTo(row: number, column: number): void {
    if (row === this.row && column === this.column) return
    if (row === this.row && this.row >= 0) this.bytes += column === 0 ? '\r' : `\x1b[${column + 1}G`
    else if (row === this.row + 1 && column === 0 && this.row >= 0) this.bytes += '\r\n'
    else this.bytes += column === 0 ? `\x1b[${row + 1}H` : `\x1b[${row + 1};${column + 1}H`
    this.row = row
    this.column = column
  }

  /** Moves the rows from `top` to `bottom` up by `by` rows, down when it is negative; rows that come in are blank. */
  scroll(top: number, bottom: number, by: number): void {
    this.setStyle('')
    this.bytes += `\x1b[${top + 1};${bottom + 1}r\x1b[${top + 1}H\x1b[${Math.abs(by)}${by > 0 ? 'M' : 'L'}\x1b[r`
    this.row = -1
  }

  /** Brings a row from `before` to `after`; `before` is null when nothing is known of it. */
  update(row: number, before: Cells | null, after: Cells): void {
    const known = before ?? []
    let at = 0
    for (;;) {
      const from = before === null ? (at === 0 ? 0 : after.length) : nextChange(known, after, at)
      if (from >= after.length) break
      const to = before === null ? after.length : endOfChange(known, after, from)
      this.moveTo(row, from)
      for (let column = from; column < to; column++) this.put(row, column, after[column] ?? null)
      at = to
    }
    const isRestBlank = before !== null && lastOf(known) <= after.length
    if (isRestBlank || after.length >= this.columns) return
    this.moveTo(row, after.length)
    this.setStyle('')
    this.bytes += '\x1b[K'
  }

  private put(row: number, column: number, cell: Cell | null): void {
    if (cell === null) return
    this.setStyle(cell.style)
    const isAgreed = isAscii(cell.text) || agreed.test(cell.text)
    if (!isAgreed) {
      // A terminal that takes it for narrower leaves no old text beside it, one that takes it for wider loses no column (TERM-32).
      this.bytes += `${' '.repeat(cell.width)}\x1b[${column + 1}G`
    }
    this.bytes += cell.text
    this.column = column + cell.width
    if (this.column >= this.columns) this.row = -1
    else if (!isAgreed) {
      this.column = -1
      this.row = row
      this.moveTo(row, column + cell.width)
    }
  }

  private setStyle(style: string): void {
    if (style === this.style) return
    if (style === '') this.bytes += '\x1b[m'
    else this.bytes += this.style === '' ? `\x1b[${style}m` : `\x1b[0;${style}m`
    this.style = style
  }
}

function isAscii(text: string): boolean {
  return text.length === 1 && text < '\x7f'
}

function isSame(a: Cell | null, b: Cell | null): boolean {
  return a === b || (a !== null && b !== null && a.text === b.text && a.style === b.style)
}

/** The first column from `at` on that differs, or the length of `after`. */
function nextChange(before: Cells, after: Cells, at: number): number {
  let column = at
  while (column < after.length && isSame(cellAt(before, column), cellAt(after, column))) column += 1
  return column
}

/** The end of the change that begins at `from`; a short stretch that is the same belongs to it. */
function endOfChange(before: Cells, after: Cells, from: number): number {
  let end = from + 1
  for (let column = end; column < after.length && column - end <= GAP_MAX; column++) {
    if (!isSame(cellAt(before, column), cellAt(after, column))) end = column + 1
  }
  while (end < after.length && after[end] === null) end += 1
  return end
}

function cellAt(cells: Cells, column: number): Cell | null {
  const cell = cells[column]
  return cell === undefined ? BLANK : cell
}

/** Columns up to the last that is not blank. */
function lastOf(cells: Cells): number {
  let end = cells.length
  while (end > 0) {
    const cell = cells[end - 1]
    if (cell === null || cell === undefined || cell.text !== ' ' || cell.style !== '') break
    end -= 1
  }
  return end
}
