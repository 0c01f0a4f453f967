import { version } from '../lib/version.ts'
import type { Subcommand } from './subcommand.ts'

/** `ghyll version` (CLI-021). */
export const versionCommand: Subcommand = (program, { act, io }) => {
  program
    .command('version')
    .description('print the version')
    .action(
      act(() => {
        io.out(`ghyll ${version}\n`)
        return 0
      })
    )
}
