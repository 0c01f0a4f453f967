import { unreachable } from '../../src/lib/assert.ts'
import { safeLine, safeText } from '../../src/lib/safe-text.ts'
import { cellWidth, cutEnd } from '../../src/lib/width.ts'
import type { NoticeLevel } from '../../src/protocol/event.ts'
import { line, lineText, prefixed, span, wrapHanging, wrapSpans } from '../parts/lines.ts'
import type { Glyphs } from '../theme/glyphs.ts'
import type { Line, Style, Tone } from '../theme/style.ts'
import type { FoldableRow, NoticeRow, OutputRow, Row } from './model.ts'
import { commandPieces, operatorPieces } from './operator.ts'
import type { Pen } from './pen.ts'
import { chunks, type Piece, piece } from './piece.ts'
import { ReplyPieces } from './reply.ts'
import { toolPieces } from './tool.ts'

/** The pieces of a row in three stretches: `closed` only grows while a row does, the other two are made anew. */
export type RowPieces = {
  readonly head: readonly Piece[]
  readonly closed: readonly Piece[]
  readonly open: readonly Piece[]
}

/** The pieces of a row; those it had before, continued, if it only grew. */
export function rowPieces(row: Row, before: RowPieces | null): RowPieces {
  if (row.kind === 'reply') {
    if (before instanceof ReplyPieces && before.update(row)) return before
    const pieces = new ReplyPieces()
    pieces.update(row)
    return pieces
  }
  return { head: [], closed: [], open: wholePieces(row) }
}

function wholePieces(row: Exclude<Row, { kind: 'reply' }>): Piece[] {
  switch (row.kind) {
    case 'operator':
      return operatorPieces(row)
    case 'command':
      return commandPieces(row)
    case 'tool':
      return toolPieces(row)
    case 'notice':
      return [noticePiece(row)]
    case 'output':
      return outputPieces(row)
    case 'checkpoint':
      return foldable(row, `checkpoint ${row.index}, turn ${row.turn}, ${safeLine(row.hash).slice(0, 12)}`, row.summary)
    case 'anchor': {
      const tokens = row.tokens === null ? '' : `, ${row.tokens.toLocaleString('en')} tokens`
      return foldable(row, `${row.sub}${tokens}`, row.summary)
    }
    case 'note':
      return foldable(row, `${row.sub}: ${safeLine(firstLine(row.text))}`, row.text)
    default:
      return unreachable(row)
  }
}

const noticeTones: Readonly<Record<NoticeLevel, Tone>> = {
  info: 'accent',
  warning: 'warn',
  error: 'fail',
  success: 'ok',
  switch: 'accent',
  detail: 'dim'
}

/** The glyph of a notice level (session messages, OPUI-100). */
function noticeGlyph(level: NoticeLevel, glyphs: Glyphs): string {
  switch (level) {
    case 'info':
      return glyphs.info
    case 'warning':
      return glyphs.attention
    case 'error':
      return glyphs.failed
    case 'success':
      return glyphs.done
    case 'switch':
      return glyphs.switched
    case 'detail':
      return glyphs.detail
  }
}

function noticePiece(row: NoticeRow): Piece {
  const text = safeText(row.text)
  const hint = row.hint === undefined ? '' : safeText(row.hint)
  const tone = noticeTones[row.level]
  const indent = row.level === 'detail' ? '  ' : ''
  const style: Style =
    row.level === 'error' || row.level === 'warning' ? { tone } : row.level === 'detail' ? { tone: 'dim' } : {}
  return piece(`${text}\n${hint}`, (width, pen) => {
    const rest = [span(`${indent}  `)]
    const mark = [span(`${indent}${noticeGlyph(row.level, pen.glyphs)} `, { tone })]
    const lines = wrapHanging([span(text, style)], width, mark, rest)
    return hint === '' ? lines : [...lines, ...wrapHanging([span(hint, { tone: 'dim' })], width, rest, rest)]
  })
}

function outputPieces(row: OutputRow): Piece[] {
  return chunks(safeText(row.lines.join('\n'))).map((part) =>
    piece(part, (width) => part.split('\n').flatMap((text) => hangingLines(text, width)))
  )
}

/** A line of a listing; what does not fit stands below it, further in than where the line began. */
function hangingLines(text: string, width: number): Line[] {
  const indent = (/^ */.exec(text)?.[0].length ?? 0) + 4
  // In a window too narrow for it the indent would only take room.
  if (cellWidth(text) <= width || indent * 2 > width) return wrapSpans([span(text)], width)
  const [first, ...rest] = wrapSpans([span(text)], width)
  if (first === undefined) return []
  const left = text.slice(lineText(first).length).trimStart()
  // A word that the indent would tear apart is worth more than the indent.
  const isTorn = left.split(' ').some((word) => cellWidth(word) > width - indent)
  if (rest.length === 0 || left === '' || isTorn) return [first, ...rest]
  const below = [span(' '.repeat(indent))]
  return [first, ...prefixed(wrapSpans([span(left)], width - indent), below, below)]
}

/** What stands for a text while it is folded. */
function firstLine(text: string): string {
  return text.trimStart().slice(0, 200).split('\n', 1)[0] ?? ''
}

/** One line that unfolds to a text. */
function foldable(
  row: Exclude<FoldableRow, { kind: 'operator' | 'reply' | 'tool' }>,
  title: string,
  text: string
): Piece[] {
  const head = piece('', (width, pen) => [
    line(
      span(text === '' ? '  ' : `${row.unfolded ? pen.glyphs.unfolded : pen.glyphs.folded} `, { tone: 'accent' }),
      span(cutEnd(title, Math.max(1, width - 2)), { tone: 'dim' })
    )
  ])
  if (!row.unfolded || text === '') return [head]
  const parts = chunks(safeText(text).trimEnd())
  return [
    head,
    ...parts.map((part) =>
      piece(part, (width: number, pen: Pen) => {
        const mark = [span(`${pen.glyphs.quote} `, { tone: 'dim' })]
        return wrapHanging([span(part)], width, mark, mark)
      })
    )
  ]
}
