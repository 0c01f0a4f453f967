import type { ArrowStatus, FindingStatus } from '../../protocol/gate.ts'
import type { Arrow, Grid } from '../../protocol/grid.ts'
import { holdsUp } from './derive.ts'
import { findingStatuses } from './finding.ts'
import type { Gates } from './gates.ts'
import type { HeldLock } from './locks.ts'
import type { AttestationKind, Invalidation, PassRecord, Stamp } from './records.ts'
import { type Residue, residueOf } from './residue.ts'
import { thresholdOf } from './severity.ts'

// The state of the project as one moment's answer (RUN-950). Every call walks the stores; nothing is kept between calls.

export type ArrowState = {
  readonly arrow: Arrow
  readonly status: ArrowStatus
  /** false: nobody ever asked, `unevaluated (not started)`. */
  readonly isStarted: boolean
  readonly blockingClauses: number
  readonly blockingFindings: number
  readonly effectivePass: PassRecord | null
  readonly openPass: PassRecord | null
  readonly invalidation: Invalidation | null
}

export type OpenPassState = {
  readonly pass: PassRecord
  readonly isParked: boolean
  readonly waiting: number
  /** Live derivation; it never replaces the current status of the arrow (GATE-52). */
  readonly status: ArrowStatus
}

export type ProjectSnapshot = {
  readonly capturedAt: Stamp
  readonly gridVersion: number
  readonly arrows: readonly ArrowState[]
  readonly complete: number
  /** Ids of arrows whose status is `unevaluated`, never traversed ones included (GATE-77). */
  readonly unevaluated: readonly string[]
  readonly openPasses: readonly OpenPassState[]
  readonly locks: readonly HeldLock[]
  readonly findings: Readonly<Record<FindingStatus, number>>
  /** Arrows with an open or running finding, sorted. */
  readonly blocking: readonly string[]
  readonly amendments: { readonly pending: number; readonly drained: number }
  readonly attestations: Readonly<Record<AttestationKind, number>>
  readonly onTheSpot: number
  readonly residue: Residue
}

/** Reads everything at once (GATE-80); null without a grid. */
export function snapshotOf(gates: Gates): ProjectSnapshot | null {
  const grid = gates.grid.current()
  if (grid === null) return null
  const arrows = grid.arrows.map((arrow) => arrowState(gates, grid, arrow))
  const findings = gates.findings.all()
  const unsettled = findings.filter(({ status }) => status === 'open' || status === 'running')
  const kinds = gates.attestations.all().map(({ kind }) => kind)
  return {
    capturedAt: gates.stamps.now(),
    gridVersion: grid.version,
    arrows,
    complete: arrows.filter(({ status }) => status === 'complete').length,
    unevaluated: arrows.filter(({ status }) => status === 'unevaluated').map(({ arrow }) => arrow.id),
    openPasses: gates.passes.all().map((pass) => ({
      pass: pass.record,
      isParked: pass.isParked,
      waiting: gates.openRequests(pass).length,
      status: gates.live(pass).status
    })),
    locks: gates.locks.inspect(),
    findings: countBy(
      findingStatuses,
      findings.map(({ status }) => status)
    ),
    blocking: [...new Set(unsettled.map(({ arrowId }) => arrowId))].sort(),
    amendments: gates.ports.amendments?.counts() ?? { pending: 0, drained: 0 },
    attestations: countBy(['depth-type', 'on-the-spot'] as const, kinds),
    onTheSpot: grid.onTheSpotInterruptions,
    residue: residueOf(grid)
  }
}

/** State of one arrow of this grid (RUN-251). */
export function arrowState(gates: Gates, grid: Grid, arrow: Arrow): ArrowState {
  const current = gates.current(arrow.id)
  return {
    arrow,
    status: current?.status ?? 'unevaluated',
    isStarted: current?.isStarted ?? false,
    blockingClauses: current?.blockingClauses ?? 0,
    blockingFindings: gates.findings.ofArrow(arrow.id).filter((each) => holdsUp(each, thresholdOf(grid, arrow))).length,
    effectivePass: gates.history.effective(arrow.id)?.pass ?? null,
    openPass: gates.passes.all().find(({ record }) => record.arrowId === arrow.id)?.record ?? null,
    invalidation: gates.invalidations.inForce(arrow.id)
  }
}

function countBy<Word extends string>(words: readonly Word[], all: readonly string[]): Record<Word, number> {
  return Object.fromEntries(words.map((word) => [word, all.filter((each) => each === word).length])) as Record<
    Word,
    number
  >
}
