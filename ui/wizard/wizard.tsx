import { Box, Text, useCursor } from 'ink'
import { cutEnd } from '../../src/lib/width.ts'
import { isTiny } from '../layout.ts'
import { caretOfOverlay } from '../overlays/body.ts'
import { Overlay } from '../overlays/overlay.tsx'
import { layoutWizard } from './layout.ts'
import type { WizardScreen } from './state.ts'

/** The wizard over the whole window, with the terminal's cursor in its field (TERM-44). */
export function WizardView({ screen }: { readonly screen: WizardScreen }) {
  const { columns, rows } = screen
  const layout = layoutWizard(screen)
  const { setCursorPosition } = useCursor()
  setCursorPosition(isTiny(screen) ? undefined : (caretOfOverlay(layout, screen) ?? undefined))
  return (
    <Box width={columns} height={rows} overflow="hidden">
      {isTiny(screen) ? (
        <Text wrap="truncate">{cutEnd('window too small', columns)}</Text>
      ) : (
        <Overlay layout={layout} columns={columns} rows={rows} />
      )}
    </Box>
  )
}
