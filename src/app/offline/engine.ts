import type { CliIo } from '../../cli/io.ts'
import {
  dryRunLines,
  engineStatus,
  findStore,
  isVerified,
  previewRecovery,
  previewReplay,
  recoverJson,
  replayJson,
  replayLines,
  statusJson,
  statusLines,
  tableAttestations,
  verifyAttestations,
  verifyJson,
  verifyLines
} from '../../gate/engine/index.ts'
import { defaultResidueMaxBytes } from '../../gate/runner/index.ts'
import { systemClock } from '../../lib/clock.ts'
import { lockHolder } from '../../platform/lockfile.ts'
import { lockPathOf } from '../../platform/repository.ts'
import { answer, deadline, gridOrNull, noStore, type OfflineOptions, placeOf, readStore } from './support.ts'

// `ghyll engine …` that only looks: what is kept, what a start would make of it, whether the verdicts are whole. Each answers the exit code.

/** `ghyll engine status` (OPUI-610) */
export function runEngineStatus(options: OfflineOptions, io: CliIo): number {
  const { dir, path } = placeOf(options)
  return readStore(dir, (db) => {
    if (db === null) {
      const lines = ['ghyll-engine-status: missing', noStore(path, 'project has not initialized v2 yet')]
      return answer(io, options, statusJson(null, path), lines)
    }
    const status = engineStatus(db)
    return answer(io, options, statusJson(status, path), statusLines(status, path, options.verbose))
  })
}

/** `ghyll engine replay` (OPUI-620) */
export function runEngineReplay(options: OfflineOptions, io: CliIo): number {
  const { dir, path } = placeOf(options)
  return readStore(dir, (db) => {
    if (db === null) return answer(io, options, replayJson(null, path), [noStore(path, 'nothing to replay')])
    const preview = previewReplay(db, dir, deadline(options))
    answer(io, options, replayJson(preview, path), replayLines(preview, path))
    return preview.errors.length === 0 ? 0 : 1
  })
}

/** `ghyll engine recover --dry-run` (OPUI-630, PERS-603) */
export function runEngineRecover(options: OfflineOptions, io: CliIo): number {
  const { dir, path } = placeOf(options)
  if (findStore(dir) === 'missing')
    return answer(io, options, recoverJson(null, path), [noStore(path, 'nothing to recover')])
  const holder = lockHolder(lockPathOf(dir))
  if (holder !== null) {
    io.err(
      `ghyll engine recover: a session is active (pid ${holder.pid ?? 'unknown'}); its open passes are not orphans\n`
    )
    return 1
  }
  const grid = gridOrNull(dir)
  const report = previewRecovery({ projectDir: dir, grid, clock: systemClock(), check: deadline(options) })
  return answer(io, options, recoverJson(report, path), dryRunLines(report, path))
}

/** `ghyll engine verify-attestations` (OPUI-640, ATT-600…605) */
export function runVerifyAttestations(options: OfflineOptions, io: CliIo): number {
  const { dir } = placeOf(options)
  const residueMaxBytes = gridOrNull(dir)?.residueNoteMaxBytes ?? defaultResidueMaxBytes
  const table = readStore(dir, (db) => (db === null ? null : tableAttestations(db)))
  const report = verifyAttestations(dir, { table, residueMaxBytes, check: deadline(options) })
  answer(io, options, verifyJson(report), verifyLines(report))
  if (isVerified(report)) return 0
  io.err(`attestation-verify: ${report.failed} failed record(s)\n`)
  return 1
}
