import { safeLine, safeText, visibleText } from '../../src/lib/safe-text.ts'
import { cutEnd } from '../../src/lib/width.ts'
import { diffLines } from '../parts/diff.ts'
import { durationText } from '../parts/duration.ts'
import { justified, line, prefixed, span, wrapSpans } from '../parts/lines.ts'
import type { Glyphs } from '../theme/glyphs.ts'
import type { Line, Span, Style, Tone } from '../theme/style.ts'
import { argumentEntries, mainArgument } from './arguments.ts'
import type { ToolRow } from './model.ts'
import { chunks, type Piece, piece } from './piece.ts'

const ARGUMENT_CHARS = 80
/** What is left of name and argument, where they are longer, before outcome and time go to a line of their own. */
const CALLED_CELLS = 18
const ERROR_LINES = 5
const RESULT_LINES = 10

/**
 * A tool call: one line with name, main argument, outcome and time (TERM-20). Folded, an edit shows what it changed, an error its first
 * lines and a shell line of the operator its output (TOOL-049, TOOL-124); while it runs, the last line of output (TERM-25). Unfolded it shows everything.
 */
export function toolPieces(row: ToolRow): Piece[] {
  const pieces = [piece(row.name, (width, pen) => headLines(row, width, pen.glyphs))]
  const told = toldLines(row)
  if (told.length > 0) pieces.push(toldPiece(told, row.unfolded))
  if (row.unfolded) return [...pieces, ...argumentPieces(row), ...diffPieces(row), ...outputPieces(row)]
  const preview = row.meta.diff ? diffPreview(row.meta.diff) : previewPiece(row)
  return preview === null ? pieces : [...pieces, preview]
}

/** Name and main argument, outcome and time on one line; where that would leave nothing of the argument, on two (TERM-20). */
function headLines(row: ToolRow, width: number, glyphs: Glyphs): Line[] {
  const left = calledLine(row, glyphs)
  const right = outcomeLine(row, glyphs)
  const isRoomy = width - right.width > Math.min(left.width, CALLED_CELLS)
  return isRoomy || right.width === 0
    ? [justified(left, right, width)]
    : [justified(left, line(), width), justified(line(), right, width)]
}

function calledLine(row: ToolRow, glyphs: Glyphs): Line {
  const [glyph, tone] = headMark(row, glyphs)
  const spans: Span[] = [
    span(`${glyph} `, { tone }),
    span(row.origin === 'operator' ? '!' : safeLine(row.name), { bold: true })
  ]
  const argument = cutEnd(safeLine(mainArgument(row)), ARGUMENT_CHARS)
  if (argument !== '') spans.push(span(row.origin === 'operator' ? argument : ` ${argument}`))
  if (row.meta.touchesGit) spans.push(span(` ${glyphs.attention} .git`, { tone: 'warn' }))
  return line(...spans)
}

function outcomeLine(row: ToolRow, glyphs: Glyphs): Line {
  const tone: Tone = row.status === 'done' || row.status === 'running' ? 'dim' : headMark(row, glyphs)[1]
  const outcome = outcomeText(row, glyphs)
  const spans = outcome === '' ? [] : [span(outcome, { tone })]
  if (row.elapsedMs === null) return line(...spans)
  const time = durationText(row.elapsedMs).padStart(6)
  return line(...spans, span(outcome === '' ? time : `  ${time}`, { tone: 'dim' }))
}

function headMark(row: ToolRow, glyphs: Glyphs): [string, Tone] {
  switch (row.status) {
    case 'running':
      return [glyphs.tool, 'accent']
    case 'done':
      return [glyphs.tool, 'ok']
    case 'failed':
      return [glyphs.failed, 'fail']
    case 'interrupted':
      return [glyphs.attention, 'warn']
  }
}

function outcomeText(row: ToolRow, glyphs: Glyphs): string {
  if (row.status === 'interrupted') return 'interrupted'
  if (row.meta.kind === 'timeout') return `${glyphs.attention} timed out`
  if (row.meta.summary !== undefined) return safeLine(row.meta.summary)
  if (row.status === 'failed')
    return row.meta.exitCode === undefined ? (row.meta.kind ?? 'failed') : `exit ${row.meta.exitCode}`
  return ''
}

function previewPiece(row: ToolRow): Piece | null {
  const shown = previewLines(row)
  if (shown.length === 0) return null
  const style: Style = row.status === 'failed' ? { tone: 'fail' } : row.status === 'running' ? { tone: 'dim' } : {}
  const more = moreLine(resultLines(row).length - shown.length)
  return piece(shown.join('\n'), (width) => [
    ...shown.map((text) => nested([span(text, style)], width)),
    ...(row.status === 'running' || more === null ? [] : [nested([more], width)])
  ])
}

/** What a folded call shows of its result: the last line while it runs, else the first lines of an error or of a shell line's output. */
function previewLines(row: ToolRow): readonly string[] {
  const lines = resultLines(row)
  if (row.status === 'running') return lines.slice(-1)
  const limit = row.status === 'failed' ? ERROR_LINES : row.origin === 'operator' ? RESULT_LINES : 0
  return lines.slice(0, limit)
}

function resultLines({ text }: ToolRow): readonly string[] {
  const shown = safeText(text).trimEnd()
  return shown === '' ? [] : shown.split('\n')
}

function moreLine(left: number): Span | null {
  return left <= 0 ? null : span(`... (${left} more lines)`, { tone: 'dim' })
}

/** The text a call shows, folded or unfolded as it is: what a search of the transcript looks through (TERM-22). */
export function toolText(row: ToolRow): string {
  const { diff } = row.meta
  const head = `${safeLine(row.name)} ${cutEnd(safeLine(mainArgument(row)), ARGUMENT_CHARS)}`
  const told = toldLines(row)
  if (!row.unfolded) return [head, ...told.slice(-1), ...(diff ? shownChanges(diff) : previewLines(row))].join('\n')
  const values = row.origin === 'operator' ? [] : argumentEntries(row.arguments).map(([, value]) => safeText(value))
  return [head, ...told, ...values, visibleText(diff ?? ''), safeText(row.text)].join('\n')
}

/** What a sub-agent told: how much, or all of it nested (CTX-090). */
function toldPiece(told: readonly string[], isUnfolded: boolean): Piece {
  if (isUnfolded)
    return piece(told.join('\n'), (width, pen) => told.flatMap((text) => nestedLines([span(text)], width, pen.glyphs)))
  const last = told.at(-1) ?? ''
  return piece('', (width) => [
    nested([span(`${told.length} ${told.length === 1 ? 'line' : 'lines'}: ${last}`, { tone: 'dim' })], width)
  ])
}

function toldLines({ told }: ToolRow): readonly string[] {
  return told.map((text) => safeLine(text)).filter((text) => text.trim() !== '')
}

function argumentPieces(row: ToolRow): Piece[] {
  if (row.origin === 'operator') return []
  return argumentEntries(row.arguments).flatMap(([name, value]) =>
    chunks(safeText(value)).map((part, index) =>
      piece(part, (width, pen) =>
        nestedLines([span(index === 0 ? `${safeLine(name)}: ` : '', { tone: 'accent' }), span(part)], width, pen.glyphs)
      )
    )
  )
}

/** The first lines of what an edit changed (TOOL-049, TOOL-124). */
function diffPreview(diff: string): Piece {
  const shown = shownChanges(diff)
  const more = moreLine(changesOf(diff).length - shown.length)
  return piece(shown.join('\n'), (width) => {
    const indent = [span('  ')]
    const lines = prefixed(diffLines(shown.join('\n'), Math.max(1, width - 2)), indent, indent)
    return more === null ? lines : [...lines, nested([more], width)]
  })
}

function shownChanges(diff: string): readonly string[] {
  return changesOf(diff).slice(0, RESULT_LINES)
}

/** The lines of a diff without the names of the file. */
function changesOf(diff: string): readonly string[] {
  return visibleText(diff)
    .trimEnd()
    .split('\n')
    .filter((text) => !/^(---|\+\+\+) /.test(text))
}

function diffPieces(row: ToolRow): Piece[] {
  const { diff } = row.meta
  if (diff === undefined || diff === '') return []
  return chunks(visibleText(diff).trimEnd()).map((part) =>
    piece(part, (width) => {
      const indent = [span('  ')]
      return prefixed(diffLines(part, Math.max(1, width - 2)), indent, indent)
    })
  )
}

function outputPieces(row: ToolRow): Piece[] {
  const pieces: Piece[] = []
  if (row.text !== '') {
    const style: Style = row.status === 'failed' ? { tone: 'fail' } : { tone: 'dim' }
    for (const part of chunks(safeText(row.text).trimEnd())) {
      pieces.push(piece(part, (width, pen) => nestedLines([span(part, style)], width, pen.glyphs)))
    }
  }
  if (row.meta.outputFile !== undefined) {
    const text = `whole output: ${safeLine(row.meta.outputFile)}`
    pieces.push(piece(text, (width) => [nested([span(text, { tone: 'dim' })], width)]))
  }
  return pieces
}

function nested(spans: readonly Span[], width: number): Line {
  const indented = line(span('  '), ...spans)
  return justified(indented, line(), width)
}

function nestedLines(spans: readonly Span[], width: number, glyphs: Glyphs): Line[] {
  const mark = [span(`${glyphs.quote} `, { tone: 'dim' })]
  return prefixed(wrapSpans(spans, Math.max(1, width - 2), 'cells'), mark, mark)
}
