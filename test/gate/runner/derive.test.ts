import { describe, expect, it } from 'vitest'
import { currentStatus, deriveStatus, holdsUp, statusLabel } from '../../../src/gate/runner/derive.ts'
import { findingStatuses } from '../../../src/gate/runner/finding.ts'
import type { Finding, PassRecord } from '../../../src/gate/runner/records.ts'
import { severities } from '../../../src/gate/runner/severity.ts'
import { clauseStatuses } from '../../../src/protocol/gate.ts'
import { arrowOf, clauseOf } from '../../support/gates.ts'
import { fc, runs } from '../../support/laws.ts'

const clauses = (...statuses: string[]) => statuses.map((status) => ({ status }))
const finding = (status: string, severity: (typeof severities)[number] | 'unevaluated' = 'medium') => ({
  status,
  severity
})
const derive = (
  statuses: string[],
  findings: ReturnType<typeof finding>[] = [],
  threshold: (typeof severities)[number] = 'medium'
) => deriveStatus({ clauses: clauses(...statuses), findings, threshold })

describe('derivation, row by row (GATE-53, RUN-260)', () => {
  it.each([
    [['pass', 'fail', 'fail'], [], 'blocked', 2, 0],
    [['pass'], [finding('open')], 'blocked', 0, 1],
    [['pass'], [finding('running', 'critical'), finding('open', 'low')], 'blocked', 0, 1],
    [['pass'], [finding('gone')], 'blocked', 0, 1],
    [['fail', 'unevaluated'], [finding('unevaluated')], 'blocked', 1, 0],
    [['pass', 'unevaluated'], [], 'unevaluated', 1, 0],
    [['pass'], [finding('unevaluated', 'info')], 'unevaluated', 0, 1],
    [['unevaluated', 'awaiting-attestation'], [], 'unevaluated', 1, 0],
    [['pass', 'awaiting-attestation', 'insufficient-basis'], [], 'provisional', 2, 0],
    [['pending', 'awaiting-attestation'], [], 'in-progress', 1, 0],
    [['pass', 'running'], [], 'in-progress', 1, 0],
    [[], [], 'in-progress', 0, 0],
    [[], [finding('open', 'high')], 'blocked', 0, 1],
    [['pass', 'pass'], [finding('resolved', 'critical'), finding('accepted-risk', 'critical')], 'complete', 0, 0],
    [['pass'], [finding('open', 'low')], 'complete', 0, 0],
    [['pass', 'green'], [], 'unevaluated', 1, 0]
  ] as const)('%j with findings %j is %s (%i, %i)', (statuses, findings, status, blockingClauses, blockingFindings) => {
    expect(derive([...statuses], [...findings])).toEqual({ status, blockingClauses, blockingFindings })
  })

  it('counts a finding at the threshold, and none below (GATE-70)', () => {
    for (const threshold of severities)
      for (const severity of severities) {
        const blocks = severities.indexOf(severity) >= severities.indexOf(threshold)
        expect(derive(['pass'], [finding('open', severity)], threshold).status).toBe(blocks ? 'blocked' : 'complete')
      }
  })

  it('an unevaluated finding holds its arrow up whatever its severity, a settled one never does (RUN-513)', () => {
    const held = findingStatuses.filter((status) => holdsUp(finding(status, 'info'), 'medium'))
    expect(held).toEqual(['unevaluated'])
    expect(findingStatuses.filter((status) => holdsUp(finding(status, 'high'), 'medium'))).toEqual([
      'open',
      'running',
      'unevaluated'
    ])
  })

  it('never depends on the order of clauses or findings', () => {
    const anyClause = fc.constantFrom(...clauseStatuses, 'odd')
    const anyFinding = fc.record({
      status: fc.constantFrom(...findingStatuses, 'odd'),
      severity: fc.constantFrom(...severities, 'unevaluated' as const)
    })
    fc.assert(
      fc.property(fc.array(anyClause, { maxLength: 6 }), fc.array(anyFinding, { maxLength: 4 }), (words, findings) => {
        const one = deriveStatus({ clauses: clauses(...words), findings, threshold: 'medium' })
        const other = deriveStatus({
          clauses: clauses(...words.toReversed()),
          findings: findings.toReversed(),
          threshold: 'medium'
        })
        expect(other).toEqual(one)
      })
    )
  })

  it('is complete only when every clause passed, there is one, and nothing blocks (GATE-55)', () => {
    const anyFinding = fc.record({
      status: fc.constantFrom(...findingStatuses),
      severity: fc.constantFrom(...severities)
    })
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...clauseStatuses), { maxLength: 5 }),
        fc.array(anyFinding, { maxLength: 3 }),
        fc.constantFrom(...severities),
        (words, findings, threshold) => {
          const { status } = deriveStatus({ clauses: clauses(...words), findings, threshold })
          const settled = findings.every(
            (each) =>
              each.status === 'resolved' ||
              each.status === 'accepted-risk' ||
              (each.status !== 'unevaluated' && severities.indexOf(each.severity) < severities.indexOf(threshold))
          )
          expect(status === 'complete').toBe(words.length > 0 && words.every((word) => word === 'pass') && settled)
        }
      ),
      { numRuns: runs(500) }
    )
  })
})

const pass: PassRecord = {
  id: 'p-1',
  role: 'analyst',
  context: 'shop',
  arrowId: 'analyst→architect/shop',
  gridVersion: 1,
  state: 'closed',
  openedAt: '2026-01-01T00:00:00.000000001Z',
  closedAt: '2026-01-01T00:00:00.000000002Z',
  closeReason: 'ok',
  recoveredAt: '',
  actualTier: 1,
  arrowStatus: 'complete',
  openedByOpId: 'alice',
  remediationOutcome: null,
  remediationRoundsUsed: null,
  artifactDigest: '',
  dependencyDigests: null
}
const arrow = arrowOf('analyst', 'architect', [clauseOf('C1'), clauseOf('C2')])
const outcome = (clauseId: string, status: string) => ({ clauseId, status, reason: null, note: '' })
const bothPass = [outcome('C1', 'pass'), outcome('C2', 'pass')]
const invalidation = {
  arrowId: arrow.id,
  opId: 'alice',
  reason: 'r',
  at: '2026-01-01T00:00:00.000000003Z',
  gridVersion: 1,
  source: 'operator',
  consumedByPass: null
} as const
const openFinding = { status: 'open', severity: 'high', arrowId: arrow.id } as Finding

describe('current status of an arrow (GATE-52, RUN-251)', () => {
  const given = { arrow, effective: null, invalidation: null, findings: [], threshold: 'medium' } as const

  it('is unevaluated, not started and blocked by all its clauses when nobody ever asked', () => {
    expect(currentStatus(given)).toEqual({
      status: 'unevaluated',
      blockingClauses: 2,
      blockingFindings: 0,
      isStarted: false
    })
  })

  it('is invalidated without any pass, when it was invalidated', () => {
    expect(currentStatus({ ...given, invalidation }).status).toBe('invalidated')
  })

  it('keeps the counts of the old pass while it is invalidated', () => {
    const effective = { pass, clauses: [outcome('C1', 'fail'), outcome('C2', 'pass')] }
    expect(currentStatus({ ...given, effective, invalidation })).toMatchObject({
      status: 'invalidated',
      blockingClauses: 1
    })
  })

  it('is aborted-remediation with its open findings when the effective pass ended so', () => {
    const aborted = { ...pass, state: 'aborted', closeReason: 'aborted-remediation:escalated-rounds-max' } as const
    const found = currentStatus({ ...given, effective: { pass: aborted, clauses: bothPass }, findings: [openFinding] })
    expect(found).toMatchObject({ status: 'aborted-remediation', blockingClauses: 0, blockingFindings: 1 })
  })

  it('follows the findings as they are now', () => {
    const effective = { pass, clauses: bothPass }
    expect(currentStatus({ ...given, effective }).status).toBe('complete')
    expect(currentStatus({ ...given, effective, findings: [openFinding] }).status).toBe('blocked')
  })

  it('does not take a lost outcome for a pass (GATE-3)', () => {
    const effective = { pass, clauses: [outcome('C1', 'pass')] }
    expect(currentStatus({ ...given, effective })).toMatchObject({ status: 'unevaluated', blockingClauses: 1 })
  })

  it('prints complete as valid and every other word as it is (RUN-101)', () => {
    expect(statusLabel('complete')).toBe('valid')
    expect(statusLabel('aborted-remediation')).toBe('aborted-remediation')
  })
})
