import { describe, expect, it } from 'vitest'
import { arrowState } from '../../../src/gate/runner/snapshot.ts'
import { arrowOf, clauseOf, gridOf, worldOf } from '../../support/gates.ts'

const one = arrowOf('analyst', 'architect', [clauseOf('C1')])
const two = arrowOf('architect', 'implementer', [clauseOf('C1')])

describe('the state of one arrow (RUN-251)', () => {
  it('names the open pass of this arrow and of no other', () => {
    const grid = gridOf([one, two])
    const { gates } = worldOf(grid)
    const command = { context: 'shop', gridVersion: 1, actualTier: 1, opId: 'alice' } as const
    expect(gates.passes.open({ ...command, role: 'architect', arrow: two })).not.toHaveProperty('refused')
    expect(arrowState(gates, grid, two).openPass).toMatchObject({ arrowId: two.id, state: 'open' })
    expect(arrowState(gates, grid, one).openPass).toBeNull()
  })

  it('counts the findings that hold it up, not those below the threshold nor those of another arrow', () => {
    const grid = gridOf([one, two])
    const { gates } = worldOf(grid)
    const finding = { type: 'local-bug', description: 'x', raisedByRole: 'operator', gridVersion: 1 } as const
    gates.findings.raise([{ ...finding, arrowId: one.id, severity: 'medium' }])
    gates.findings.raise([{ ...finding, arrowId: one.id, severity: 'low' }])
    expect(arrowState(gates, grid, one).blockingFindings).toBe(1)
    expect(arrowState(gates, grid, two).blockingFindings).toBe(0)
  })

  it('of an arrow the grid in force does not hold is not evaluated and not started', () => {
    const grid = gridOf([one, two])
    const { gates } = worldOf(gridOf([one]))
    expect(arrowState(gates, grid, two)).toMatchObject({
      status: 'unevaluated',
      isStarted: false,
      blockingClauses: 0,
      blockingFindings: 0
    })
  })
})
