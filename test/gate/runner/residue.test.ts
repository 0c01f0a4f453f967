import { describe, expect, test } from 'vitest'
import { imputedCost, residueOf, residueText } from '../../../src/gate/runner/residue.ts'
import { addCosts, weightOf } from '../../../src/gate/runner/weight.ts'
import type { ResidueEntry } from '../../../src/protocol/grid.ts'
import { arrowOf, attestedClause, gridOf, machineClause } from '../../support/grid.ts'

const entry = (changes: Partial<ResidueEntry>): ResidueEntry => ({
  kind: 'auto-skipped',
  arrow: '*',
  clauseId: 'C5',
  concept: null,
  description: 'x',
  cost: 0,
  reason: 'r',
  ...changes
})
const all = [
  arrowOf({ id: 'init→analyst/default', sourceRole: 'init', targetRole: 'analyst' }),
  arrowOf(),
  arrowOf({ id: 'architect→implementer/default', sourceRole: 'architect', targetRole: 'implementer' }),
  arrowOf({ id: 'implementer→integrator/default', sourceRole: 'implementer', targetRole: 'integrator' })
]

describe('GATE-78, GATE-79: R', () => {
  test('four deferred clauses of cost 0, 2, 3 and 3 with every arrow declared give 8', () => {
    const residue = [0, 2, 3, 3].map((cost) => entry({ cost }))
    expect(residueOf(gridOf({ arrows: all, residue }))).toEqual({ units: 8, pendingBindings: 0 })
  })

  test('an undeclared cell counts at the cost of its source role contract', () => {
    const grid = gridOf({ arrows: all.slice(0, 2) })
    expect(residueOf(grid).units).toBe(imputedCost('architect', grid) + imputedCost('implementer', grid))
    expect(imputedCost('architect', grid)).toBe(20)
  })

  test('so do the cells of a context that was left out on purpose', () => {
    const grid = gridOf({
      arrows: all,
      residue: [entry({ kind: 'context-undeclared', description: 'pay', cost: null })]
    })
    expect(residueOf(grid)).toEqual({ units: 2 + 20 + 20 + 24, pendingBindings: 0 })
  })

  test('a clause whose cost nobody knows is counted apart and adds nothing', () => {
    const residue = residueOf(gridOf({ arrows: all, residue: [entry({ cost: null }), entry({ cost: 3 })] }))
    expect(residueText(residue)).toBe('3 (+1 pending bindings)')
    expect(residueText({ units: 8, pendingBindings: 0 })).toBe('8')
  })

  test('brownfield and languages change what a contract would cost', () => {
    expect(imputedCost('analyst', { mode: 'brownfield', languages: [] })).toBe(20 + 1 + 1 + 3)
    expect(imputedCost('implementer', { mode: 'greenfield', languages: ['go', 'python'] })).toBe(24 + 2 + 3)
  })

  test('sums never wrap around', () => {
    expect(addCosts([Number.MAX_SAFE_INTEGER, 5])).toBe(Number.MAX_SAFE_INTEGER)
  })
})

test('GATE-75: the weight of an arrow is the sum of its clause costs', () => {
  expect(weightOf(arrowOf({ clauses: [machineClause({ cost: 2 }), attestedClause({ cost: 5 })] }))).toBe(7)
})
