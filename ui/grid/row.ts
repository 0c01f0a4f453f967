import { visibleLine } from '../../src/lib/safe-text.ts'
import { cellWidth, padEnd } from '../../src/lib/width.ts'
import type { ArrowRow } from '../../src/protocol/gate-view.ts'
import { line, span } from '../parts/lines.ts'
import type { Glyphs, Line } from '../theme/index.ts'
import { arrowLabel, arrowMark, pairText } from './status.ts'

const STATUS_MIN = 7
const STATUS_MAX = 19
const STATUS_SHARE = 0.2

/** Cells of the longest `source→target` among `rows`: what a status word need not leave free. */
export function pairCellsOf(rows: readonly ArrowRow[]): number {
  return Math.max(0, ...rows.map((row) => cellWidth(visibleLine(pairText(row)))))
}

/**
 * `● init→analyst             valid   ` in `width` cells (OPUI-720). A fifth of the width is the status word's, and what the
 * longest pair of the list (`pairCellsOf`) leaves over.
 */
export function arrowLine(row: ArrowRow, longestPair: number, width: number, glyphs: Glyphs): Line {
  const mark = arrowMark(row, glyphs)
  const cells = Math.max(0, width - 2 - 1)
  const leastStatus = Math.max(STATUS_MIN, Math.floor(width * STATUS_SHARE))
  const statusCells = Math.min(STATUS_MAX, Math.max(leastStatus, cells - longestPair))
  return line(
    span(`${mark.glyph} `, { tone: mark.tone }),
    span(padEnd(visibleLine(pairText(row)), Math.max(0, cells - statusCells))),
    span(` ${padEnd(arrowLabel(row), statusCells)}`, { tone: mark.tone })
  )
}
