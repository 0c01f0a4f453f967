import { Box, Text } from 'ink'
import type { ReactNode } from 'react'
import type { Style } from '../theme/style.ts'
import { useTheme } from '../theme/theme.ts'
import { borderLine } from './border.ts'
import { TextLine } from './text-line.tsx'

type Props = {
  readonly title?: string
  /** In the bottom border: a scroll position, a count. */
  readonly note?: string | undefined
  readonly isFocused?: boolean
  /** Outer size in cells. The content has two less each way. */
  readonly cols: number
  readonly rows: number
  readonly children?: ReactNode
}

/** One text node for the whole side: a node per cell would be laid out one by one. */
function Side({ rows, style }: { readonly rows: number; readonly style: Style }) {
  const { glyphs, paint } = useTheme()
  const cell = paint(glyphs.box.vertical, style)
  return (
    <Box width={1} height={rows} flexShrink={0}>
      <Text wrap="truncate">{Array.from({ length: rows }, () => cell).join('\n')}</Text>
    </Box>
  )
}

/** A bordered box of exactly `cols` × `rows` cells. Without room for its borders it is its content alone. */
export function Pane({ title, note, isFocused = false, cols, rows, children }: Props) {
  const { glyphs } = useTheme()
  const style: Style = isFocused ? { tone: 'accent', bold: true } : { tone: 'dim' }
  const titleStyle: Style = isFocused ? style : {}
  if (cols < 3 || rows < 3) {
    return (
      <Box width={Math.max(0, cols)} height={Math.max(0, rows)} overflow="hidden" flexShrink={0}>
        {children}
      </Box>
    )
  }
  return (
    <Box flexDirection="column" width={cols} height={rows} flexShrink={0} overflow="hidden">
      <TextLine line={borderLine(glyphs.box, cols, 'top', { title }, style, titleStyle)} />
      <Box height={rows - 2} width={cols} flexShrink={0}>
        <Side rows={rows - 2} style={style} />
        <Box width={cols - 2} height={rows - 2} flexShrink={0} overflow="hidden" flexDirection="column">
          {children}
        </Box>
        <Side rows={rows - 2} style={style} />
      </Box>
      <TextLine line={borderLine(glyphs.box, cols, 'bottom', { note }, style, titleStyle)} />
    </Box>
  )
}
