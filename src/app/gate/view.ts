import type { EngineReads } from '../../gate/engine/index.ts'
import {
  type ArrowState,
  type Attestation,
  type ClauseOutcome,
  type Finding,
  type Gates,
  holdsUp,
  type Outdated,
  outcomeWhy,
  type PassRecord,
  projectWord,
  type QueueItem,
  snapshotOf,
  thresholdOf,
  type VerdictQueue
} from '../../gate/runner/index.ts'
import type {
  ArrowRow,
  AttestationRow,
  ClauseRow,
  FindingRow,
  GateView,
  PassRow,
  QueueRow
} from '../../protocol/gate-view.ts'
import type { Clause } from '../../protocol/grid.ts'

const endedPassesShown = 50

/** What the gate consists of while a session lives; the parts of this folder work on it. */
export type GateParts = {
  readonly gates: Gates
  readonly queue: VerdictQueue
  readonly reads: EngineReads
  /** Arrows whose artifact changed since they became valid, by id (RUN-252). */
  readonly outdated: ReadonlyMap<string, Outdated>
}

/** The stores as the screen shows them, in one reading (GATE-80). */
export function viewOf({ gates, queue, reads, outdated }: GateParts): GateView {
  const snapshot = snapshotOf(gates)
  if (snapshot === null) return closedView
  return {
    grid: {
      version: snapshot.gridVersion,
      residue: snapshot.residue.units,
      unevaluated: snapshot.unevaluated.length,
      report: projectWord(snapshot)
    },
    isEngineOpen: true,
    closedBy: null,
    arrows: snapshot.arrows.map((state) => arrowRow(gates, state, queue, outdated)),
    passes: [
      ...snapshot.openPasses.map(({ pass, waiting }) => passRow(pass, waiting)).reverse(),
      ...reads.endedPasses(endedPassesShown).map((pass) => passRow(pass, 0))
    ],
    findings: gates.findings.all().map((finding) => findingRow(gates, finding)),
    queue: queue.items().map((item) => queueRow(gates, item))
  }
}

/** What the screen shows without an open gate. */
export const closedView: GateView = {
  grid: null,
  isEngineOpen: false,
  closedBy: null,
  arrows: [],
  passes: [],
  findings: [],
  queue: []
}

/** A row of the arrow panel (OPUI-720). */
export function arrowRow(
  gates: Gates,
  { arrow, status, isStarted, openPass }: ArrowState,
  queue: Pick<VerdictQueue, 'items'>,
  outdated: ReadonlyMap<string, Outdated>
): ArrowRow {
  return {
    id: arrow.id,
    source: arrow.sourceRole,
    target: arrow.targetRole,
    context: arrow.context,
    status,
    isStarted,
    isOutdated: status === 'complete' && outdated.has(arrow.id),
    openPass: openPass?.id ?? null,
    liveStatus: openPass === null ? null : liveStatusOf(gates, openPass.id),
    waiting: queue.items().filter(({ arrowId }) => arrowId === arrow.id).length
  }
}

function liveStatusOf(gates: Gates, passId: string): ArrowRow['liveStatus'] {
  const pass = gates.passes.get(passId)
  return pass === null ? null : gates.live(pass).status
}

/** A row of the pass panel; `waiting` verdicts make it parked (OPUI-730). */
export function passRow(pass: PassRecord, waiting: number): PassRow {
  return {
    id: pass.id,
    role: pass.role,
    context: pass.context,
    arrow: pass.arrowId,
    state: pass.state,
    closeReason: pass.closeReason === '' ? null : pass.closeReason,
    openedAt: millisOf(pass.openedAt),
    closedAt: pass.closedAt === '' ? null : millisOf(pass.closedAt),
    waiting
  }
}

/** A row of the findings panel (OPUI-732). */
export function findingRow(gates: Gates, finding: Finding): FindingRow {
  const grid = gates.grid.current()
  const arrow = gates.grid.arrow(finding.arrowId)
  return {
    id: finding.id,
    arrow: finding.arrowId,
    type: finding.type,
    severity: finding.status === 'unevaluated' ? 'unevaluated' : finding.severity,
    status: finding.status as FindingRow['status'],
    description: finding.description,
    isOlder: finding.gridVersion < (grid?.version ?? 0),
    isBlocking: grid !== null && arrow !== null && holdsUp(finding, thresholdOf(grid, arrow))
  }
}

/** A row of the verdict queue (OPUI-731). */
function queueRow(gates: Gates, item: QueueItem): QueueRow {
  return {
    item: item.key,
    type: item.type === 'risk' ? 'risk-acceptance' : item.type,
    arrow: item.arrowId,
    clause: item.clauseId === '' ? null : item.clauseId,
    finding: item.type === 'risk' ? item.ref : null,
    round: gates.tracker.count(item.arrowId, item.clauseId) + (item.type === 'escalation' ? 0 : 1),
    since: millisOf(gates.passes.get(item.passId)?.record.openedAt ?? '')
  }
}

/** A clause of an arrow with its last outcome (OPUI-721). */
export function clauseRow(clause: Clause, outcome: ClauseOutcome | undefined): ClauseRow {
  return {
    id: clause.id,
    description: clause.description,
    concept: clause.concept,
    eval: clause.eval,
    depth: clause.depth,
    minTier: clause.minTier,
    status: (outcome?.status as ClauseRow['status']) ?? null,
    reason: outcome === undefined ? '' : outcomeWhy(outcome)
  }
}

/** A record of an arrow’s detail (OPUI-721). */
export function attestationRow(record: Attestation): AttestationRow {
  return {
    id: record.id,
    kind: record.kind,
    clause: record.clauseId === '' ? null : record.clauseId,
    verdict: record.verdict,
    opId: record.opId
  }
}

/** RFC 3339 with nanoseconds as milliseconds; 0 for a time that is not known. */
export function millisOf(stamp: string): number {
  const millis = Date.parse(stamp)
  return Number.isNaN(millis) ? 0 : millis
}
