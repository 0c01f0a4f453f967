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
  /** Where text is typed instead, such as a field of an overlay: the terminal has one cursor, and this component owns it. */
  readonly elsewhere: { readonly x: number; readonly y: number } | null
}

/** The input line, with the terminal's own cursor at the caret so that input methods compose in the right cell (TERM-44). */
export function Prompt({ look, top, width, isFocused, elsewhere }: PromptProps) {
  const theme = useTheme()
  const { setCursorPosition } = useCursor()
  setCursorPosition(isFocused ? { x: look.caret.column, y: top + look.caret.row } : (elsewhere ?? undefined))
  const lines = look.rows.map((row, index) => {
    const isFirst = look.first === 0 && index === 0
    return (isFirst ? theme.paint(look.label, { tone: 'accent' }) : ' '.repeat(row.indent)) + row.shown
  })
  return (
    <Box width={width} height={lines.length} flexShrink={0}>
      <Text wrap="truncate">{lines.join('\n')}</Text>
    </Box>
  )
}
