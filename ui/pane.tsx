import { Box, Text } from 'ink'
import { useSyncExternalStore } from 'react'
import { cellWidth } from '../src/lib/width.ts'
import { line, span } from './parts/lines.ts'
import { useScreen } from './store/store.ts'
import { type Line, type Theme, useTheme } from './theme/index.ts'
import { Transcript } from './transcript/transcript.tsx'
import type { TranscriptView } from './transcript/view.ts'

export type TranscriptPaneProps = {
  readonly view: TranscriptView
  readonly width: number
  readonly height: number
  readonly isFramed: boolean
}

/** The transcript with its border, where there is room for one, and the reader's place in it (TERM-21). */
export function TranscriptPane({ view, width, height, isFramed }: TranscriptPaneProps) {
  const theme = useTheme()
  const state = useScreen((screen) => screen.transcript)
  useSyncExternalStore(view.subscribe, view.version)
  const cols = isFramed ? width - 4 : width
  // The reader's place is counted in the lines of now.
  view.show(state, cols, isFramed ? height - 2 : height)
  const place = view.isFollowing ? '' : placeText(view, theme)
  // Without a border the reader's place takes the last row.
  const rows = isFramed ? height - 2 : place === '' ? height : height - 1
  const transcript = <Transcript view={view} state={state} cols={cols} rows={rows} />
  if (!isFramed) {
    const mark = theme.paint(place.padStart(Math.max(0, width)), { tone: 'dim' })
    return (
      <Box flexDirection="column" width={width} height={height} flexShrink={0}>
        {transcript}
        {place === '' ? null : <Text wrap="truncate">{mark}</Text>}
      </Box>
    )
  }
  const { box } = theme.glyphs
  const side = Array.from({ length: rows }, () => theme.paint(box.vertical, { tone: 'dim' })).join('\n')
  return (
    <Box flexDirection="column" width={width} height={height} flexShrink={0}>
      <Text wrap="truncate">{theme.paintLine(edge([box.topLeft, box.topRight], 'transcript', '', width, theme))}</Text>
      <Box width={width} height={rows}>
        <Box width={2} flexShrink={0}>
          <Text>{side}</Text>
        </Box>
        {transcript}
        <Box width={2} flexShrink={0} paddingLeft={1}>
          <Text>{side}</Text>
        </Box>
      </Box>
      <Text wrap="truncate">{theme.paintLine(edge([box.bottomLeft, box.bottomRight], '', place, width, theme))}</Text>
    </Box>
  )
}

/** `↓ 3 new  92%` while the reader is away from the end; `↓ more` when what stood there goes on (TERM-21). */
function placeText(view: TranscriptView, { glyphs }: Theme): string {
  const added = view.newEntries
  const percent = view.percent
  const news = added > 0 ? `${glyphs.down} ${added} new` : view.hasGrown ? `${glyphs.down} more` : ''
  return [news, percent === null ? '' : `${percent}%`].filter((part) => part !== '').join('  ')
}

/** `╭ transcript ────╮`, `╰──── 92% ─╯` */
function edge(
  [first, last]: readonly [string, string],
  left: string,
  right: string,
  width: number,
  { glyphs }: Theme
): Line {
  const start = left === '' ? '' : ` ${left} `
  const end = right === '' ? '' : ` ${right} ${glyphs.box.horizontal}`
  const fill = Math.max(0, width - 2 - cellWidth(start) - cellWidth(end))
  return line(span(first + start + glyphs.box.horizontal.repeat(fill) + end + last, { tone: 'dim' }))
}
