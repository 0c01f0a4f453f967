import { describe, expect, test } from 'vitest'
import { type ProposedArrow, pendingBaseEntries } from '../../../src/gate/bootstrap/proposal.ts'
import { goModule, monorepo, pythonService } from '../../support/project.ts'
import { proposalFor } from '../../support/proposal.ts'

const ids = (arrow: ProposedArrow | undefined) => arrow?.clauses.map(({ clause }) => clause.id)
const find = (arrows: readonly ProposedArrow[], id: string) => arrows.find((arrow) => arrow.id === id)
const args = (arrow: ProposedArrow | undefined, id: string) =>
  arrow?.clauses.find(({ clause }) => clause.id === id)?.clause.args
const missing = (arrows: readonly ProposedArrow[]) =>
  arrows.flatMap(({ id, clauses }) =>
    clauses.flatMap(({ clause }) => (clause.missing.length === 0 ? [] : [`${id} ${clause.id} ${clause.missing}`]))
  )

describe('INIT-50: a fresh repository without a language', () => {
  test('four arrows, base clauses without language-bound ones, four clauses that lack something', async () => {
    const { arrows, facts } = await proposalFor({})
    expect(arrows.map(({ id }) => id)).toEqual([
      'init→analyst/default',
      'analyst→architect/default',
      'architect→implementer/default',
      'implementer→integrator/default'
    ])
    expect(arrows.map(ids)).toEqual([
      ['C1', 'C2', 'C3'],
      ['C1', 'C5', 'C6', 'C7', 'C10', 'C11', 'C12', 'C13', 'C14', 'C15', 'C16'],
      ['C1', 'C5', 'C6', 'C7', 'C8', 'C9', 'C10', 'C11', 'C12', 'C13', 'C14', 'C15', 'C16'],
      ['C1', 'C1.tests', 'C5', 'C6', 'C7', 'C8', 'C9', 'C10', 'C11', 'C12', 'C13', 'C14']
    ])
    expect(missing(arrows)).toEqual([
      'architect→implementer/default C7 language:language-id',
      'implementer→integrator/default C5 language:language-id',
      'implementer→integrator/default C6 language:language-id',
      'implementer→integrator/default C8 critical-deps:list'
    ])
    expect(
      pendingBaseEntries(facts).map(({ clauseId, concept, arrow, cost }) => [clauseId, concept, arrow, cost])
    ).toEqual([
      ['C2', 'lint-clean', '*', 0],
      ['C3', 'compiles', '*', 0],
      ['C4', 'every-step-bound', '*', 0]
    ])
  })

  test('INIT-51: every argument says where it came from', async () => {
    const { arrows } = await proposalFor({})
    const clause = find(arrows, 'implementer→integrator/default')?.clauses.find((each) => each.clause.id === 'C6')
    expect(clause?.args).toEqual([
      { name: 'scope', value: 'src/**', origin: 'placeholder' },
      { name: 'test-scope', value: 'tests/**', origin: 'placeholder' },
      { name: 'threshold', value: 0.7, origin: 'contract' },
      { name: 'language', value: null, origin: 'missing' },
      { name: 'timeout-per-mutation', value: '30s', origin: 'default' }
    ])
  })

  test('ROLE-21, INIT-53: dependencies are those of the context, for init explicitly none', async () => {
    const { arrows } = await proposalFor({})
    expect(arrows.map(({ dependencies }) => dependencies.map(({ artifact }) => artifact))).toEqual([
      [],
      ['specs/context-map.md', 'specs/default/cross-context/**'],
      ['specs/default/**'],
      ['specs/default/**', 'architecture/default/**']
    ])
  })
})

describe('ROLE-14, ROLE-17: projects of different kinds', () => {
  test('a TypeScript monorepo: pair by pair, context by context; scopes by extension, for there is no src', async () => {
    const { arrows } = await proposalFor(monorepo)
    expect(arrows).toHaveLength(12)
    expect(arrows.slice(3, 6).map(({ id }) => id)).toEqual([
      'analyst→architect/billing',
      'analyst→architect/catalog',
      'analyst→architect/checkout'
    ])
    const implementer = find(arrows, 'implementer→integrator/checkout')
    expect(ids(implementer)?.slice(0, 5)).toEqual(['C1', 'C1.tests', 'C2', 'C3', 'C4'])
    expect(args(implementer, 'C2')).toEqual({
      scope: '**/*.ts',
      language: 'typescript',
      'severity-threshold': 'medium'
    })
    expect(args(implementer, 'C5')).toEqual({ scope: '**/*.test.ts', language: 'typescript', timeout: '5m' })
    expect(ids(find(arrows, 'analyst→architect/billing'))).toEqual([
      'C1',
      'C5',
      'C6',
      'C7',
      'C8',
      'C9',
      'C10',
      'C11',
      'C12',
      'C13',
      'C14',
      'C15',
      'C16',
      'C17'
    ])
    expect(missing(arrows)).toEqual(
      ['billing', 'catalog', 'checkout'].map((context) => `implementer→integrator/${context} C8 critical-deps:list`)
    )
  })

  test('a Python service: source and tests of the context, integration tests where they lie', async () => {
    const { arrows } = await proposalFor(pythonService)
    const implementer = find(arrows, 'implementer→integrator/rates')
    expect(args(implementer, 'C1')).toEqual({ scope: 'src/rates/**' })
    expect(args(implementer, 'C1.tests')).toEqual({ scope: 'tests/**' })
    expect(args(implementer, 'C6')).toEqual({
      scope: 'src/rates/**',
      'test-scope': 'tests/**',
      threshold: 0.7,
      language: 'python'
    })
    expect(args(implementer, 'C8')).toEqual({ 'test-suite': 'tests/integration/**' })
    expect(args(find(arrows, 'analyst→architect/rates'), 'C8')).toEqual({
      scope: 'src/rates/**',
      'spec-index': 'specs/rates/features/**',
      language: 'python'
    })
  })

  test('a Go module in the root', async () => {
    const { arrows } = await proposalFor(goModule)
    const implementer = find(arrows, 'implementer→integrator/default')
    expect(args(implementer, 'C1')).toEqual({ scope: '**/*.go' })
    expect(args(implementer, 'C1.tests')).toEqual({ scope: '**/*_test.go' })
    expect(ids(implementer)).toContain('C4')
    expect(ids(find(arrows, 'analyst→architect/default'))).not.toContain('C2')
  })

  test('several languages have clauses of their own, with the language in the id (GATE-6)', async () => {
    const { arrows } = await proposalFor({ 'src/pay/a.ts': 'x', 'src/pay/b.py': 'x', 'specs/pay/check.py': 'x' })
    const implementer = find(arrows, 'implementer→integrator/pay')
    expect(ids(implementer)?.filter((id) => /^C[2356]/.test(id))).toEqual([
      'C2.python',
      'C2.typescript',
      'C3.python',
      'C3.typescript',
      'C5.python',
      'C5.typescript',
      'C6.python',
      'C6.typescript'
    ])
    // Only Python has files under specs/pay.
    expect(args(find(arrows, 'analyst→architect/pay'), 'C2')).toMatchObject({ language: 'python' })
    expect(ids(find(arrows, 'architect→implementer/pay'))?.slice(0, 2)).toEqual(['C1', 'C5'])
  })

  test('a binding brings a base clause for its language, files or not', async () => {
    const { arrows, facts } = await proposalFor({}, { bindings: ['compiles.gherkin'] })
    for (const arrow of arrows.slice(1)) expect(args(arrow, 'C3')).toMatchObject({ language: 'gherkin' })
    expect(ids(arrows[1])).not.toContain('C2')
    expect(pendingBaseEntries(facts).map(({ clauseId }) => clauseId)).toEqual(['C2', 'C4'])
  })

  test('INIT-92: an explicit language without files fills {language} and brings no base clause', async () => {
    const { arrows, facts } = await proposalFor({}, { languages: ['rust'] })
    expect(args(arrows[3], 'C5')).toEqual({ scope: 'tests/**', language: 'rust', timeout: '5m' })
    expect(ids(arrows[3])).not.toContain('C2')
    expect(pendingBaseEntries(facts)).toEqual([])
    expect(missing(arrows)).toEqual(['implementer→integrator/default C8 critical-deps:list'])
  })
})
