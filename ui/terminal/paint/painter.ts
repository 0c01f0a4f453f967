import { type Cells, cellsOf } from './cells.ts'
import { Pen } from './pen.ts'
import { findShift, type Shift } from './shift.ts'

/** The cell of the terminal's cursor; null hides it. */
export type Caret = { readonly row: number; readonly column: number } | null

/** A frame as lines of text and SGR, each on a row of its own. */
export type Frame = { readonly lines: readonly string[]; readonly caret: Caret }

export type Size = { readonly columns: number; readonly rows: number }

type Shown = { readonly text: string; cells: Cells | null }

const HIDE = '\x1b[?25l'
const SHOW = '\x1b[?25h'
/** A move costs a few bytes; rows that differ have to be worth them. */
const CHANGED_MIN = 4
/** Below it both ways are tried. */
const CERTAIN_GAIN = 400

/**
 * Knows what is on the screen and writes what brings it to the next frame: cells that changed, and rows that only moved as a move of
 * the terminal's own (TERM-11). A line that is appended to a full screen costs that line and not the screen.
 */
export class Painter {
  private size: Size = { columns: 0, rows: 0 }
  private shown: readonly Shown[] | null = null
  private caret: Caret | undefined

  /** Nothing is known of the screen any more: all of it is drawn next. */
  forget(): void {
    this.shown = null
    this.caret = undefined
  }

  /** The bytes of a frame; empty when the screen shows it already. `isSteady`: the terminal shows nothing in between. */
  paint(frame: Frame, size: Size, isSteady: boolean): string {
    if (size.columns !== this.size.columns || size.rows !== this.size.rows) this.forget()
    this.size = size
    const lines = Array.from({ length: size.rows }, (_, row) => frame.lines[row] ?? '')
    const { body, shown } = this.bodyOf(lines)
    this.shown = shown
    return this.withCaret(body, frame.caret, isSteady)
  }

  /** Puts the cursor elsewhere in the frame that is shown. */
  place(caret: Caret): string {
    return this.withCaret('', caret, true)
  }

  private bodyOf(lines: readonly string[]): { readonly body: string; readonly shown: readonly Shown[] } {
    const { shown } = this
    if (shown === null) return this.written(null, lines, null)
    const changed = lines.reduce((count, line, row) => count + (shown[row]?.text === line ? 0 : 1), 0)
    if (changed === 0) return { body: '', shown }
    const texts = shown.map(({ text }) => text)
    const shift = changed < CHANGED_MIN ? null : findShift(texts, lines)
    if (shift === null) return this.written(shown, lines, null)
    const moved = this.written(shown, lines, shift)
    if (shift.gain >= CERTAIN_GAIN) return moved
    const plain = this.written(shown, lines, null, moved.shown)
    return moved.body.length < plain.body.length ? moved : plain
  }

  private written(
    before: readonly Shown[] | null,
    lines: readonly string[],
    shift: Shift | null,
    known?: readonly Shown[]
  ): { readonly body: string; readonly shown: readonly Shown[] } {
    const pen = new Pen(this.size.columns)
    if (shift !== null) pen.scroll(shift.top, shift.bottom, shift.by)
    const base = before !== null && shift !== null ? shifted(before, shift) : before
    const shown = lines.map((text, row): Shown => {
      const there = base?.[row]
      if (there?.text === text) return there
      const now = known?.[row] ?? { text, cells: null }
      pen.update(row, there === undefined ? null : this.cells(there), this.cells(now))
      return now
    })
    return { body: pen.written, shown }
  }

  private cells(line: Shown): Cells {
    line.cells ??= cellsOf(line.text, this.size.columns)
    return line.cells
  }

  private withCaret(body: string, caret: Caret, isSteady: boolean): string {
    const before = this.caret
    const isSame = before !== undefined && before?.row === caret?.row && before?.column === caret?.column
    if (body === '' && isSame) return ''
    this.caret = caret
    // While rows are drawn the cursor would be seen running over them.
    const wasShown = before !== null
    const isHiding = wasShown && (caret === null || (body !== '' && !isSteady))
    const place = caret === null ? '' : `\x1b[${caret.row + 1};${caret.column + 1}H`
    const isShowing = caret !== null && (before === null || before === undefined || isHiding)
    return (isHiding ? HIDE : '') + body + place + (isShowing ? SHOW : '')
  }
}

const blank: Shown = { text: '', cells: [] }

function shifted(before: readonly Shown[], { top, bottom, by }: Shift): readonly Shown[] {
  return before.map((line, row) => {
    if (row < top || row > bottom) return line
    const from = row + by
    return from < top || from > bottom ? blank : (before[from] ?? blank)
  })
}
