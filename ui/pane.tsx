import { Box, Text } from 'ink'
import { useSyncExternalStore } from 'react'
import { borderLine } from './parts/border.ts'
import { useScreen } from './store/store.ts'
import { type Style, type Theme, useTheme } from './theme/index.ts'
import { Transcript } from './transcript/transcript.tsx'
import type { TranscriptView } from './transcript/view.ts'

export type TranscriptPaneProps = {
  readonly view: TranscriptView
  readonly width: number
  readonly height: number
  readonly isFramed: boolean
}

const dim: Style = { tone: 'dim' }

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
    const mark = theme.paint(place.padStart(Math.max(0, width)), dim)
    return (
      <Box flexDirection="column" width={width} height={height} flexShrink={0}>
        {transcript}
        {place === '' ? null : <Text wrap="truncate">{mark}</Text>}
      </Box>
    )
  }
  const { box } = theme.glyphs
  const side = Array.from({ length: rows }, () => theme.paint(box.vertical, dim)).join('\n')
  return (
    <Box flexDirection="column" width={width} height={height} flexShrink={0}>
      <Text wrap="truncate">{theme.paintLine(borderLine(box, width, 'top', { title: 'transcript' }, dim))}</Text>
      <Box width={width} height={rows}>
        <Box width={2} flexShrink={0}>
          <Text>{side}</Text>
        </Box>
        {transcript}
        <Box width={2} flexShrink={0} paddingLeft={1}>
          <Text>{side}</Text>
        </Box>
      </Box>
      <Text wrap="truncate">{theme.paintLine(borderLine(box, width, 'bottom', { note: place }, dim))}</Text>
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
