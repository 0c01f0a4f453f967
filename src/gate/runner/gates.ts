import { assert } from '../../lib/assert.ts'
import type { EvaluatorRegistry } from '../../protocol/evaluation.ts'
import type { Grid } from '../../protocol/grid.ts'
import { type Attestations, createAttestations } from './attestation/store.ts'
import { defaultResidueMaxBytes } from './attestation/unit.ts'
import { type Bus, createBus } from './bus.ts'
import { createDepths, type Depths } from './depths.ts'
import { currentStatus, type Derivation, deriveStatus } from './derive.ts'
import type { DispatchResult } from './dispatch/types.ts'
import { createFindings, type Findings } from './findings.ts'
import { createGridHolder, type GridHolder } from './grid-holder.ts'
import { createHistory, type History } from './history.ts'
import { createInvalidations, type Invalidations } from './invalidations.ts'
import { type LivePass, openRequests, type PassRequest } from './live-pass.ts'
import { createLocks, type Locks } from './locks.ts'
import { createObservers, type Observers } from './observers.ts'
import { createPasses, type Passes } from './passes.ts'
import { createPhase, type Phase } from './phase.ts'
import type { AttestationWriter, Journal, KernelPorts } from './ports.ts'
import type { Attestation } from './records.ts'
import { thresholdOf } from './severity.ts'
import { createStamps, type Stamps } from './stamp.ts'
import { createTracker, type Tracker } from './tracker.ts'

/** All the state of one project's gates. The functions of this folder decide on it; nothing about a project lives anywhere else. */
export interface Gates {
  readonly ports: KernelPorts
  readonly stamps: Stamps
  readonly phase: Phase
  readonly bus: Bus
  readonly grid: GridHolder
  readonly locks: Locks
  readonly invalidations: Invalidations
  readonly history: History
  readonly findings: Findings
  readonly depths: Depths
  readonly passes: Passes
  readonly attestations: Attestations
  readonly tracker: Tracker
  /** From here on writes go through; loading is over (PERS-305). */
  attach(journal: Journal, writer: AttestationWriter): void
  journal(): Journal
  /**
   * A gate file that changed under us; nothing opens, closes or takes a verdict until the next start (RUN-214). `work`: the pass in which
   * that is asked, and who was at work in it, for the record.
   */
  tampered(work?: {
    readonly pass: LivePass
    readonly by?: string
  }): { readonly path: string; readonly reason: string } | null
  /** Current status of a declared arrow (GATE-52, GATE-53). */
  current(arrowId: string): (Derivation & { readonly isStarted: boolean }) | null
  /** Live derivation of an open pass, shown beside the current status and never in its place. */
  live(pass: LivePass): Derivation
  /** Requests of this pass that still need the operator. */
  openRequests(pass: LivePass): readonly PassRequest[]
  /** Told of every pass that ended after it was parked (OPUI-324). */
  readonly settled: Observers<DispatchResult>
}

export type GatesOptions = {
  readonly ports: KernelPorts
  readonly grid: Grid | null
  readonly registry: EvaluatorRegistry
  /** Definitions of earlier grid versions, for refs that name them. */
  readonly earlier?: Iterable<{ readonly id: string; readonly clauseIds: readonly string[] }>
}

/** Empty gates over a grid. Load what was kept, then attach. */
export function createGates({ ports, grid: first, registry, earlier }: GatesOptions): Gates {
  const { clock, warn } = ports
  const phase = createPhase()
  const stamps = createStamps(clock)
  const bus = createBus({ stamps, warn, isStrict: ports.strictEvents })
  const grid = createGridHolder(first, registry, earlier)
  const locks = createLocks(clock)
  const history = createHistory({ phase, stamps })
  const invalidations = createInvalidations({ stamps, phase, warn })
  const findings = createFindings({ bus, stamps, phase, processPrefix: ports.processPrefix, warn })
  const depths = createDepths({ stamps, phase, warn })
  const tracker = createTracker(() => grid.current()?.insufficientBasisRoundsMax ?? 3)
  let attached: { readonly journal: Journal; readonly writer: AttestationWriter } | null = null
  let tampered: { readonly path: string; readonly reason: string } | null = null

  const attachment = () => {
    assert(attached !== null, 'engine not initialized')
    return attached
  }

  const current: Gates['current'] = (arrowId) => {
    const declared = grid.current()
    const arrow = grid.arrow(arrowId)
    if (declared === null || arrow === null) return null
    return currentStatus({
      arrow,
      effective: history.effective(arrowId),
      invalidation: invalidations.inForce(arrowId),
      findings: findings.ofArrow(arrowId),
      threshold: thresholdOf(declared, arrow)
    })
  }

  const openOf = (pass: LivePass) => openRequests(pass, (clauseId) => tracker.isCrossed(pass.record.arrowId, clauseId))

  const passes: Passes = createPasses({
    bus,
    stamps,
    phase,
    locks,
    history,
    invalidations,
    warn,
    insert: (record) => attachment().journal.openPass(record),
    evaluators: grid.registry,
    statusOf: (arrowId) => current(arrowId)?.status ?? 'unevaluated',
    openRequestsOf: openOf,
    isHeld: () => tampered !== null
  })

  const attestations = createAttestations({
    bus,
    stamps,
    phase,
    warn,
    write: (record) => attachment().writer(record),
    residueMaxBytes: () => grid.current()?.residueNoteMaxBytes ?? defaultResidueMaxBytes,
    ownPass: (arrowId, opId) =>
      grid.current()?.strictOpIdSeparation === true ? history.openedBy(arrowId, opId) : null,
    isDeclared: (arrowId, gridVersion) => (grid.current()?.version ?? 0) >= gridVersion && grid.arrow(arrowId) !== null,
    follow: (record) => {
      moveClause(passes, record)
      if (!tracker.follow(record)) return
      bus.publish({
        kind: 'insufficient-basis-rounds-exceeded',
        arrow_id: record.arrowId,
        clause_id: record.clauseId,
        pass_id: record.passId,
        payload: {
          rounds: `${tracker.count(record.arrowId, record.clauseId)}`,
          rounds_max: `${grid.current()?.insufficientBasisRoundsMax ?? 3}`
        }
      })
    }
  })

  return {
    ports,
    stamps,
    phase,
    bus,
    grid,
    locks,
    invalidations,
    history,
    findings,
    depths,
    passes,
    attestations,
    tracker,
    attach(journal, writer) {
      phase.attach()
      attached = { journal, writer }
    },
    journal: () => attachment().journal,
    tampered(work) {
      if (tampered !== null) return tampered
      tampered = ports.gateFiles.changed()
      if (tampered === null) return null
      const { pass, by } = work ?? {}
      bus.publish({
        kind: 'gate-file-changed',
        ...(pass !== undefined && { arrow_id: pass.record.arrowId, pass_id: pass.record.id }),
        ...(by !== undefined && { role: by }),
        payload: tampered
      })
      return tampered
    },
    current,
    live(pass) {
      const declared = grid.current()
      return deriveStatus({
        clauses: pass.board.all(),
        findings: findings.ofArrow(pass.record.arrowId),
        threshold: declared === null ? 'medium' : thresholdOf(declared, pass.arrow)
      })
    },
    openRequests: openOf,
    settled: createObservers<DispatchResult>('settlements', warn)
  }
}

/** The clause of the pass that asked follows its verdict (RUN-241); an answered `insufficient-basis` waits again first (GATE-34). */
function moveClause(passes: Passes, { passId, clauseId, verdict }: Attestation): void {
  const pass = passes.get(passId)
  if (pass === null || clauseId === '') return
  const status = pass.board.get(clauseId)?.status
  if (status === 'insufficient-basis' && verdict === 'insufficient-basis')
    pass.board.move(clauseId, 'awaiting-attestation')
  const refused = pass.board.move(clauseId, verdict)
  assert(refused === null, `a verdict was recorded for a clause that takes none: ${refused?.text ?? ''}`)
}
