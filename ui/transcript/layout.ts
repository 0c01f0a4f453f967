import { assert } from '../../src/lib/assert.ts'
import type { Line } from '../theme/style.ts'
import { HeightIndex } from './height-index.ts'
import { type Row, rowChars } from './model.ts'
import type { Pen } from './pen.ts'
import type { Piece } from './piece.ts'
import { type RowPieces, rowPieces } from './pieces.ts'
import type { Heights } from './window.ts'

/** Lines kept of pieces that were drawn; older ones are drawn again when they come back into view. */
const DRAWN_PIECES_MAX = 1_000
/** Rows and pieces kept beyond those in view; of other rows only the height is known (TERM-73). */
const LAID_ROWS_MAX = 500
const LAID_PIECES_MAX = 6_000
/** A frame looks more than once. */
const KEPT_VIEWS = 4

type LaidPiece = {
  readonly piece: Piece
  width: number
  height: number
  isDrawn: boolean
  lines: readonly Line[] | null
}
type LaidRow = {
  row: Row
  source: RowPieces
  head: LaidPiece[]
  closed: LaidPiece[]
  open: LaidPiece[]
  /** The view it was part of last. */
  usedIn: number
}

/**
 * The layout of all rows at one width, made as far as somebody looks (TERM-12): a row is cut into pieces when it comes near the window,
 * a piece is laid out once per width, a growing row keeps its closed pieces (TERM-14). Heights of what nobody looked at are guesses.
 * A cache: what it answers depends on `sync`'s arguments alone.
 */
export class TranscriptLayout implements Heights {
  private rows: readonly Row[] = []
  private width = 1
  private pen: Pen
  private readonly laid = new Map<string, LaidRow>()
  private readonly drawn = new Set<LaidPiece>()
  private readonly index = new HeightIndex()
  private pieces = 0
  private view = 0

  constructor(pen: Pen) {
    this.pen = pen
  }

  get rowCount(): number {
    return this.rows.length
  }

  /** Whether `rows` at `width` is what is laid out now. */
  isOf(rows: readonly Row[], width: number): boolean {
    return rows === this.rows && width === this.width
  }

  /** Makes `rows` at `width` the transcript. Costs the number of rows that changed, apart from a comparison of identities. */
  sync(rows: readonly Row[], width: number): void {
    if (this.isOf(rows, width)) return
    const before = this.rows
    const isResized = width !== this.width
    this.rows = rows
    this.width = width
    const isShifted = before[0] !== rows[0] && before[0]?.id !== rows[0]?.id
    if (isShifted) this.index.truncate(0)
    this.index.truncate(rows.length)
    for (const [at, row] of rows.entries()) {
      const laid = this.laid.get(row.id)
      if (laid?.row === row && (isResized || isShifted)) this.index.set(at, this.sum(laid))
      // A row that is not laid out keeps the height it had: at another width still the best guess.
      else if (at >= this.index.count || before[at] !== row) this.index.set(at, this.guess(row))
    }
    if (isShifted) this.forgetMissing()
  }

  /** Draws everything anew: the highlighter has arrived, the colours have changed. */
  repaint(pen: Pen): void {
    this.pen = pen
    for (const laid of this.drawn) laid.lines = null
    this.drawn.clear()
  }

  /** Another look begins: what the last ones did not need may be let go. */
  nextView(): void {
    this.view += 1
    if (this.laid.size > LAID_ROWS_MAX || this.pieces > LAID_PIECES_MAX) this.forgetUnused()
  }

  row(at: number): Row | undefined {
    return this.rows[at]
  }

  /** The place of the row with this id, or -1. */
  indexOf(id: string): number {
    return this.rows.findLastIndex((row) => row.id === id)
  }

  pieceCount(row: number): number {
    return pieceCount(this.laidRow(row))
  }

  height(row: number, piece: number): number {
    const laid = this.laidPiece(row, piece)
    const guessed = this.known(laid)
    if (!laid.isDrawn) {
      this.draw(laid)
      this.index.set(row, this.index.height(row) + laid.height - guessed)
    }
    return laid.height
  }

  /** The lines of one piece. */
  lines(row: number, piece: number): readonly Line[] {
    this.height(row, piece)
    const laid = this.laidPiece(row, piece)
    return laid.lines ?? this.draw(laid)
  }

  /** Lines above a row and in all, as far as they are known. */
  get totalHeight(): number {
    return this.index.total
  }

  heightBefore(row: number): number {
    return this.index.before(row)
  }

  /** Lines of a row above one of its pieces. */
  heightWithin(row: number, piece: number): number {
    const { head, closed, open } = this.laidRow(row)
    let sum = 0
    let left = piece
    for (const list of [head, closed, open]) {
      for (const laid of list) {
        if (left-- <= 0) return sum
        sum += this.known(laid)
      }
    }
    return sum
  }

  private laidRow(at: number): LaidRow {
    const row = this.rows[at]
    assert(row !== undefined, 'a row within the transcript')
    const known = this.laid.get(row.id)
    if (known?.row === row) {
      known.usedIn = this.view
      return known
    }
    // `closed` is continued in place below.
    const knownCount = known === undefined ? 0 : pieceCount(known)
    const source = rowPieces(row, known?.source ?? null)
    const isContinued = known !== undefined && source === known.source
    const closed = isContinued ? known.closed : []
    for (const piece of source.closed.slice(closed.length)) closed.push(unlaid(piece))
    // A piece of the tail that is still the same piece is laid out already.
    const open = source.open.map((piece, index) => {
      const before = known?.open[index]
      return before?.piece === piece ? before : unlaid(piece)
    })
    if (known !== undefined) {
      this.letGo([
        ...known.head,
        ...(isContinued ? [] : known.closed),
        ...known.open.filter((each) => !open.includes(each))
      ])
    }
    const laid: LaidRow = { row, source, head: source.head.map(unlaid), closed, open, usedIn: this.view }
    this.pieces += pieceCount(laid) - knownCount
    this.laid.set(row.id, laid)
    this.index.set(at, this.sum(laid))
    return laid
  }

  private forgetUnused(): void {
    for (const [id, laid] of this.laid) if (laid.usedIn < this.view - KEPT_VIEWS) this.forget(id, laid)
  }

  private forget(id: string, laid: LaidRow): void {
    this.laid.delete(id)
    this.pieces -= pieceCount(laid)
    this.letGo([...laid.head, ...laid.closed, ...laid.open])
  }

  private laidPiece(row: number, at: number): LaidPiece {
    const { head, closed, open } = this.laidRow(row)
    const laid =
      at < head.length
        ? head[at]
        : at < head.length + closed.length
          ? closed[at - head.length]
          : open[at - head.length - closed.length]
    assert(laid !== undefined, 'a piece within its row')
    return laid
  }

  private draw(laid: LaidPiece): readonly Line[] {
    const lines = laid.piece.draw(this.width, this.pen)
    laid.lines = lines
    laid.width = this.width
    laid.height = lines.length
    laid.isDrawn = true
    this.drawn.delete(laid)
    this.drawn.add(laid)
    if (this.drawn.size > DRAWN_PIECES_MAX) {
      const [oldest] = this.drawn
      if (oldest !== undefined) {
        oldest.lines = null
        this.drawn.delete(oldest)
      }
    }
    return lines
  }

  /** The height as far as it is known: laid out at this width, or guessed. */
  private known(laid: LaidPiece): number {
    if (laid.width !== this.width) {
      laid.width = this.width
      laid.height = laid.piece.guess(this.width)
      laid.isDrawn = false
    }
    return laid.height
  }

  private sum({ head, closed, open }: LaidRow): number {
    let sum = 0
    for (const laid of head) sum += this.known(laid)
    for (const laid of closed) sum += this.known(laid)
    for (const laid of open) sum += this.known(laid)
    return sum
  }

  private guess(row: Row): number {
    return Math.max(1, Math.ceil(rowChars(row) / this.width))
  }

  private forgetMissing(): void {
    const ids = new Set(this.rows.map((row) => row.id))
    for (const [id, laid] of this.laid) {
      if (!ids.has(id)) this.forget(id, laid)
    }
  }

  private letGo(pieces: readonly LaidPiece[]): void {
    for (const piece of pieces) this.drawn.delete(piece)
  }
}

function pieceCount({ head, closed, open }: LaidRow): number {
  return head.length + closed.length + open.length
}

function unlaid(piece: Piece): LaidPiece {
  return { piece, width: -1, height: 0, isDrawn: false, lines: null }
}
