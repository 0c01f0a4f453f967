import { beforeEach, describe, expect, test } from 'vitest'
import { addLanguage, bindClause, skipClause } from '../../../src/gate/bootstrap/amend.ts'
import { assembleGrid } from '../../../src/gate/bootstrap/assemble.ts'
import { readSettings } from '../../../src/gate/bootstrap/settings.ts'
import { decideAutomatically, startVerdicts } from '../../../src/gate/bootstrap/verdicts.ts'
import { vocabularyOf } from '../../../src/gate/bootstrap/vocabulary.ts'
import { gridProblem } from '../../../src/gate/runner/grid-check.ts'
import { residueOf } from '../../../src/gate/runner/residue.ts'
import type { Grid } from '../../../src/protocol/grid.ts'
import { catalogue, proposalFor, rules } from '../../support/proposal.ts'

const stamp = { opId: 'bob', createdAt: '2026-02-02T00:00:00Z' }
const impl = 'implementer→integrator/default'
let grid: Grid

async function gridFor(files: Readonly<Record<string, string>>): Promise<Grid> {
  const { arrows, facts, contexts } = await proposalFor(files)
  const verdicts = decideAutomatically(startVerdicts(arrows), rules)
  return assembleGrid(
    {
      verdicts,
      contexts,
      facts,
      settings: readSettings([]),
      bindings: {},
      refusalOverride: null,
      residue: [],
      opId: 'a',
      createdAt: '2026-01-01T00:00:00Z'
    },
    catalogue
  )
}

beforeEach(async () => {
  grid = await gridFor({})
})

const clause = (from: Grid, id: string) =>
  from.arrows.find((arrow) => arrow.id === impl)?.clauses.find((each) => each.id === id)
const sound = (next: Grid) => expect(gridProblem(next, vocabularyOf(catalogue))).toBeNull()

test('GATE-77: the first grid of an empty repository has R = 8', () => {
  expect(residueOf(grid)).toEqual({ units: 8, pendingBindings: 0 })
})

describe('INIT-133: bind', () => {
  test('supplies what is missing; the deferral and its residue go, nothing else changes', () => {
    const { grid: next, text } = bindClause(
      grid,
      impl.replace('→', '->'),
      'C8',
      [
        ['critical-deps', '[db, cache]'],
        ['test-command', 'make it']
      ],
      catalogue,
      stamp
    )
    sound(next)
    expect(text).toBe(`${impl} C8 bound`)
    expect(clause(next, 'C8')).toMatchObject({
      missing: [],
      args: { 'test-suite': 'tests/**', 'critical-deps': ['db', 'cache'], 'test-command': 'make it' }
    })
    expect(next).toMatchObject({ version: 2, createdByOpId: 'bob', createdAt: stamp.createdAt, amendmentId: null })
    expect(grid.residue.length - next.residue.length).toBe(1)
    expect(next.arrows.slice(0, 3)).toEqual(grid.arrows.slice(0, 3))
  })

  test.each([
    [
      'an unknown arrow',
      'analyst→architect/pay',
      'C8',
      'critical-deps=[db]',
      /^arrow "analyst→architect\/pay" not in grid \(grid version=1, 4 total arrows\)$/
    ],
    ['an unknown clause', impl, 'C99', 'x=1', /^modify-on-unknown-clause: C99; proposed: C1, C1\.tests, /],
    ['a clause that is not deferred', impl, 'C9', 'expected=1', /^clause-not-deferred: /],
    [
      'a value that is there',
      impl,
      'C6',
      'threshold=0.1',
      /^clause-not-deferred: argument "threshold" of C6 has a value already$/
    ],
    ['an argument the concept lacks', impl, 'C8', 'nothing=1', /^modify-on-unknown-field: nothing$/],
    ['a value of the wrong type', impl, 'C8', 'critical-deps=db', /requires array/],
    ['no value', impl, 'C8', '', /^modified-args-missing$/],
    [
      'not all that is missing',
      impl,
      'C8',
      'test-command=make',
      /^clause-required-args-missing: kill-server-fails-integration requires critical-deps$/
    ]
  ] as [string, string, string, string, RegExp][])('%s is refused', (_name, arrow, id, pair, message) => {
    const pairs = pair === '' ? [] : [[pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const]
    expect(() => bindClause(grid, arrow, id, pairs, catalogue, stamp)).toThrow(message)
  })
})

describe('INIT-133: skip', () => {
  test('drops the clause; its residue has the operator’s words and its cost', () => {
    const { grid: next, text } = skipClause(grid, impl, 'C8', 'no server here', stamp)
    sound(next)
    expect(text).toBe(`${impl} C8 skipped`)
    expect(clause(next, 'C8')).toBeUndefined()
    expect(next.residue.filter(({ clauseId, arrow }) => clauseId === 'C8' && arrow === impl)).toEqual([
      {
        kind: 'skipped',
        arrow: impl,
        clauseId: 'C8',
        concept: 'kill-server-fails-integration',
        description: 'integration tests notice a missing dependency',
        cost: 3,
        reason: 'no server here'
      }
    ])
    expect(residueOf(next).units).toBe(8)
  })

  test('only with words, only what is deferred', () => {
    expect(() => skipClause(grid, impl, 'C8', ' ', stamp)).toThrow(/^residue-required-for-skip$/)
    expect(() => skipClause(grid, impl, 'C9', 'x', stamp)).toThrow(/^clause-not-deferred: /)
  })
})

describe('INIT-133: language', () => {
  test('what was deferred for want of one is proposed again; base clauses join where there are files', async () => {
    const { profile } = await proposalFor({ 'src/a.go': 'x', 'specs/default/gen.go': 'x' })
    const { grid: next, text } = addLanguage(grid, 'go', profile, catalogue, stamp)
    sound(next)
    expect(text).toBe('language go: 3 clauses bound, 6 base clauses added')
    expect(next.languages).toEqual(['go'])
    expect(
      next.arrows.map(({ clauses }) => clauses.map(({ id }) => id).filter((id) => /^C[1-5](\.|$)/.test(id)))
    ).toEqual([
      ['C1', 'C2', 'C3'],
      ['C1', 'C2', 'C3', 'C4', 'C5'],
      ['C1', 'C5'],
      ['C1', 'C1.tests', 'C2', 'C3', 'C4', 'C5']
    ])
    expect(clause(next, 'C5')?.args).toEqual({ scope: '**/*_test.go', language: 'go', timeout: '5m' })
    expect(next.residue.map(({ kind, clauseId }) => `${kind} ${clauseId}`)).toEqual(['auto-skipped C8'])
  })

  test('a second language gets clauses with its name in the id', async () => {
    const first = await gridFor({ 'src/a.go': 'x' })
    const { profile } = await proposalFor({ 'src/a.go': 'x', 'src/b.py': 'x' })
    const { grid: next, text } = addLanguage(first, 'python', profile, catalogue, stamp)
    sound(next)
    expect(text).toBe('language python: 0 clauses bound, 3 base clauses added')
    expect(next.arrows[3]?.clauses.map(({ id }) => id).slice(0, 8)).toEqual([
      'C1',
      'C1.tests',
      'C2',
      'C3',
      'C4',
      'C2.python',
      'C3.python',
      'C4.python'
    ])
  })

  test('malformed or declared already is refused', async () => {
    const { profile } = await proposalFor({})
    expect(() => addLanguage(grid, 'Go!', profile, catalogue, stamp)).toThrow(/^language-id-invalid/)
    expect(() => addLanguage({ ...grid, languages: ['go'] }, 'go', profile, catalogue, stamp)).toThrow(
      /^language-already-declared: go$/
    )
  })
})
