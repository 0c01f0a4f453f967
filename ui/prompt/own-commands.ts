import type { CommandInfo } from '../../src/protocol/command.ts'

/** Commands the screen carries out by itself; the session does not know them. */
const own: readonly CommandInfo[] = [
  {
    name: 'copy',
    description: 'copy the last answer; /copy 2 the one before, /copy code its code',
    source: 'built-in'
  },
  { name: 'mouse', description: 'mouse reporting on or off; off lets the terminal select', source: 'built-in' }
]

/** What can be typed on this screen (TERM-42): the session's built-ins, the screen's, then command files neither of them shadows. */
export function withOwnCommands(commands: readonly CommandInfo[]): readonly CommandInfo[] {
  const builtIn = commands.filter(({ source }) => source === 'built-in')
  const ownHere = own.filter(({ name }) => !builtIn.some((one) => one.name === name))
  const files = commands.filter(({ name, source }) => source !== 'built-in' && !own.some((one) => one.name === name))
  return [...builtIn, ...ownHere, ...files]
}
