import { Text } from 'ink'
import { memo } from 'react'
import type { Line } from '../theme/style.ts'
import { useTheme } from '../theme/theme.ts'

/** One painted line. It takes exactly one row, even when empty, and is drawn anew only when its text changes. */
export const PaintedLine = memo(function PaintedLine({ text }: { readonly text: string }) {
  return <Text wrap="truncate">{text === '' ? ' ' : text}</Text>
})

/** One line of spans in the colours of the theme. */
export function TextLine({ line }: { readonly line: Line }) {
  return <PaintedLine text={useTheme().paintLine(line)} />
}
