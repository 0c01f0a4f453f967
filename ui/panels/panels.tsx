import { Box } from 'ink'
import type { Bindings } from '../keys/index.ts'
import { type ColumnFacts, stackPanels } from '../layout.ts'
import { Pane } from '../parts/pane.tsx'
import { TextLine } from '../parts/text-line.tsx'
import { useTheme } from '../theme/index.ts'
import { lookOfPanel } from './look.ts'

export type PanelsProps = {
  readonly facts: ColumnFacts
  /** No overlay has the keys. */
  readonly isFront: boolean
  readonly bindings: Bindings
  readonly width: number
  readonly height: number
}

/** The panels that have room beside or over the transcript (OPUI-710, 712). */
export function Panels({ facts, isFront, bindings, width, height }: PanelsProps) {
  const { glyphs } = useTheme()
  const { gate, panels } = facts
  return (
    <Box flexDirection="column" width={width} height={height} flexShrink={0}>
      {stackPanels(facts, height).map(({ name, rows }) => {
        const hasBorder = width >= 3 && rows >= 3
        const isFocused = isFront && panels.focus === name
        const { title, lines, note } = lookOfPanel(
          name,
          { view: gate.view, events: gate.events, panels },
          {
            width: hasBorder ? width - 2 : width,
            height: hasBorder ? rows - 2 : rows,
            isFocused,
            glyphs,
            bindings,
            now: Date.now()
          }
        )
        return (
          <Pane key={name} title={title} note={note} isFocused={isFocused} cols={width} rows={rows}>
            {lines.map((line, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row of the panel is its place
              <TextLine key={index} line={line} />
            ))}
          </Pane>
        )
      })}
    </Box>
  )
}
