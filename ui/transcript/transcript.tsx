import { Box } from 'ink'
import { memo, useEffect, useSyncExternalStore } from 'react'
import { PaintedLine } from '../parts/text-line.tsx'
import { useTheme } from '../theme/theme.ts'
import { loadHighlighter } from './highlight.ts'
import type { TranscriptState } from './model.ts'
import type { TranscriptView } from './view.ts'

type Props = {
  readonly view: TranscriptView
  readonly state: TranscriptState
  /** Size in cells. */
  readonly cols: number
  readonly rows: number
}

/** The visible lines of the transcript, exactly `rows` high. What is typed elsewhere draws none of it (TERM-12). */
export const Transcript = memo(function Transcript({ view, state, cols, rows }: Props) {
  const theme = useTheme()
  useSyncExternalStore(view.subscribe, view.version)
  view.show(state, cols, rows)
  return (
    <Box flexDirection="column" width={cols} height={rows} flexShrink={0}>
      {view.lines().map(({ line }, at) => (
        // Lines have no identity but their place: the same text in the same place is the same line.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <PaintedLine key={at} text={theme.paintLine(line)} />
      ))}
    </Box>
  )
})

/** Loads the code highlighter once the first frame is out, and colours what is there already (TERM-70). */
export function useHighlighter(view: TranscriptView, isWanted: boolean): void {
  const { glyphs } = useTheme()
  useEffect(() => {
    if (!isWanted) return
    let isGone = false
    loadHighlighter().then(
      (highlight) => {
        if (!isGone) view.repaint({ glyphs, highlight })
      },
      () => undefined // Without it code stays plain, which is all that is lost.
    )
    return () => {
      isGone = true
    }
  }, [view, glyphs, isWanted])
}
