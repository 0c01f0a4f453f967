import { type GhyllCommand, UsageError } from './command.ts'
import { folderOf } from './folder.ts'
import type { CliIo } from './io.ts'
import { wholeNumber } from './numbers.ts'
import type { Subcommand } from './subcommand.ts'

type Flags = { model?: string; resume?: true; json?: true; dir: string; maxTurns?: string }

/** `ghyll exec "<prompt>"` (CLI-034). */
export const execCommand: Subcommand = (program, { act, handlers, io }) => {
  const command = program
    .command('exec')
    .description('run one turn without a screen; the answer goes to standard output')
    .argument('[prompt]', 'what to do; read from standard input when left out')
    .option('--model <name>', 'use this model alone: no routing, no fallback')
    .option('--resume', 'go on from the last checkpoint')
    .option('--json', 'print one event per line as JSON instead of the answer')
    .option('--dir <path>', 'folder to work in', '.')
    .option('--max-turns <n>', 'stop after this many model calls')
  command.action(
    act(async (argument: string | undefined, flags: Flags) => {
      const maxTurns = flags.maxTurns === undefined ? null : wholeNumber(command, '--max-turns', flags.maxTurns, 1)
      const dir = folderOf(flags.dir, io)
      return handlers.exec({
        prompt: await promptOf(command as GhyllCommand, argument, io),
        dir,
        model: flags.model ?? null,
        resume: flags.resume === true,
        json: flags.json === true,
        maxTurns
      })
    })
  )
}

async function promptOf(command: GhyllCommand, argument: string | undefined, io: CliIo): Promise<string> {
  const prompt = argument ?? (io.stdinIsTty ? '' : (await io.readStdin()).replace(/[\r\n]+$/, ''))
  if (prompt.trim() === '') throw new UsageError('no prompt, neither as an argument nor on standard input', command)
  return prompt
}
