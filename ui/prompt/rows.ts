import { safeText, visibleLine } from '../../src/lib/safe-text.ts'
import { cellWidth, cutEnd } from '../../src/lib/width.ts'
import { chipLabel, clusters, type Draft, isChip } from './draft.ts'

/** Where the prompt's text has room: cells per row, and the first cell of its first and of its other rows. */
export type Geometry = { readonly width: number; readonly firstIndent: number; readonly indent: number }

/** One row on the screen: the stretch of the text it shows, how that looks, and where it begins. */
export type Row = { readonly start: number; readonly end: number; readonly shown: string; readonly indent: number }

/**
 * The draft in rows, broken wherever a row is full, by cells (TERM-32). The last cell of a row stays free, so that the caret behind
 * the text always has one (TERM-44).
 */
export function layoutRows(draft: Draft, geometry: Geometry): Row[] {
  const rows: Row[] = []
  let start = 0
  let shown = ''
  let indent = geometry.firstIndent
  let used = indent
  const close = (end: number, next: number) => {
    rows.push({ start, end, shown, indent })
    start = next
    shown = ''
    indent = geometry.indent
    used = indent
  }
  for (const { index, text } of clusters(draft.text)) {
    if (text === '\n') {
      close(index, index + 1)
      continue
    }
    const look = lookOf(text, draft, geometry)
    const width = cellWidth(look)
    if (used + width > geometry.width - 1 && index > start) close(index, index)
    shown += look
    used += width
  }
  close(draft.text.length, draft.text.length)
  return rows
}

/** Row and cell of the caret. A caret between two rows stands at the beginning of the second. */
export function placeOf(
  rows: readonly Row[],
  draft: Draft,
  cursor: number,
  geometry: Geometry
): { row: number; column: number } {
  const index = Math.max(
    0,
    rows.findLastIndex((row) => row.start <= cursor)
  )
  const row = rows[index]
  if (row === undefined) return { row: 0, column: 0 }
  let column = row.indent
  for (const { text } of clusters(draft.text.slice(row.start, cursor)))
    column += cellWidth(lookOf(text, draft, geometry))
  return { row: index, column }
}

/** The boundary in `row` nearest to the cell `column`, not beyond it. */
export function offsetAt(row: Row, draft: Draft, column: number, geometry: Geometry): number {
  let at = row.start
  let cells = row.indent
  for (const { text, index } of clusters(draft.text.slice(row.start, row.end))) {
    cells += cellWidth(lookOf(text, draft, geometry))
    if (cells > column) return at
    at = row.start + index + text.length
  }
  return at
}

/**
 * How one cluster looks: a chip as its label, what hides or reorders text as a visible mark (TERM-31). Joiners inside an emoji or a
 * script stay, for the operator typed them.
 */
function lookOf(cluster: string, draft: Draft, geometry: Geometry): string {
  if (!isChip(cluster)) return safeText(cluster) === cluster ? cluster : visibleLine(cluster)
  return cutEnd(chipLabel(draft.pastes[cluster] ?? ''), Math.max(1, geometry.width - 1 - geometry.indent))
}
