import { type Instance, render } from 'ink'
import type { Wizard } from '../../src/protocol/wizard.ts'
import { nowMs } from '../clock.ts'
import type { TerminalInput } from '../keys/index.ts'
import { createInputReader, type TerminalSource } from '../terminal/input.ts'
import { createModes } from '../terminal/modes.ts'
import { createScreenOutput, type TerminalOutput } from '../terminal/output.ts'
import { createTheme, ThemeContext } from '../theme/index.ts'
import { pressWizard } from './press.ts'
import { isEnded, openedWizard, type WizardScreen } from './state.ts'
import { WizardView } from './wizard.tsx'

export type WizardOptions = {
  readonly stdin: TerminalSource
  readonly stdout: TerminalOutput
  readonly colour: boolean
  readonly ascii: boolean
  /** When keys come, in milliseconds; replaced in tests. */
  readonly now?: () => number
}

const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Leads a wizard to its end on the whole terminal. Resolves to its last value once the terminal has been given back as it was found
 * (TERM-5); a signal and the end of the input leave it as `quit` does, and nothing is written. Rejects on a bug of a component.
 */
export async function runWizardScreen(start: Wizard, options: WizardOptions): Promise<Wizard> {
  const { stdin, stdout, colour, ascii, now = nowMs } = options
  const theme = createTheme({ colour, ascii })
  const output = createScreenOutput(stdout, '')
  const modes = createModes(output.control, { hasMouse: false })
  const over = Promise.withResolvers<void>()
  let screen = openedWizard(start, { ...output.size(), isAscii: ascii })

  const tree = () => (
    <ThemeContext value={theme}>
      <WizardView screen={screen} />
    </ThemeContext>
  )
  const leave = () => {
    screen = { ...screen, wizard: isEnded(screen) ? screen.wizard : screen.wizard.answer('quit') }
    over.resolve()
  }
  const show = (next: WizardScreen) => {
    screen = next
    if (isEnded(screen)) over.resolve()
    else instance.rerender(tree())
  }
  const onInput = (inputs: readonly TerminalInput[], at: number) => {
    for (const input of inputs) if (!isEnded(screen)) show(pressWizard(screen, input, at))
  }
  const onResize = () => {
    show({ ...screen, ...output.size() })
    setImmediate(() => output.announceSize())
  }

  const reader = createInputReader(stdin, now, onInput, leave)
  const instance: Instance = render(tree(), {
    stdout: output.stream,
    stdin: stdin as NodeJS.ReadStream,
    interactive: true,
    alternateScreen: true,
    // Whole frames, as the screen's output wants them.
    incrementalRendering: false,
    maxFps: 60,
    exitOnCtrlC: false,
    patchConsole: false
  })
  const giveBack = () => {
    modes.leave()
    instance.unmount()
    output.close()
    reader.stop()
  }
  stdout.on('resize', onResize)
  process.on('exit', giveBack)
  for (const signal of endingSignals) process.on(signal, leave)
  modes.enter()
  reader.start()
  // A component that throws ends Ink by itself.
  const crashed = instance.waitUntilExit().then(() => undefined)
  try {
    await Promise.race([over.promise, crashed])
    return screen.wizard
  } finally {
    stdout.off('resize', onResize)
    process.off('exit', giveBack)
    for (const signal of endingSignals) process.off(signal, leave)
    giveBack()
    await instance.waitUntilExit().catch(() => undefined) // Its error, if any, has been told by the race.
  }
}
