import { cellWidth } from '../../src/lib/width.ts'
import type { Glyphs } from '../theme/glyphs.ts'
import type { Line, Style } from '../theme/style.ts'
import { cutLine, span } from './lines.ts'

/** The first shown row of a list of `count` rows in `height`, so that `selected` is in view and the list fills its room. */
export function listOffset(count: number, selected: number, height: number, before = 0): number {
  const most = Math.max(0, count - height)
  const low = Math.min(selected, most)
  const high = Math.max(0, selected - height + 1)
  return Math.max(Math.min(before, low, most), Math.min(high, most))
}

/** A row with the cursor's column before it, exactly `width` cells; the selected one is told apart without colour too (TERM-16). */
export function listRow(row: Line, isSelected: boolean, isFocused: boolean, width: number, glyphs: Glyphs): Line {
  const mark = isSelected ? glyphs.cursor : ' '
  const style: Style = isSelected && isFocused ? { tone: 'accent', bold: true } : {}
  const content = cutLine(row, Math.max(0, width - 2))
  const spans =
    isSelected && isFocused
      ? content.spans.map((each) => ({ ...each, style: { ...each.style, bold: true } }))
      : content.spans
  const lead = cutLine({ spans: [span(`${mark} `, style)], width: 2 }, Math.max(0, width))
  const fill = ' '.repeat(Math.max(0, width - cellWidth(`${mark} `) - content.width))
  return { spans: [...lead.spans, ...spans, span(fill)].filter((each) => each.text !== ''), width: Math.max(0, width) }
}
