import { OfflineCommand, type OfflineFlags, offlineCommand, offlineOptions } from './offline.ts'
import type { Subcommand } from './subcommand.ts'

/** `ghyll attestations rebuild --force` (CLI-019a): the way back after the tree was lost. Needs no configuration. */
export const attestationsCommand: Subcommand = (program, context) => {
  const { act, io } = context
  const group = new OfflineCommand('attestations')
  group.copyInheritedSettings(program)
  group.description('mend the record of verdicts')
  const rebuild = offlineCommand(group, 'rebuild', 'write the tree of verdicts from the store').option(
    '--force',
    'really do it'
  )
  rebuild.action(
    act(async (flags: OfflineFlags) => {
      const { runRebuildAttestations } = await import('../app/offline/attestations.ts')
      return runRebuildAttestations({ ...offlineOptions(rebuild, flags, context), force: flags.force === true }, io)
    })
  )
  program.addCommand(group)
}
