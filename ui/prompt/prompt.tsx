import { Box, Text, useCursor } from 'ink'
import { useTheme } from '../theme/index.ts'
import type { PromptLook } from './look.ts'

export type PromptProps = {
  readonly look: PromptLook
  /** Rows above the prompt, for the hardware cursor. */
  readonly top: number
  readonly width: number
  /** An overlay or panel has the keys; the caret is not shown then. */
  readonly isFocused: boolean
}

/** The input line, with the terminal's own cursor at the caret so that input methods compose in the right cell (TERM-44). */
export function Prompt({ look, top, width, isFocused }: PromptProps) {
  const theme = useTheme()
  const { setCursorPosition } = useCursor()
  setCursorPosition(isFocused ? { x: look.caret.column, y: top + look.caret.row } : undefined)
  const lines = look.rows.map((row, index) => {
    const isFirst = look.first === 0 && index === 0
    return (isFirst ? theme.paint(look.label, { tone: 'accent' }) : ' '.repeat(row.indent)) + row.shown
  })
  return (
    <Box width={width} height={lines.length} flexShrink={0} overflow="hidden">
      <Text wrap="truncate">{lines.join('\n')}</Text>
    </Box>
  )
}
