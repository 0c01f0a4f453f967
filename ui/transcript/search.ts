import { safeText } from '../../src/lib/safe-text.ts'
import { lineText, matchOffsets } from '../parts/lines.ts'
import type { TranscriptLayout } from './layout.ts'
import type { Row } from './model.ts'
import { operatorText } from './operator.ts'
import { toolText } from './tool.ts'
import { nearest, type Position } from './window.ts'

/** The `nth` (from 0) occurrence in one row. */
export type Match = { readonly row: string; readonly nth: number }

/** Where `query` occurs, case ignored, in what the rows show (TERM-22). */
export function findMatches(rows: readonly Row[], query: string): Match[] {
  if (query === '') return []
  return rows.flatMap((row) => matchOffsets(shownText(row), query).map((_, nth) => ({ row: row.id, nth })))
}

/**
 * The line of a match: the line of its row that shows the nth occurrence. Markdown marks and line breaks can hide an occurrence; then
 * it is the last one that shows, else the row's first line, and for a row that shows no line at all (an empty block) the
 * nearest line of another.
 */
export function matchPosition(layout: TranscriptLayout, match: Match, query: string): Position | null {
  const row = layout.indexOf(match.row)
  if (row === -1) return null
  let found = nearest(layout, { row, piece: 0, line: 0 })
  let left = match.nth
  for (let piece = 0; piece < layout.pieceCount(row); piece++) {
    for (const [line, each] of layout.lines(row, piece).entries()) {
      const count = matchOffsets(lineText(each), query).length
      if (count > 0) found = { row, piece, line }
      if (left < count) return found
      left -= count
    }
  }
  return found
}

function shownText(row: Row): string {
  switch (row.kind) {
    case 'operator':
      return operatorText(row)
    case 'command':
    case 'notice':
      return safeText(row.text)
    case 'reply':
      return safeText(row.unfolded ? `${row.reasoning}\n${row.text}` : row.text)
    case 'tool':
      return toolText(row)
    case 'output':
      return safeText(row.lines.join('\n'))
    case 'checkpoint':
    case 'anchor':
      return row.unfolded ? safeText(row.summary) : ''
    case 'note':
      return row.unfolded ? safeText(row.text) : ''
  }
}
