import type { CliIo } from '../cli/io.ts'
import { asWizard, type WizardState } from '../gate/bootstrap/index.ts'
import { assert } from '../lib/assert.ts'
import { isAsciiTerminal } from './terminal-facts.ts'

/** Whether the wizard can have the whole screen: a terminal on both sides, and one that is looked at. */
export function hasWizardScreen({ env, stdinIsTty }: CliIo): boolean {
  return stdinIsTty && process.stdout.isTTY === true && env.TERM !== 'dumb' && env.INK_SCREEN_READER !== 'true'
}

/** The dialogue of `ghyll init --interactive` over the whole terminal, one clause at a time; resolves to its last state. */
export async function driveOnScreen(start: WizardState, { env }: CliIo): Promise<WizardState> {
  const { runWizardScreen } = await import('../../ui/wizard/mount.tsx')
  let last: WizardState | null = null
  const wizard = asWizard(start, (state) => {
    last = state
  })
  await runWizardScreen(wizard, {
    stdin: process.stdin,
    stdout: process.stdout,
    colour: !env.NO_COLOR,
    ascii: isAsciiTerminal(env)
  })
  assert(last !== null, 'a wizard that ends says with what')
  return last
}
