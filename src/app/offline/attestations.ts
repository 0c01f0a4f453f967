import { realpathSync } from 'node:fs'
import type { CliIo } from '../../cli/io.ts'
import {
  AttestationFailure,
  attestInit,
  exportFlat,
  findStore,
  type InitAttested,
  loadTree,
  openEventLog,
  rebuildTree,
  treeExists,
  treeRoot
} from '../../gate/engine/index.ts'
import { createStamps } from '../../gate/runner/index.ts'
import { type Clock, systemClock } from '../../lib/clock.ts'
import type { Grid } from '../../protocol/grid.ts'
import { withLock } from './lock.ts'
import { answer, deadline, noStore, type OfflineOptions, placeOf, readStore, recordsOfTable } from './support.ts'

// What writes verdicts without a session: the ways back after a loss, and the attestations of a new grid. Each holds the session's lock.

/** `ghyll engine export-attestations` (OPUI-670, ATT-503) */
export async function runExportAttestations(
  options: OfflineOptions & { readonly force: boolean },
  io: CliIo
): Promise<number> {
  const { dir, path } = placeOf(options)
  const hasTree = treeExists(dir)
  if (!hasTree && findStore(dir) === 'missing')
    return answer(io, options, {}, [noStore(path, 'project has not initialized v2 yet')])
  const check = deadline(options)
  return withLock(dir, { command: 'engine export-attestations', opId: '' }, async () => {
    const records = hasTree ? loadTree(dir, false).records : readStore(dir, recordsOfTable)
    check()
    await exportFlat(dir, records, options.force)
    const source = hasTree ? 'tree' : 'table'
    logCommand(dir, 'engine export-attestations', { source, records: records.length, forced: options.force })
    io.out(`exported ${records.length} attestations to .ghyll/attestations.jsonl (source: ${source})\n`)
    return 0
  })
}

/** `ghyll attestations rebuild --force` (OPUI-671, ATT-503) */
export async function runRebuildAttestations(
  options: OfflineOptions & { readonly force: boolean },
  io: CliIo
): Promise<number> {
  const { dir, path } = placeOf(options)
  if (!options.force) {
    io.err(`ghyll attestations rebuild: replaces ${treeRoot}, the truth about verdicts, by what the table holds; `)
    io.err('it is done with --force only\n')
    return 2
  }
  if (findStore(dir) === 'missing')
    return answer(io, options, {}, [noStore(path, 'project has not initialized v2 yet')])
  const check = deadline(options)
  return withLock(dir, { command: 'attestations rebuild', opId: '' }, async () => {
    const records = readStore(dir, recordsOfTable)
    check()
    if (records.length === 0)
      throw new AttestationFailure('attestation-source-empty', 'the table holds no attestation to rebuild from')
    const { files, replaced } = rebuildTree(dir, records, createStamps(systemClock()).now())
    logCommand(dir, 'attestations rebuild', { records: records.length, files, replaced: replaced ?? '' })
    io.out(`rebuilt ${records.length} attestations in ${files} files under ${treeRoot}\n`)
    if (replaced !== null) io.err(`ℹ the tree that was there is kept as ${replaced}\n`)
    return 0
  })
}

/** What `ghyll init attest` writes (ATT-700…702); the grid and the op-id have been checked. */
export function recordInitAttestations(options: {
  readonly dir: string
  readonly grid: Grid
  readonly opId: string
  readonly clock: Clock
}): Promise<InitAttested> {
  const { dir, ...rest } = options
  const who = { command: 'init attest', opId: options.opId }
  return withLock(dir, who, async () => attestInit({ projectDir: realpathSync(dir), ...rest }))
}

/** What an offline writer did stands in the event log (PERS-701). */
function logCommand(dir: string, command: string, facts: Readonly<Record<string, unknown>>): void {
  const log = openEventLog({ projectDir: dir, session: 'offline' })
  try {
    log.record('command', { command, timestamp: createStamps(systemClock()).now(), ...facts })
  } finally {
    log.close()
  }
}
