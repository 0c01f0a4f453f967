import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { vocabularyOf } from '../../../../src/gate/bootstrap/vocabulary.ts'
import { loadCatalogue } from '../../../../src/gate/catalogue/index.ts'
import { attested, machine } from '../../../../src/gate/runner/contracts/contract.ts'
import {
  baseClauses,
  type Contract,
  contractProblem,
  contracts,
  defaultDependencies
} from '../../../../src/gate/runner/contracts/index.ts'
import { floorOf, stratumOf } from '../../../../src/gate/runner/depth.ts'
import { addCosts } from '../../../../src/gate/runner/weight.ts'
import { arrowFacts, contractTable, documentedRoles } from '../../../support/contract-text.ts'

const catalogue = loadCatalogue()
const vocabulary = vocabularyOf(catalogue)
const folder = new URL('../../../../specs/architecture/roles/', import.meta.url)

describe('ROLE-12: one source for program and people', () => {
  test.each(documentedRoles)('the document of %s shows the contract as it is', (role) => {
    const text = readFileSync(new URL(`${role}.md`, folder), 'utf8')
    expect(text.slice(text.indexOf('## Exit gate'))).toBe(
      `## Exit gate\n${arrowFacts(contracts[role])}\n\n${contractTable(contracts[role])}\n`
    )
  })

  test('ROLE-1, ROLE-3: there are these and no others', () => {
    expect(readdirSync(folder).toSorted()).toEqual(documentedRoles.map((role) => `${role}.md`).toSorted())
    expect(documentedRoles.toSorted()).toEqual(['analyst', 'architect', 'implementer', 'init', 'integrator'])
  })
})

describe('ROLE-26…38: the roll-up', () => {
  test.each([
    ['init', 3, 0, 2, 0, 'L0'],
    ['analyst', 4, 6, 20, 2, 'L1'],
    ['architect', 6, 6, 20, 2, 'L1'],
    ['implementer', 6, 4, 24, 3, 'L2'],
    ['integrator', 6, 6, 25, 3, 'L2']
  ] as const)(
    '%s in greenfield: %d machine, %d attested, cost %d, floor %d, %s',
    (role, machines, attestations, cost, floor, stratum) => {
      const clauses = contracts[role].clauses.filter(({ applies }) => applies !== 'brownfield')
      expect(clauses.filter((clause) => clause.eval === 'machine')).toHaveLength(machines)
      expect(clauses.filter((clause) => clause.eval === 'attested')).toHaveLength(attestations)
      expect(addCosts(clauses.map((clause) => clause.cost))).toBe(cost)
      const found = floorOf(clauses)
      expect(found.kind === 'floor' ? [found.floor, stratumOf(found.floor)] : found).toEqual([floor, stratum])
    }
  )

  test('ROLE-26: C8, C9 and C17 of the analyst are for brownfield alone', () => {
    const brownfield = Object.values(contracts).flatMap(({ role, clauses }) =>
      clauses.filter(({ applies }) => applies === 'brownfield').map(({ id }) => `${role} ${id}`)
    )
    expect(brownfield).toEqual(['analyst C8', 'analyst C9', 'analyst C17'])
  })

  test('ROLE-18: a role begins at C5, init at C1, in order', () => {
    for (const { role, clauses } of Object.values(contracts)) {
      const first = role === 'init' ? 1 : 5
      expect(clauses.map(({ id }) => id)).toEqual(clauses.map((_, n) => `C${first + n}`))
    }
  })

  test('GATE-75: no contract asks less than the concept costs', () => {
    for (const { clauses } of Object.values(contracts))
      for (const { concept, cost, id } of clauses)
        if (concept !== null) expect([id, cost]).toEqual([id, Math.max(cost, catalogue.get(concept)!.defaultCost)])
  })
})

test('ROLE-16: base clauses by arrow', () => {
  const shape = (role: Parameters<typeof baseClauses>[0]) =>
    baseClauses(role).map(({ id, concept, args }) => [id, concept, args.scope])
  expect(shape('analyst')).toEqual([
    ['C1', 'no-todo-marker', 'specs/{context}/**'],
    ['C2', 'lint-clean', 'specs/{context}/**'],
    ['C3', 'compiles', 'specs/{context}/**'],
    ['C4', 'every-step-bound', 'specs/{context}/**']
  ])
  expect(shape('implementer').slice(0, 2)).toEqual([
    ['C1', 'no-todo-marker', '{source-globs}'],
    ['C1.tests', 'no-todo-marker', '{test-globs}']
  ])
  for (const role of ['analyst', 'architect', 'implementer', 'integrator'] as const)
    expect(
      baseClauses(role).every(({ cost, depth, minTier }) => cost === 0 && depth === 'depth-robust' && minTier === 0)
    ).toBe(true)
})

test('ROLE-21: default dependencies are declared, for init as none', () => {
  expect(defaultDependencies('init')).toEqual([])
  expect(defaultDependencies('implementer')).toEqual([
    { artifact: 'specs/{context}/**', granularity: 'file', onChange: 'invalidate' },
    { artifact: 'architecture/{context}/**', granularity: 'file', onChange: 'invalidate' }
  ])
})

describe('ROLE-13: a broken contract does not load', () => {
  test('those shipped are sound', () => {
    for (const contract of Object.values(contracts)) expect(contractProblem(contract, vocabulary)).toBeNull()
  })

  const sound = machine('C5', [1], 'x', 0, 'no-todo-marker', { scope: 'x' })
  const cases: [string, Contract['clauses']][] = [
    ['no clause', []],
    ['an id twice', [sound, sound]],
    ['a malformed id', [{ ...sound, id: 'C-5' }]],
    ['an empty statement', [attested('C5', [1], '  ', 1)]],
    ['an unknown concept', [machine('C5', [1], 'x', 0, 'nothing', {})]],
    ['a machine clause without concept', [{ ...sound, concept: null }]],
    ['an attested clause with one', [{ ...attested('C5', [1], 'x', 1), concept: 'compiles' }]],
    ['arguments that break the schema', [machine('C5', [1], 'x', 0, 'no-todo-marker', { scope: 7 })]],
    ['an argument the concept lacks', [machine('C5', [1], 'x', 0, 'no-todo-marker', { scope: 'x', nothing: 1 })]],
    ['a tier that does not fit', [{ ...sound, minTier: 2 }]]
  ]
  test.each(cases)('%s', (_name, clauses) => {
    expect(contractProblem({ role: 'analyst', clauses }, vocabulary)).not.toBeNull()
  })
})
