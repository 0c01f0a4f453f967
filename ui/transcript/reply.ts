import { safeLine } from '../../src/lib/safe-text.ts'
import { line, span } from '../parts/lines.ts'
import type { Line, Style } from '../theme/style.ts'
import { type Block, BlockReader } from './blocks.ts'
import { codeLines } from './code.ts'
import { markdownLines, tableRowLines } from './markdown.ts'
import type { ReplyRow } from './model.ts'
import type { Pen } from './pen.ts'
import { afterGap, inGutter, type Piece, piece } from './piece.ts'

/**
 * A reply as pieces, kept while it grows: `closed` is only ever appended to, `open` is the unfinished tail (TERM-14). Reasoning comes
 * first; it is over once there is text.
 */
export class ReplyPieces {
  head: Piece[] = []
  readonly closed: Piece[] = []
  open: Piece[] = []
  private row: ReplyRow | null = null
  private readonly reasoning = new BlockReader()
  private readonly text = new BlockReader()
  private reasoningTaken = 0
  private textTaken = 0
  private isReasoningOver = false
  private lastOpen: readonly OpenPiece[] = []

  /** Takes the row's new state in; false when it is no continuation and needs new pieces. */
  update(row: ReplyRow): boolean {
    if (this.row !== null && !isContinuation(this.row, row)) return false
    this.row = row
    this.head = row.reasoning === '' ? [] : [this.labelled(reasoningHead(row), true)]
    this.open = []
    if (row.unfolded && row.reasoning !== '') this.readReasoning(row)
    if (row.text !== '') this.readText(row)
    if (row.status !== 'open' && row.status !== 'done') this.open.push(this.labelled(statusPiece(row), false))
    return true
  }

  private readReasoning(row: ReplyRow): void {
    if (this.isReasoningOver) return
    this.reasoning.feed(row.reasoning)
    for (const block of this.reasoning.closed.slice(this.reasoningTaken))
      this.closed.push(this.blockPiece(block, false, true))
    this.reasoningTaken = this.reasoning.closed.length
    const rest = this.reasoning.open().map((block) => this.blockPiece(block, false, true))
    if (row.text === '') this.open.push(...rest)
    else {
      this.closed.push(...rest)
      this.isReasoningOver = true
    }
  }

  private readText(row: ReplyRow): void {
    this.text.feed(row.text)
    for (const block of this.text.closed.slice(this.textTaken)) {
      this.closed.push(this.blockPiece(block, this.textTaken === 0, false))
      this.textTaken += 1
    }
    const open = this.text.open().flatMap(settledCode)
    const pieces = open.map((block, index): OpenPiece => {
      const isFirst = this.textTaken === 0 && index === 0
      const known = this.lastOpen[index]
      return known !== undefined && known.isFirst === isFirst && isSameBlock(known.block, block)
        ? known
        : { block, isFirst, piece: this.blockPiece(block, isFirst, false) }
    })
    this.lastOpen = pieces
    this.open.push(...pieces.map((each) => each.piece))
  }

  private blockPiece(block: Block, isFirst: boolean, isReasoning: boolean): Piece {
    const source = block.kind === 'code' ? block.text : block.raw
    const body = piece(source, (width, pen) => {
      const lines = drawBlock(block, width, pen)
      return isReasoning ? lines.map(dimmed) : lines
    })
    const placed = this.labelled(body, isFirst && this.head.length === 0)
    return block.gap ? afterGap(placed) : placed
  }

  private labelled(of: Piece, isFirst: boolean): Piece {
    const { row } = this
    return inGutter(of, isFirst && row?.labelled ? safeLine(row.model) : '', roleStyle)
  }
}

type OpenPiece = { readonly block: Block; readonly isFirst: boolean; readonly piece: Piece }

const SETTLED_LINES = 8

/**
 * Growing code in two parts, so that only the lines behind the last multiple of eight are coloured anew with every delta. They see
 * nothing of the lines above until the multiple is full, which only matters inside a comment or string of several lines.
 */
function settledCode(block: Block): Block[] {
  if (block.kind !== 'code') return [block]
  const lines = block.text.split('\n')
  const settled = lines.length - 1 - ((lines.length - 1) % SETTLED_LINES)
  if (settled === 0) return [block]
  return [
    { ...block, text: lines.slice(0, settled).join('\n') },
    { ...block, text: lines.slice(settled).join('\n'), gap: false }
  ]
}

function isSameBlock(a: Block, b: Block): boolean {
  if (a.kind !== b.kind || a.gap !== b.gap) return false
  if (a.kind === 'code') return b.kind === 'code' && a.language === b.language && a.text === b.text
  return b.kind !== 'code' && a.raw === b.raw
}

const roleStyle: Style = { tone: 'role', bold: true }

function isContinuation(before: ReplyRow, after: ReplyRow): boolean {
  return (
    before.epoch === after.epoch &&
    before.unfolded === after.unfolded &&
    before.labelled === after.labelled &&
    before.model === after.model &&
    // Reasoning that goes on after text began is only shown in the head, unless it is unfolded or the head is new.
    (before.text === '' ||
      before.reasoning.length === after.reasoning.length ||
      (!after.unfolded && before.reasoning !== ''))
  )
}

function drawBlock(block: Block, width: number, pen: Pen): Line[] {
  switch (block.kind) {
    case 'markdown':
      return markdownLines(block.raw, width, pen)
    case 'code':
      return codeLines(block.text, block.language, width, pen)
    case 'table-rows':
      return tableRowLines(block.head, block.raw, width, pen)
  }
}

function reasoningHead(row: ReplyRow): Piece {
  const text = `reasoning, ${row.reasoning.length.toLocaleString('en')} characters`
  return piece(text, (_, pen) => [
    line(span(`${row.unfolded ? pen.glyphs.unfolded : pen.glyphs.folded} ${text}`, { tone: 'dim' }))
  ])
}

function statusPiece(row: ReplyRow): Piece {
  const text = row.status === 'superseded' ? 'superseded by a new attempt' : 'incomplete'
  return piece(text, () => [line(span(`(${text})`, { tone: row.status === 'superseded' ? 'dim' : 'warn' }))])
}

function dimmed(of: Line): Line {
  return {
    spans: of.spans.map((each) => ({ text: each.text, style: { ...each.style, tone: 'dim' } })),
    width: of.width
  }
}
