import { realpathSync } from 'node:fs'
import type { Database } from 'better-sqlite3'
import type { CliIo } from '../cli/io.ts'
import { type ActiveGrid, GridFailure, readActiveGrid } from '../gate/bootstrap/index.ts'
import { loadCatalogue } from '../gate/catalogue/index.ts'
import {
  type ArrowView,
  AttestationFailure,
  arrowJson,
  arrowLines,
  attestInit,
  dryRunLines,
  EngineFailure,
  engineStatus,
  exportFlat,
  findStore,
  type InitAttested,
  isVerified,
  loadTree,
  openEventLog,
  openReadOnly,
  previewRecovery,
  previewReplay,
  rebuildTree,
  recoverJson,
  replayJson,
  replayLines,
  showArrow,
  statusJson,
  statusLines,
  storePath,
  tableAttestations,
  treeExists,
  treeRoot,
  verifyAttestations,
  verifyJson,
  verifyLines
} from '../gate/engine/index.ts'
import {
  type Attestation,
  createStamps,
  defaultResidueMaxBytes,
  normaliseArrowId,
  type Outdated
} from '../gate/runner/index.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import { Failure, messageOf } from '../lib/error.ts'
import { safeJson, visibleLine } from '../lib/safe-text.ts'
import { acquireLock, lockHolder } from '../platform/lockfile.ts'
import { lockPathOf } from '../platform/repository.ts'
import type { Grid } from '../protocol/grid.ts'
import { outdatedOnDisk } from './gate/outdated.ts'
import { type KeptOut, onRecord } from './kept-out.ts'

// The gate without a session: looks at what is kept, previews, mends on demand. Each resolves to the exit code.

export type OfflineOptions = {
  /** Absolute path of an existing folder. */
  readonly dir: string
  readonly json: boolean
  readonly verbose: boolean
  /** Bound of the whole command (PERS-605). */
  readonly timeoutMs: number
}

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

/** `ghyll arrow show` (OPUI-650) */
export async function runArrowShow(options: OfflineOptions & { readonly arrow: string }, io: CliIo): Promise<number> {
  const { dir } = placeOf(options)
  const arrowId = normaliseArrowId(options.arrow)
  const { grid, found } = readStore(dir, (db) => {
    const grid = db === null ? readGrid(dir) : gridOrNull(dir)
    return { grid, found: showArrow({ db, grid, attestations: verdictsOf(dir, db, io), arrowId }) }
  })
  if (found.kind === 'unknown') {
    // Nothing in the table and no grid either: what is wrong with the grid is what the operator has to know.
    if (found.arrows === 0 && grid === null) readGrid(dir)
    const place = `grid version=${found.gridVersion}, ${found.arrows} total arrows`
    io.err(`ghyll: ${visibleLine(`arrow "${arrowId}" not in grid (${place})`)}\n`)
    return 1
  }
  const { view } = found
  const isAsked = options.verbose || options.json
  const outdated = isAsked ? await outdatedHere(dir, grid, view, options.timeoutMs, io) : null
  return answer(io, options, arrowJson(view, outdated), arrowLines(view, { isVerbose: options.verbose, outdated }))
}

/** Whether what a valid arrow was verified on has moved since (RUN-252). */
async function outdatedHere(
  dir: string,
  grid: Grid | null,
  { definition, isValid, effective }: ArrowView,
  timeoutMs: number,
  io: CliIo
): Promise<Outdated | null> {
  const arrow = grid?.arrows.find(({ id }) => id === definition.id)
  if (!isValid || arrow === undefined) return null
  try {
    return await outdatedOnDisk(dir, arrow, effective, { env: io.env, timeoutMs })
  } catch (error) {
    io.err(`⚠ ${visibleLine(`its artifact could not be looked at: ${messageOf(error)}`)}\n`)
    return null
  }
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

/** Prints the answer in the form that was asked for. */
function answer(io: CliIo, { json }: OfflineOptions, data: object, lines: readonly string[]): number {
  io.out(json ? `${safeJson(data, { indent: 2 })}\n` : lines.map((line) => `${line}\n`).join(''))
  return 0
}

function placeOf({ dir }: OfflineOptions): { readonly dir: string; readonly path: string } {
  const real = realpathSync(dir)
  return { dir: real, path: storePath(real) }
}

function noStore(path: string, why: string): string {
  return `ghyll engine: no store at ${path} (${why})`
}

/** Runs `work` on the store without a right to change it, null when there is none, and closes it again. */
function readStore<T>(dir: string, work: (db: Database | null) => T): T {
  const db = openReadOnly(dir)
  try {
    return work(db)
  } finally {
    db?.close()
  }
}

function recordsOfTable(db: Database | null): readonly Attestation[] {
  return db === null ? [] : tableAttestations(db)
}

/** Verdicts from the tree, which is the truth; from the table, with a warning, when the tree cannot be read. */
function verdictsOf(dir: string, db: Database | null, io: CliIo): readonly Attestation[] {
  const table = recordsOfTable(db)
  try {
    return loadTree(dir, table.length > 0).records
  } catch (error) {
    if (!(error instanceof AttestationFailure)) throw error
    io.err(`⚠ ${visibleLine(error.message)}; attestations are shown from the table\n`)
    return table
  }
}

function readGrid(dir: string): Grid {
  const { grid }: ActiveGrid = readActiveGrid(dir, loadCatalogue())
  return grid
}

function gridOrNull(dir: string): Grid | null {
  try {
    return readGrid(dir)
  } catch (error) {
    if (error instanceof GridFailure) return null // the command does without; a session would say what is wrong
    throw error
  }
}

function deadline({ timeoutMs }: OfflineOptions): () => void {
  const end = performance.now() + timeoutMs
  return () => {
    if (performance.now() > end) throw new EngineFailure('timed-out', `timed out after ${timeoutMs / 1000} s`)
  }
}

/** Holds the session lock meanwhile, or refuses with its owner (PERS-604), and has on record who was refused. */
async function withLock<T>(dir: string, who: KeptOut, work: () => Promise<T>): Promise<T> {
  const outcome = await onRecord(dir, who, () => lockOf(dir))
  try {
    return await work()
  } finally {
    outcome.lock.release()
  }
}

function lockOf(dir: string) {
  const outcome = acquireLock(lockPathOf(dir))
  if (outcome.kind === 'active') throw new SessionActive(outcome.text, outcome.pid)
  return outcome
}

/** A session of this project is running. */
class SessionActive extends Failure {
  readonly code = 'session-active'
  readonly pid: number | null
  constructor(text: string, pid: number | null) {
    super(text)
    this.pid = pid
  }
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
