import { type OfflineFlags, offlineCommand, offlineGroup, offlineOptions } from './offline.ts'
import type { Subcommand } from './subcommand.ts'

type RecoverFlags = OfflineFlags & { dryRun?: true; commit?: true }

const inGroups = 'also passes by state, the open ones by name, findings by status, verdicts by kind'

/** `ghyll engine …` (CLI-016…019a): what the gates keep, looked at and mended without a session. Needs no configuration. */
export const engineCommand: Subcommand = (program, context) => {
  const { act, io } = context
  const engine = offlineGroup(program, 'engine', 'look at what the gates keep')

  const status = offlineCommand(engine, 'status', 'count what the store holds', inGroups).option('--json', 'as JSON')
  status.action(
    act(async (flags: OfflineFlags) => {
      const { runEngineStatus } = await import('../app/offline/engine.ts')
      return runEngineStatus(offlineOptions(status, flags, context), io)
    })
  )

  const replay = offlineCommand(engine, 'replay', 'read the store as a session would').option('--json', 'as JSON')
  replay.action(
    act(async (flags: OfflineFlags) => {
      const { runEngineReplay } = await import('../app/offline/engine.ts')
      return runEngineReplay(offlineOptions(replay, flags, context), io)
    })
  )

  const recover = offlineCommand(engine, 'recover', 'preview what the next session would settle')
    .option('--dry-run', 'change nothing (always so)')
    .option('--commit', 'refused: only a session recovers')
    .option('--json', 'as JSON')
  recover.action(
    act(async (flags: RecoverFlags) => {
      if (flags.commit === true) {
        io.err('ghyll engine recover: --commit is not supported; start a session with `ghyll run` to apply recovery\n')
        return 2
      }
      const { runEngineRecover } = await import('../app/offline/engine.ts')
      return runEngineRecover(offlineOptions(recover, flags, context), io)
    })
  )

  const verify = offlineCommand(engine, 'verify-attestations', 'audit every recorded verdict').option(
    '--json',
    'as JSON'
  )
  verify.action(
    act(async (flags: OfflineFlags) => {
      const { runVerifyAttestations } = await import('../app/offline/engine.ts')
      return runVerifyAttestations(offlineOptions(verify, flags, context), io)
    })
  )

  const write = offlineCommand(engine, 'export-attestations', 'write the flat file from the tree').option(
    '--force',
    'replace a file that is there'
  )
  write.action(
    act(async (flags: OfflineFlags) => {
      const { runExportAttestations } = await import('../app/offline/attestations.ts')
      return runExportAttestations({ ...offlineOptions(write, flags, context), force: flags.force === true }, io)
    })
  )
}
