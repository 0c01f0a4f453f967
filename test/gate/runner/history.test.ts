import { describe, expect, it } from 'vitest'
import { dispatch } from '../../../src/gate/runner/dispatch/dispatch.ts'
import type { ArrowHistory } from '../../../src/gate/runner/history.ts'
import type { PassRecord } from '../../../src/gate/runner/records.ts'
import { arrowOf, attestedOf, gridOf, quiet, worldOf } from '../../support/gates.ts'

const arrow = arrowOf('analyst', 'architect', [attestedOf('C1')])
const pass = (id: string, more: Partial<PassRecord> = {}): PassRecord => ({
  ...{ id, role: 'analyst', context: 'shop', arrowId: arrow.id, gridVersion: 1, state: 'closed', openedAt: '' },
  ...{ closedAt: '2998-01-01T00:00:00.000000000Z', closeReason: 'ok', recoveredAt: '', actualTier: 1 },
  ...{ arrowStatus: null, openedByOpId: 'alice', remediationOutcome: null, remediationRoundsUsed: null },
  ...{ artifactDigest: '', dependencyDigests: null },
  ...more
})
const clauses = [{ clauseId: 'C1', status: 'pass', reason: null, note: '' }] as const
const stored: ArrowHistory = {
  arrowId: arrow.id,
  effective: { pass: pass('p-1'), clauses },
  latest: pass('p-2', {
    ...{ state: 'aborted', closeReason: 'requires-deeper-artifact', closedAt: '2999-01-01T00:00:00.000000000Z' }
  }),
  openers: new Map([['alice', 'p-1']])
}
const load = (history: ArrowHistory) => worldOf(gridOf([arrow]), { before: (gates) => gates.history.load([history]) })

describe('what ended passes of earlier processes leave behind (RUN-304, GATE-52)', () => {
  it('is who decides, who was last, and who opened one', () => {
    const { history, stamps } = load(stored).gates
    expect(history.effective(arrow.id)).toEqual({ pass: pass('p-1'), clauses })
    expect(history.latest(arrow.id)?.id).toBe('p-2')
    expect([history.openedBy(arrow.id, 'alice'), history.openedBy(arrow.id, 'bob')]).toEqual(['p-1', null])
    expect(stamps.now() > '2999').toBe(true)
  })

  it('leads the next pass to a deeper model where the last one asked for it (RUN-222)', async () => {
    const world = load(stored)
    await dispatch(world.gates, { arrowId: arrow.id, opId: '', signal: quiet() })
    expect(world.passRows[0]?.actualTier).toBe(3)
    const other = load({ ...stored, latest: stored.effective?.pass ?? null })
    await dispatch(other.gates, { arrowId: arrow.id, opId: '', signal: quiet() })
    expect(other.passRows[0]?.actualTier).toBe(1)
  })

  it('is nothing where none ever ended', () => {
    const { history } = load({ ...stored, effective: null, latest: null }).gates
    expect([history.effective(arrow.id), history.latest(arrow.id)]).toEqual([null, null])
    expect(history.openedBy(arrow.id, 'alice')).toBe('p-1')
  })

  it('is handed out as copies (RUN-115)', () => {
    const { history } = load(stored).gates
    Object.assign(history.effective(arrow.id)?.clauses[0] ?? {}, { status: 'fail' })
    Object.assign(history.effective(arrow.id)?.pass ?? {}, { closeReason: 'crash' })
    Object.assign(history.latest(arrow.id) ?? {}, { closeReason: 'crash' })
    expect(history.effective(arrow.id)).toEqual({ pass: pass('p-1'), clauses })
    expect(history.latest(arrow.id)?.closeReason).toBe('requires-deeper-artifact')
  })
})
