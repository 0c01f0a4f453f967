import { letBugsThrough } from '../../lib/assert.ts'
import { messageOf } from '../../lib/error.ts'
import type { CommandInfo } from '../../protocol/command.ts'
import { type Item, notice } from './facts.ts'
import type { WorkflowPort } from './ports.ts'
import type { SlashCommand } from './slash.ts'
import type { SessionState } from './state.ts'

/** The commands of one session by name: the built-in ones, those other wings add, and beside them the file commands they may hide. */
export type CommandTable = {
  get(name: string): SlashCommand | undefined
  /** Works for a while: shown as COMMAND, aborted by an interrupt (SESS-016). */
  isLong(name: string): boolean
  /** As completion and help list them: built-in ones, then the file commands that none of them hides (CTX-121, CTX-127). */
  infos(): readonly CommandInfo[]
  /** A line for each file command that is hidden (CTX-121). */
  shadowed(): readonly Item[]
  /** Runs one; trouble is a notice among the items. Rejects for bugs only. */
  run(command: SlashCommand, args: string, state: SessionState, signal: AbortSignal): Promise<readonly Item[]>
}

/** A table of `commands`, of which a later one replaces an earlier one of its name. */
export function createCommandTable(
  commands: readonly SlashCommand[],
  workflow: Pick<WorkflowPort, 'commands'>
): CommandTable {
  const table = new Map(commands.map((command) => [command.name, command]))
  const infos = (): readonly CommandInfo[] => {
    const builtIn = [...table.values()].map(
      ({ name, description }): CommandInfo => ({ name, description, source: 'built-in' })
    )
    return [...builtIn, ...workflow.commands().filter(({ name }) => !table.has(name))]
  }
  return {
    get: (name) => table.get(name),
    isLong: (name) => table.get(name)?.isLong === true,
    infos,
    shadowed() {
      const hidden = workflow.commands().filter(({ name }) => table.has(name))
      return hidden.map(({ name, from = '.ghyll/commands' }) =>
        notice('info', `command /${name} from ${from} is shadowed by a built-in`)
      )
    },
    async run(command, args, state, signal) {
      try {
        return await command.run(args, { state, signal, commands: infos })
      } catch (error) {
        letBugsThrough(error)
        return [notice('error', `/${command.name}: ${messageOf(error)}`)]
      }
    }
  }
}
