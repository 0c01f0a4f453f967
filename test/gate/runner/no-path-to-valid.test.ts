import { beforeAll, describe, expect, it } from 'vitest'
import { defaultPairs } from '../../../src/gate/runner/arrow-id.ts'
import { baseClauses, contracts } from '../../../src/gate/runner/contracts/index.ts'
import { currentStatus } from '../../../src/gate/runner/derive.ts'
import { findingStatuses } from '../../../src/gate/runner/finding.ts'
import type { Finding, PassRecord } from '../../../src/gate/runner/records.ts'
import { severities, thresholdOf } from '../../../src/gate/runner/severity.ts'
import { clauseStatuses } from '../../../src/protocol/gate.ts'
import type { Arrow, Clause } from '../../../src/protocol/grid.ts'
import { arrowOf, clauseOf, gridOf } from '../../support/gates.ts'

// For every arrow of the default grid, with the clauses its contract gives it: one clause that is anything but `pass`, or one finding at
// the threshold that is open, and the arrow is not complete. One at a time, all of them.

const arrows: readonly Arrow[] = defaultPairs.map(({ source, target }) => {
  const base = source === 'init' ? [] : baseClauses(source)
  const clauses = [...base, ...contracts[source].clauses].map(
    ({ id, statement, eval: evaluation, depth, minTier, cost, concept }): Clause =>
      clauseOf(id, { description: statement, eval: evaluation, depth, minTier, cost, concept })
  )
  return arrowOf(source, target, clauses)
})
const grid = gridOf(arrows)

function passOf(arrow: Arrow): PassRecord {
  return {
    id: 'p-1',
    role: arrow.sourceRole,
    context: arrow.context,
    arrowId: arrow.id,
    gridVersion: 1,
    state: 'closed',
    openedAt: '',
    closedAt: '',
    closeReason: 'ok',
    recoveredAt: '',
    actualTier: 3,
    arrowStatus: 'complete',
    openedByOpId: '',
    remediationOutcome: null,
    remediationRoundsUsed: null,
    artifactDigest: 'd',
    dependencyDigests: {}
  }
}

function statusWith(arrow: Arrow, change: { clause?: string; status?: string; finding?: Partial<Finding> }) {
  const clauses = arrow.clauses.map(({ id }) => ({
    clauseId: id,
    status: id === change.clause ? (change.status ?? 'pass') : 'pass',
    reason: null,
    note: ''
  }))
  const findings = change.finding === undefined ? [] : [change.finding as Finding]
  const threshold = thresholdOf(grid, arrow)
  return currentStatus({ arrow, effective: { pass: passOf(arrow), clauses }, invalidation: null, findings, threshold })
    .status
}

describe.each(arrows.map((arrow) => [arrow.id, arrow] as const))('%s', (_, arrow) => {
  beforeAll(() => {
    expect(arrow.clauses.length).toBeGreaterThan(2)
    expect(statusWith(arrow, {})).toBe('complete')
  })

  it('is not complete while any one clause is anything but pass', () => {
    const others = [...clauseStatuses.filter((status) => status !== 'pass'), 'no-such-word', '']
    for (const { id } of arrow.clauses)
      for (const status of others) expect(statusWith(arrow, { clause: id, status })).not.toBe('complete')
  })

  it('is not complete while any one finding at the threshold is unsettled', () => {
    const threshold = thresholdOf(grid, arrow)
    const atLeast = severities.slice(severities.indexOf(threshold))
    const unsettled = [...findingStatuses.filter((word) => word !== 'resolved' && word !== 'accepted-risk'), 'odd']
    for (const severity of atLeast)
      for (const status of unsettled)
        expect(statusWith(arrow, { finding: { arrowId: arrow.id, severity, status } })).not.toBe('complete')
  })

  it('is not complete with an unevaluated finding of any severity (RUN-513)', () => {
    for (const severity of severities)
      expect(statusWith(arrow, { finding: { arrowId: arrow.id, severity, status: 'unevaluated' } })).not.toBe(
        'complete'
      )
  })
})
