import { folderOf } from './folder.ts'
import type { Subcommand } from './subcommand.ts'

type Flags = { model?: string; resume?: true; tui: boolean; screenReader?: true }

/** `ghyll run [dir]` (CLI-010, CLI-030, CLI-031). */
export const runCommand: Subcommand = (program, { act, handlers, io }) => {
  program
    .command('run')
    .description('open a session in a folder')
    .argument('[dir]', 'folder to work in', '.')
    .option('--model <name>', 'use this model alone: no routing, no fallback')
    .option('--resume', 'go on from the last checkpoint')
    .option('--no-tui', 'line mode: each line of standard input is one input, output is plain text')
    .option('--screen-reader', 'plain lines without frames, as --no-tui')
    .action(
      act((dir: string, flags: Flags) =>
        handlers.run({
          dir: folderOf(dir, io),
          model: flags.model ?? null,
          resume: flags.resume === true,
          tui: flags.tui,
          screenReader: flags.screenReader === true
        })
      )
    )
}
