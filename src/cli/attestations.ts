import { type OfflineFlags, offlineCommand, offlineGroup, offlineOptions } from './offline.ts'
import type { Subcommand } from './subcommand.ts'

/** `ghyll attestations rebuild --force` (CLI-019a): the way back after the tree was lost. Needs no configuration. */
export const attestationsCommand: Subcommand = (program, context) => {
  const { act, io } = context
  const group = offlineGroup(program, 'attestations', 'mend the record of verdicts')
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
}
