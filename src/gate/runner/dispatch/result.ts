import { type Derivation, holdsUp } from '../derive.ts'
import type { Gates } from '../gates.ts'
import type { LivePass } from '../live-pass.ts'
import { thresholdOf } from '../severity.ts'
import { demandsOf } from './plan.ts'
import type { Blocker, DispatchResult } from './types.ts'

/** The result of a pass as it is now (RUN-201): open ones with their live derivation, ended ones with what became of the arrow. */
export function resultOf(gates: Gates, pass: LivePass, held: string | null = null): DispatchResult {
  const { record, arrow, board, runs } = pass
  const derived = derivationOf(gates, pass)
  const isOpen = record.state === 'open'
  const declared = new Set(arrow.clauses.map(({ id }) => id))
  const left = board.all().filter(({ clauseId, status }) => declared.has(clauseId) && status !== 'pending')
  return {
    passId: record.id,
    arrowId: record.arrowId,
    arrowStatus: derived.status,
    clauses: left.length,
    blockingClauses: derived.blockingClauses,
    blockingFindings: derived.blockingFindings,
    runs: [...runs],
    isParked: isOpen,
    held,
    pendingRefs: isOpen ? gates.openRequests(pass).map(({ ref }) => ref) : [],
    closedAt: record.closedAt,
    closeReason: record.closeReason,
    remediation:
      record.remediationOutcome === null
        ? null
        : { outcome: record.remediationOutcome, roundsUsed: record.remediationRoundsUsed ?? 0 },
    blocking: [...clauseBlockers(pass), ...findingBlockers(gates, pass)]
  }
}

const order = ['fail', 'unevaluated', 'insufficient-basis', 'awaiting-attestation', 'running', 'pending']

function clauseBlockers({ arrow, board }: LivePass): readonly Blocker[] {
  const demands = demandsOf(arrow)
  return board
    .all()
    .filter(({ status }) => status !== 'pass')
    .sort((a, b) => order.indexOf(a.status) - order.indexOf(b.status))
    .map(({ clauseId, status, note }) => ({
      id: clauseId,
      status,
      why: firstLine(note === '' ? (demands.get(clauseId) ?? '') : note)
    }))
}

function findingBlockers(gates: Gates, { record, arrow }: LivePass): readonly Blocker[] {
  const grid = gates.grid.current()
  const threshold = grid === null ? 'medium' : thresholdOf(grid, arrow)
  return gates.findings
    .ofArrow(record.arrowId)
    .filter((finding) => holdsUp(finding, threshold))
    .map(({ id, status, description }) => ({ id, status, why: firstLine(description) }))
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}

function derivationOf(gates: Gates, pass: LivePass): Derivation {
  if (pass.record.state === 'open') return gates.live(pass)
  const unknown: Derivation = { status: 'unevaluated', blockingClauses: 0, blockingFindings: 0 }
  return gates.current(pass.record.arrowId) ?? unknown
}
