import { Box } from 'ink'
import type { Line } from '../theme/style.ts'
import { TextLine } from './text-line.tsx'

/** Lines in a box of exactly `cols` × `rows` cells; what does not fit is not drawn. */
export function LinesBox({
  lines,
  cols,
  rows
}: {
  readonly lines: readonly Line[]
  readonly cols: number
  readonly rows: number
}) {
  return (
    <Box flexDirection="column" width={cols} height={rows} overflow="hidden" flexShrink={0}>
      {lines.slice(0, Math.max(0, rows)).map((line, at) => (
        // A line has no identity but its place: the same text in the same place is the same line.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <TextLine key={at} line={line} />
      ))}
    </Box>
  )
}
