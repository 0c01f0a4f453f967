import { Box, Text } from 'ink'
import { cellWidth, cutEnd } from '../../src/lib/width.ts'
import { cutLine, emptyLine, line, span } from '../parts/lines.ts'
import { type Line, type Theme, useTheme } from '../theme/index.ts'
import { type OverlayLayout, placeOfOverlay } from './body.ts'

export type OverlayProps = { readonly layout: OverlayLayout; readonly columns: number; readonly rows: number }

/** The front overlay over whatever is behind it, every cell of its area painted (TERM-53, TERM-55). */
export function Overlay({ layout, columns, rows }: OverlayProps) {
  const theme = useTheme()
  const lines = layout.isFramed ? framed(layout, theme) : bare(layout, rows, theme)
  const { top, left } = placeOfOverlay(layout, { columns, rows })
  return (
    <Box position="absolute" top={top} left={left} width={layout.width} height={lines.length} flexDirection="column">
      <Text wrap="truncate">{lines.map((each) => theme.paintLine(filled(each, layout.width))).join('\n')}</Text>
    </Box>
  )
}

function framed(layout: OverlayLayout, { glyphs }: Theme): Line[] {
  const { width, title } = layout
  const { box } = glyphs
  const accent = { tone: 'accent' } as const
  const label = cutEnd(title, Math.max(0, width - 6))
  const rule = box.horizontal.repeat(Math.max(0, width - 5 - cellWidth(label)))
  const inside = (of: Line) => {
    const cut = filled(of, width - 4)
    return { spans: [span(`${box.vertical} `, accent), ...cut.spans, span(` ${box.vertical}`, accent)], width }
  }
  return [
    line(
      span(`${box.topLeft}${box.horizontal} `, accent),
      span(label, { bold: true }),
      span(` ${rule}${box.topRight}`, accent)
    ),
    ...shownBody(layout, glyphs.down).map(inside),
    line(span(box.teeLeft + box.horizontal.repeat(width - 2) + box.teeRight, accent)),
    ...layout.foot.map(inside),
    line(span(box.bottomLeft + box.horizontal.repeat(width - 2) + box.bottomRight, accent))
  ]
}

/** Without a frame every row counts: title, body, foot, and the rest of the window blank. */
function bare(layout: OverlayLayout, rows: number, { glyphs }: Theme): Line[] {
  const { width, title, foot } = layout
  const lines = [
    line(span(cutEnd(title, width), { bold: true, inverse: true })),
    ...shownBody(layout, glyphs.down),
    ...foot
  ]
  const blank = Math.max(0, rows - lines.length)
  return [...lines.slice(0, rows), ...Array.from({ length: blank }, () => emptyLine)]
}

/** The lines in sight; the last one tells how many are hidden (TERM-31). */
function shownBody({ body, scroll, height, width }: OverlayLayout, down: string): Line[] {
  const shown = body.slice(scroll, scroll + height)
  const hidden = body.length - scroll - height
  const last = shown.at(-1)
  if (hidden <= 0 || last === undefined) return shown
  const note = ` (${hidden} more lines, ${down})`
  const cut = cutLine(last, Math.max(0, width - 4 - cellWidth(note)))
  return [...shown.slice(0, -1), line(...cut.spans, span(note, { tone: 'dim' }))]
}

function filled(of: Line, width: number): Line {
  const cut = cutLine(of, width)
  return { spans: [...cut.spans, span(' '.repeat(Math.max(0, width - cut.width)))], width }
}
