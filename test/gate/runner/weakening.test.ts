import { describe, expect, test } from 'vitest'
import { vocabularyOf } from '../../../src/gate/bootstrap/vocabulary.ts'
import { loadCatalogue } from '../../../src/gate/catalogue/index.ts'
import { baseClauses, contracts } from '../../../src/gate/runner/contracts/index.ts'
import { gridProblem } from '../../../src/gate/runner/grid-check.ts'
import { weakeningOf } from '../../../src/gate/runner/weakening.ts'
import type { Clause, Grid } from '../../../src/protocol/grid.ts'
import { arrowOf, attestedClause, gridOf, machineClause } from '../../support/grid.ts'

const vocabulary = vocabularyOf(loadCatalogue())
const weakening = (clause: Clause, more: Partial<Parameters<typeof arrowOf>[0]> = {}) =>
  weakeningOf(arrowOf({ clauses: [machineClause(), clause], ...more }), vocabulary)

const tests = (cost: number, more: Partial<Clause> = {}) =>
  machineClause({ id: 'X1', concept: 'tests-pass', args: { scope: 'test/**', language: 'go' }, cost, ...more })

describe('GATE-75: a grid raises a cost and never lowers it', () => {
  test('of a machine clause below what its concept costs, wherever the clause came from', () => {
    const problem = {
      at: 'clauses[1].cost',
      text: 'cannot-weaken-default: lower cost: 1, and tests-pass costs 2'
    }
    expect(weakening(tests(1))).toEqual(problem)
    expect(weakening(tests(1, { source: 'operator-extension' }))).toEqual(problem)
    expect(weakening(tests(2))).toBeNull()
    expect(weakening(tests(7))).toBeNull()
  })

  test('of an attested clause below what the contract of the source role says', () => {
    expect(weakening(attestedClause({ id: 'C16', cost: 4 }))).toEqual({
      at: 'clauses[1].cost',
      text: 'cannot-weaken-default: lower cost: 4, and C16 of the analyst costs 5'
    })
    expect(weakening(attestedClause({ id: 'C16', cost: 5 }))).toBeNull()
    // The architect's C16 costs 3.
    const architect = {
      id: 'architect→implementer/default',
      sourceRole: 'architect',
      targetRole: 'implementer'
    } as const
    expect(weakening(attestedClause({ id: 'C16', cost: 4 }), architect)).toBeNull()
  })

  test('evidence beside a person’s verdict costs what the verdict costs (RUN-230)', () => {
    const evidence = { concept: 'tests-pass', args: { scope: 'test/**', language: 'go' } }
    expect(weakening(attestedClause({ id: 'C12', cost: 1, ...evidence }))).toBeNull()
  })
})

describe('ROLE-37: what is said to be a role’s default is not less than the role’s contract', () => {
  test.each([
    ['a lower rank', { minTier: 1 }, 'min-tier', 'lower tier: 1, and C11 of the analyst needs 2'],
    ['robust instead of sensitive', { minTier: 0, depth: 'depth-robust' }, 'min-tier', 'lower tier: 0, and C11 of the'],
    [
      'a machine in place of a person',
      { eval: 'machine', concept: 'no-todo-marker', args: { scope: 'x' } },
      'eval',
      'machine, and C11 of the analyst is attested'
    ]
  ] as [string, Partial<Clause>, string, string][])('%s', (_name, changes, at, text) => {
    expect(weakening(attestedClause(changes))).toEqual({
      at: `clauses[1].${at}`,
      text: expect.stringContaining(`cannot-weaken-default: ${text}`)
    })
    // The operator's own clause owes a contract nothing: any of the four kinds is legal (GATE-18).
    expect(weakening(attestedClause({ ...changes, source: 'operator-extension' }))).toBeNull()
  })

  test('a higher rank is fine, and so is every contract as it stands', () => {
    expect(weakening(attestedClause({ minTier: 3 }))).toBeNull()
    for (const { role, clauses } of Object.values(contracts)) {
      const recorded = [...(role === 'init' ? [] : baseClauses(role)), ...clauses].map(({ id, ...clause }) =>
        machineClause({ ...clause, id })
      )
      expect([role, weakeningOf({ sourceRole: role, clauses: recorded }, vocabulary)]).toEqual([role, null])
    }
  })
})

test('ROLE-36: a grid made from another revision of the contracts keeps what it recorded', () => {
  const cheap: Partial<Grid> = { arrows: [arrowOf({ clauses: [attestedClause({ cost: 0 }), tests(0)] })] }
  expect(gridProblem(gridOf(cheap), vocabulary)).toEqual({
    at: 'arrows[0].clauses[0].cost',
    text: 'cannot-weaken-default: lower cost: 0, and C11 of the analyst costs 3'
  })
  expect(gridProblem(gridOf({ ...cheap, contractRevision: '0' }), vocabulary)).toBeNull()
})
