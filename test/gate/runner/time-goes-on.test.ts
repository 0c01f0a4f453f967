import { expect, it } from 'vitest'
import type { Gates } from '../../../src/gate/runner/gates.ts'
import type { PassRecord } from '../../../src/gate/runner/records.ts'
import { attestationOf } from '../../support/attestation.ts'
import { queueOf } from '../../support/committer.ts'
import { arrowOf, attestedOf, gridOf, type World, worldOf } from '../../support/gates.ts'

// Orders are decided by time: what is on disk is never later than what happens now, whatever the clock says (RUN-850, ATT-102).

const arrow = arrowOf('analyst', 'architect', [attestedOf('C1')])
const future = '2999-01-01T00:00:00.000000000Z'
const futureNs = BigInt(Date.parse('2999-01-01')) * 1_000_000n
const past = '1999-01-01T00:00:00.000000000Z'

const finding = (raisedAt: string, updatedAt: string) => ({
  ...{ id: 'f', arrowId: arrow.id, type: 'local-bug', severity: 'low', status: 'open', description: '', basis: '' },
  ...{ evidence: '', locations: [], targetClause: null, targetRequirement: null, raisedByRole: 'operator' },
  ...{ transitionCount: 0, gridVersion: 1, storeVersion: 1, raisedAt, updatedAt }
})
const amendment = (createdAt: string, drainedAt: string | null) => ({
  ...{ id: 'a', reason: 'missing-cross-context-spec', sourceArrow: arrow.id, targetRole: 'analyst' },
  ...{ contexts: ['shop'], findingIds: ['f'], description: '', createdAt, drainedAt, gridVersionAfter: null }
})

it.each<[string, (gates: Gates) => void]>([
  ['a finding raised', ({ findings }) => findings.load([finding(future, past) as never])],
  ['a finding moved', ({ findings }) => findings.load([finding(past, future) as never])],
  ['a verdict', ({ attestations }) => attestations.load([attestationOf({ timestamp: futureNs })])],
  ['an amendment asked for', (gates) => queueOf({ gates } as World).load([amendment(future, null)])],
  ['an amendment drained', (gates) => queueOf({ gates } as World).load([amendment(past, future)])]
])('after %s in what looks like the future', (_, load) => {
  const { gates } = worldOf(gridOf([arrow]), { before: load })
  expect(gates.stamps.nowNs()).toBeGreaterThan(futureNs)
  const opened = gates.passes.open({
    ...{ role: 'analyst', context: 'shop', arrow, gridVersion: 1, actualTier: 3, opId: 'alice' }
  } as const)
  expect((opened as { pass: { record: PassRecord } }).pass.record.openedAt > future).toBe(true)
})
