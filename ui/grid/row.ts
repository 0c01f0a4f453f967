import { visibleLine } from '../../src/lib/safe-text.ts'
import { padEnd } from '../../src/lib/width.ts'
import type { ArrowRow } from '../../src/protocol/gate-view.ts'
import { line, span } from '../parts/lines.ts'
import type { Glyphs, Line } from '../theme/index.ts'
import { arrowLabel, arrowMark } from './status.ts'

const STATUS_MIN = 7
const STATUS_MAX = 19
const STATUS_SHARE = 0.2

/** `● init→analyst             valid   ` in `width` cells (OPUI-720). */
export function arrowLine(row: ArrowRow, width: number, glyphs: Glyphs): Line {
  const mark = arrowMark(row, glyphs)
  const statusCells = Math.min(STATUS_MAX, Math.max(STATUS_MIN, Math.floor(width * STATUS_SHARE)))
  const pairCells = Math.max(0, width - 2 - 1 - statusCells - 1)
  return line(
    span(`${mark.glyph} `, { tone: mark.tone }),
    span(padEnd(visibleLine(`${row.source}→${row.target}`), pairCells)),
    span(` ${padEnd(arrowLabel(row), statusCells)}`, { tone: mark.tone })
  )
}
