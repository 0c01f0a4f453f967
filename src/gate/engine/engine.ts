import type { Database } from 'better-sqlite3'
import type { Clock } from '../../lib/clock.ts'
import type { Grid } from '../../protocol/grid.ts'
import { type Attestation, createTracker, type GateEvent, type Gates, listText } from '../runner/index.ts'
import { type Answers, indexAnswers, inTimeOrder } from './answers.ts'
import { type Append, type DiskSteps, diskSteps } from './attestations/append.ts'
import { createFlatWriter, type FlatWriter } from './attestations/flat-writer.ts'
import { loadTree } from './attestations/load.ts'
import { cutTornTails } from './attestations/repair.ts'
import { openTreeWriter, type TreeWriter } from './attestations/tree-writer.ts'
import { type CaughtUp, catchUp } from './catch-up.ts'
import { openStore, storeFile, storePath } from './database.ts'
import { EngineFailure, guarded } from './errors.ts'
import { type EventLog, openEventLog } from './event-log.ts'
import { excludeEngineFiles } from './exclude.ts'
import { readHistories } from './history.ts'
import { createJournal, type GateJournal } from './journal.ts'
import { countOf } from './pages.ts'
import { createReads, type EngineReads } from './reads.ts'
import { type Reconciled, reconcileGrid } from './reconcile.ts'
import { type RecoveryReport, recover } from './recover.ts'
import { passNumberOf, type Replayed, replay } from './replay.ts'
import { watchStore } from './store-watch.ts'
import { stampsAfter } from './times.ts'

/** What the start of a session found and did, before anybody could be told (PERS-402). */
export type StartReport = {
  readonly recovery: RecoveryReport
  readonly caughtUp: CaughtUp
  /** Lines of the tree whose chain is broken (ATT-460). */
  readonly broken: readonly string[]
  readonly reconciled: Reconciled
  /** The events of all of it, in order, for the log. */
  readonly events: readonly GateEvent[]
}

/** The engine between its start and its end (PERS-400 steps 2 to 10). */
export interface Engine {
  readonly report: StartReport
  /** Definitions of earlier grid versions, for refs that name them. */
  readonly earlier: readonly { readonly id: string; readonly clauseIds: readonly string[] }[]
  /** Pending and drained ones, as the tables have them. */
  readonly amendments: Replayed['amendments']
  /** Verdicts by what they answer, as the tree had them at the start. */
  readonly answers: Answers
  /** What only the tables know. */
  readonly reads: EngineReads
  /** Fills the empty stores of the kernel. Throws `replay-targets-not-empty`. */
  load(gates: Gates): void
  /** Connects writers and observers; from here on every change is kept (PERS-305). */
  attach(gates: Gates): void
  /** null before `attach`. */
  journal(): GateJournal | null
  eventLog(): EventLog | null
  /** Why verdicts are refused in this session; null when they are not, and before `attach` (ATT-451). */
  treeProblem(): string | null
  /** Length in bytes of each tree file as the start left it, by paths relative to the project (RUN-214). */
  readonly treeLengths: ReadonlyMap<string, number>
  /** Hears of every attempt to append a verdict to a file, with the same paths (RUN-214). Called before `attach`. */
  onAppend(listener: (file: string, append: Append) => void): void
  /** What somebody else did to the store since the start, with the path relative to the project, or null (RUN-214). */
  storeChanged(): { readonly path: string; readonly reason: string } | null
  /** In the order of PERS-106; a second call does nothing. */
  close(): void
}

export type EngineOptions = {
  /** Absolute, without symbolic links. */
  readonly projectDir: string
  readonly grid: Grid
  readonly clock: Clock
  readonly session: string
  /** How the files of attestations reach the disk; a test ends the process at one of these steps. */
  readonly steps?: DiskSteps
}

/**
 * Opens everything the gate keeps and settles what a dead process left (PERS-400 steps 2 to 9). The caller holds the session lock.
 * Throws `EngineFailure` or `AttestationFailure`; the session then goes on without gates.
 */
export function openEngine(options: EngineOptions): Engine {
  const db = openStore(options.projectDir)
  try {
    return guarded(storePath(options.projectDir), () => {
      excludeEngineFiles(options.projectDir)
      return start(db, options)
    })
  } catch (error) {
    db.close()
    throw error
  }
}

function start(db: Database, { projectDir, grid, clock, session, steps = diskSteps }: EngineOptions): Engine {
  const tree = loadTree(projectDir, countOf(db, 'attestations') > 0)
  const caughtUp = catchUp(db, tree.records)
  const stamps = stampsAfter(db, tree.records, clock)
  const tracker = createTracker(() => grid.insufficientBasisRoundsMax)
  tracker.rebuild(inTimeOrder(tree.records))
  const replayed = replay(db)
  const reconciled = reconcileGrid({ db, grid, replayed, now: stamps.now })
  const recovered = recover({
    db,
    attestations: tree.records,
    isCrossed: tracker.isCrossed,
    now: stamps.now,
    replayErrors: replayed.errors
  })
  const jsonlTruncated = cutTornTails(projectDir, tree.torn)
  const recovery = { ...recovered, jsonlTruncated }
  const { broken } = tree
  const watch = watchStore(db)
  const report = {
    recovery,
    caughtUp,
    broken,
    reconciled,
    events: startEvents(recovery, caughtUp, reconciled, replayed)
  }

  let attached: { readonly journal: GateJournal; readonly log: EventLog; end(): void } | null = null
  let writer: TreeWriter | null = null
  let loaded: Gates | null = null
  let appendListener: (file: string, append: Append) => void = () => undefined
  const tell = (file: string, append: Append) => appendListener(file, append)
  let isClosed = false
  return {
    report,
    earlier: [...replayed.clauseIds].map(([id, clauseIds]) => ({ id, clauseIds: [...clauseIds] })),
    amendments: replayed.amendments,
    answers: indexAnswers(tree.records),
    reads: createReads(db, () => indexAnswers(loaded?.attestations.all() ?? tree.records)),
    load(gates) {
      refuseFilled(gates)
      loaded = gates
      gates.stamps.after(stamps.nowNs())
      gates.attestations.load(tree.records)
      gates.tracker.rebuild(inTimeOrder(tree.records))
      gates.invalidations.load([...replayed.invalidations, ...reconciled.invalidated])
      gates.depths.load(replayed.requirements, replayed.classifications)
      gates.findings.load(replayed.findings)
      gates.history.load(readHistories(db, indexAnswers(tree.records)))
      gates.passes.seed(Math.max(replayed.lastPassNumber, lastPassNumber(tree.records)))
    },
    attach(gates) {
      const log = openEventLog({ projectDir, session })
      const journal = createJournal({ db, publish: gates.bus.publish })
      writer = openTreeWriter({ projectDir, publish: gates.bus.publish, steps, tell })
      const flat = createFlatWriter({ projectDir, publish: gates.bus.publish, steps, tell })
      const end = connect(gates, { journal, writer, flat, log })
      attached = { journal, log, end }
      for (const event of report.events) log.event({ ...event, timestamp: gates.stamps.now() }, { phase: 'recovery' })
    },
    journal: () => attached?.journal ?? null,
    eventLog: () => attached?.log ?? null,
    treeProblem: () => writer?.problem() ?? null,
    treeLengths: tree.lengths,
    onAppend(listener) {
      appendListener = listener
    },
    storeChanged() {
      const changed = watch.changed()
      return changed === null ? null : { path: storeFile + changed.suffix, reason: changed.reason }
    },
    close() {
      if (isClosed) return
      isClosed = true
      try {
        attached?.end()
        db.pragma('wal_checkpoint(TRUNCATE)')
      } finally {
        db.close()
      }
    }
  }
}

type Outlets = {
  readonly journal: GateJournal
  readonly writer: TreeWriter
  readonly flat: FlatWriter
  readonly log: EventLog
}

/** Subscribes everything that keeps, the log before all others (EVT-113); answers how to end it in order (PERS-106). */
function connect(gates: Gates, { journal, writer, flat, log }: Outlets): () => void {
  gates.attach(journal, writer.append)
  const subscriptions = [
    gates.bus.subscribe((event) => log.event(event), 'audit'),
    gates.passes.observe(journal.passChanged),
    gates.findings.observe(journal.findingsChanged),
    gates.depths.watch(journal.depthChanged),
    gates.invalidations.observe(journal.arrowInvalidated),
    gates.attestations.observe(journal.attestationRecorded),
    gates.attestations.observe((record) => void flat.append(record))
  ]
  return () => {
    for (const end of subscriptions) end()
    journal.flush()
    writer.close()
    flat.close()
    log.close()
  }
}

function startEvents(
  recovery: RecoveryReport,
  caughtUp: CaughtUp,
  reconciled: Reconciled,
  replayed: Replayed
): readonly GateEvent[] {
  const overridden = caughtUp.overridden.map((id): GateEvent => {
    const reason = `${id} differs`
    const detail = `engine row overridden by JSONL: ${id}`
    return { kind: 'attestation-audit-durability-failed', detail, payload: { reason } }
  })
  const invalidated = reconciled.invalidated.map((invalidation): GateEvent => {
    const { arrowId: arrow_id, opId: op_id, reason, at: timestamp, gridVersion, source } = invalidation
    const payload = { arrow_id, op_id, reason, timestamp, grid_version: `${gridVersion}`, source }
    return { kind: 'arrow-invalidated', arrow_id, op_id, payload }
  })
  const cut = recovery.jsonlTruncated.map(
    ({ file, offset }): GateEvent => ({
      kind: 'recovery-jsonl-truncated',
      detail: `${file} truncated at ${offset}`,
      payload: { file, offset: `${offset}` }
    })
  )
  const pending = replayed.amendments.filter(({ drainedAt }) => drainedAt === null).map(({ id }) => id)
  const waiting: readonly GateEvent[] =
    pending.length === 0
      ? []
      : [
          {
            kind: 'recovery-amendments-pending',
            payload: { count: `${pending.length}`, amendment_ids: listText(pending) }
          }
        ]
  return [...overridden, ...invalidated, ...recovery.events, ...cut, ...waiting]
}

/** Verdicts outlive the store that knew their passes, and their ids are never given again (RUN-301). */
function lastPassNumber(records: readonly Attestation[]): number {
  return records.reduce((last, { passId }) => Math.max(last, passNumberOf(passId)), 0)
}

function refuseFilled(gates: Gates): void {
  const isEmpty = gates.attestations.size() === 0 && gates.passes.size() === 0 && gates.findings.all().length === 0
  if (!isEmpty) throw new EngineFailure('replay-targets-not-empty', 'replay: target caches not empty')
}
