import { visibleLine } from '../../src/lib/safe-text.ts'
import { cellWidth, padEnd } from '../../src/lib/width.ts'
import type { ArrowRow } from '../../src/protocol/gate-view.ts'
import { line, span } from '../parts/lines.ts'
import type { Glyphs, Line, Span, Style } from '../theme/index.ts'
import { arrowLabel, arrowMark, pairText } from './status.ts'

/** The grid as a table: contexts as rows, role pairs as columns (OPUI-720). */
export type Matrix = {
  readonly contexts: readonly string[]
  readonly pairs: readonly string[]
  /** By context, then by pair; undefined where no arrow is declared. */
  readonly cells: readonly (readonly (ArrowRow | undefined)[])[]
}

/** Contexts and pairs in the order the grid names them first (OPUI-720). */
export function matrixOf(arrows: readonly ArrowRow[]): Matrix {
  const contexts = [...new Set(arrows.map(({ context }) => context))]
  const pairs = [...new Set(arrows.map(pairText))]
  const known = new Map(arrows.map((row) => [`${row.context} ${pairText(row)}`, row]))
  const cells = contexts.map((context) => pairs.map((pair) => known.get(`${context} ${pair}`)))
  return { contexts, pairs, cells }
}

/** The next declared cell from `id` in a direction (OPUI-720); the id itself where there is none. */
export function neighbour(matrix: Matrix, id: string, by: 'left' | 'right' | 'up' | 'down'): string {
  const row = matrix.cells.findIndex((cells) => cells.some((cell) => cell?.id === id))
  const column = matrix.cells[row]?.findIndex((cell) => cell?.id === id) ?? -1
  const [rows, columns] = { left: [0, -1], right: [0, 1], up: [-1, 0], down: [1, 0] }[by] as [number, number]
  for (let step = 1; row !== -1; step += 1) {
    const cells = matrix.cells[row + rows * step]
    const at = column + columns * step
    if (cells === undefined || at < 0 || at >= cells.length) return id
    const found = cells[at]
    if (found !== undefined) return found.id
  }
  return id
}

const CONTEXT_MAX = 20
const CELL_MIN = 3

/** The table in lines of at most `width` cells: a heading with the pairs, then a line per context (OPUI-720). */
export function matrixLines(matrix: Matrix, marked: string | null, width: number, glyphs: Glyphs): Line[] {
  const contextCells = Math.min(
    CONTEXT_MAX,
    Math.max(0, ...matrix.contexts.map((context) => cellWidth(visibleLine(context))))
  )
  const columnCells = Math.max(CELL_MIN, Math.floor((width - contextCells - 1) / Math.max(1, matrix.pairs.length)) - 1)
  const heading = matrix.pairs.map((pair) => span(` ${padEnd(visibleLine(pair), columnCells)}`, { tone: 'dim' }))
  const rows = matrix.contexts.map((context, index) => {
    const cells = (matrix.cells[index] ?? []).map((cell) => cellSpan(cell, marked, columnCells, glyphs))
    return line(span(padEnd(visibleLine(context), contextCells)), ...cells)
  })
  return [line(span(' '.repeat(contextCells)), ...heading), ...rows]
}

function cellSpan(cell: ArrowRow | undefined, marked: string | null, width: number, glyphs: Glyphs): Span {
  if (cell === undefined) return span(` ${padEnd('', width)}`)
  const mark = arrowMark(cell, glyphs)
  const isMarked = cell.id === marked
  const style: Style = isMarked ? { tone: mark.tone, inverse: true } : { tone: mark.tone }
  return span((isMarked ? glyphs.cursor : ' ') + padEnd(`${mark.glyph} ${arrowLabel(cell)}`, width), style)
}
