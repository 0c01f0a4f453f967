import { type OfflineFlags, offlineCommand, offlineGroup, offlineOptions } from './offline.ts'
import type { Subcommand } from './subcommand.ts'

const verbose = 'also its status, its latest passes and what came of each clause'

/** `ghyll arrow show <arrow-id>` (CLI-020). Needs no configuration. */
export const arrowCommand: Subcommand = (program, context) => {
  const { act, io } = context
  const group = offlineGroup(program, 'arrow', 'look at one hand-off')
  const show = offlineCommand(group, 'show', 'its definition, findings and verdicts', verbose)
    .argument('<arrow-id>', '<source>→<target>/<context>; -> is taken for →')
    .option('--json', 'as JSON')
  show.action(
    act(async (arrow: string, flags: OfflineFlags) => {
      const { runArrowShow } = await import('../app/offline/arrow-show.ts')
      return runArrowShow({ ...offlineOptions(show, flags, context), arrow }, io)
    })
  )
}
