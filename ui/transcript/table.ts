import type { Tokens } from 'marked'
import { cellWidth } from '../../src/lib/width.ts'
import { emptyLine, lineText, prefixed, span, wrapSpans } from '../parts/lines.ts'
import type { Line, Span } from '../theme/style.ts'
import { inlineSpans } from './inline.ts'
import type { Pen } from './pen.ts'

const SEPARATOR = '  '
const COLUMN_MIN = 6

type Align = 'left' | 'right' | 'center' | null

/**
 * A table in columns as wide as their content, narrowed evenly when they do not fit. Below six cells for a column that needs more it
 * stacks: every row becomes a list of `header: value` (TERM-20). `head` decides the columns where the table itself only continues one.
 */
export function tableLines(table: Tokens.Table, width: number, pen: Pen, head?: Tokens.Table): Line[] {
  const columns = columnWidths(head ?? table, width)
  const isContinued = head !== undefined
  if (columns === null) return stackedLines(table, width, isContinued)
  const rule = columns.map((cells) => pen.glyphs.rule.repeat(cells)).join(SEPARATOR)
  const header = isContinued
    ? []
    : [
        ...rowLines(table.header, table.align, columns, true),
        { spans: [span(rule, { tone: 'dim' })], width: cellWidth(rule) }
      ]
  return [...header, ...table.rows.flatMap((row) => rowLines(row, table.align, columns, false))]
}

/** Cells per column, or null when they do not fit side by side. */
function columnWidths(table: Tokens.Table, width: number): number[] | null {
  const natural = table.header.map((_, column) =>
    Math.max(1, ...[table.header, ...table.rows].map((row) => cellText(row[column]).width))
  )
  const room = width - SEPARATOR.length * (natural.length - 1)
  const total = natural.reduce((sum, cells) => sum + cells, 0)
  if (total <= room) return natural
  const least = natural.map((cells) => Math.min(cells, COLUMN_MIN))
  if (least.reduce((sum, cells) => sum + cells, 0) > room) return null
  // The widest columns give way first: find the cap at which everything fits.
  let low = COLUMN_MIN
  let high = Math.max(...natural)
  while (low < high) {
    const cap = Math.ceil((low + high) / 2)
    if (natural.reduce((sum, cells) => sum + Math.min(cells, cap), 0) <= room) low = cap
    else high = cap - 1
  }
  return natural.map((cells) => Math.min(cells, low))
}

function cellText(cell: Tokens.TableCell | undefined): { readonly spans: Span[]; readonly width: number } {
  const spans = inlineSpans(cell?.tokens ?? [])
  return { spans, width: cellWidth(spans.map((each) => each.text).join('')) }
}

function rowLines(
  row: readonly Tokens.TableCell[],
  align: readonly Align[],
  columns: readonly number[],
  isHeader: boolean
): Line[] {
  const cells = columns.map((cells, column) => {
    const spans = inlineSpans(row[column]?.tokens ?? [], isHeader ? { bold: true } : {})
    return wrapSpans(spans, cells)
  })
  const height = Math.max(1, ...cells.map((lines) => lines.length))
  return Array.from({ length: height }, (_, index) => {
    const spans: Span[] = []
    let width = 0
    for (const [column, cellsWide] of columns.entries()) {
      const isLast = column === columns.length - 1
      const part = cells[column]?.[index] ?? emptyLine
      const padded = aligned(part, cellsWide, align[column] ?? null, isLast)
      spans.push(...padded.spans)
      width += padded.width
      if (!isLast) {
        spans.push(span(SEPARATOR))
        width += SEPARATOR.length
      }
    }
    return { spans, width }
  })
}

function aligned(part: Line, width: number, align: Align, isLast: boolean): Line {
  const fill = Math.max(0, width - part.width)
  const before = align === 'right' ? fill : align === 'center' ? Math.floor(fill / 2) : 0
  const after = isLast ? 0 : fill - before
  return {
    spans: [span(' '.repeat(before)), ...part.spans, span(' '.repeat(after))].filter((each) => each.text !== ''),
    width: before + part.width + after
  }
}

function stackedLines(table: Tokens.Table, width: number, isContinued: boolean): Line[] {
  const lines: Line[] = []
  const indent = width > 20 ? [span('  ')] : []
  for (const row of table.rows) {
    if (lines.length > 0 || isContinued) lines.push(emptyLine)
    for (const [column, cell] of row.entries()) {
      const header = lineText({ spans: inlineSpans(table.header[column]?.tokens ?? []), width: 0 })
      const spans = [span(`${header}: `, { bold: true }), ...inlineSpans(cell.tokens)]
      lines.push(...prefixed(wrapSpans(spans, width - indent.length * 2), [], indent))
    }
  }
  return lines.length > 0
    ? lines
    : wrapSpans(
        table.header.flatMap((cell) => [...inlineSpans(cell.tokens, { bold: true }), span(' ')]),
        width
      )
}
