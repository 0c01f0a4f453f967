import { UsageError } from './command.ts'
import { wholeNumber } from './numbers.ts'
import type { Subcommand } from './subcommand.ts'

type Flags = { auto?: true; serve?: true; port?: string }

/** `ghyll demo` (CLI-035). */
export const demoCommand: Subcommand = (program, { act, handlers }) => {
  const command = program
    .command('demo')
    .description('the guided tour, on a scripted endpoint and a throw-away project')
    .option('--auto', 'play the tour by itself, without a terminal')
    .option('--serve', 'run the scripted endpoint alone')
    .option('--port <n>', 'port for --serve (default: any free one)')
  command.action(
    act((flags: Flags) => {
      if (flags.serve !== true) {
        if (flags.port !== undefined) throw new UsageError('option "--port" goes with "--serve"', command)
        return handlers.demo({ kind: 'tour', auto: flags.auto === true })
      }
      if (flags.auto === true) throw new UsageError('options "--auto" and "--serve" exclude each other', command)
      const port = flags.port === undefined ? null : wholeNumber(command, '--port', flags.port, 0, 65_535)
      return handlers.demo({ kind: 'serve', port })
    })
  )
}
