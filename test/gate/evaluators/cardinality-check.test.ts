import { describe, expect, it } from 'vitest'
import type { FindingFact, GateQueries, PassFact } from '../../../src/protocol/evaluation.ts'
import type { Args } from '../../../src/protocol/grid.ts'
import { evaluate, projects } from './bench.ts'

const project = projects()
const open: Args = { query: '^\\s*status:\\s*open\\b', 'query-target': 'specs/divergences.md', expected: 0 }

describe('cardinality-check over files (CONC-81, CONC-83)', () => {
  it('counts matches, not lines, and lists the files that have some', async () => {
    const { dir } = await project({ 'a.md': 'x x\nx\n', 'b.md': 'y', 'c.md': 'x' })
    expect(await evaluate(dir, 'cardinality-check', { query: 'x', 'query-target': '*.md', expected: 4 })).toEqual({
      status: 'pass',
      reason: null,
      details: {
        'files-in-scope': 3,
        actual: 4,
        expected: 4,
        results: [
          { file: 'a.md', matches: 3 },
          { file: 'c.md', matches: 1 }
        ]
      }
    })
  })

  it.each([
    [[1, 3], 'pass'],
    [[3, 3], 'pass'],
    [[0, 2], 'fail'],
    [[4, 9], 'fail'],
    [2, 'fail']
  ])('holds 3 against %j: %s', async (expected, status) => {
    const { dir } = await project({ 'a.md': 'xxx' })
    expect(await evaluate(dir, 'cardinality-check', { query: 'x', 'query-target': '*', expected })).toMatchObject({
      status
    })
  })

  it('counts a glob without files as zero', async () => {
    const { dir } = await project()
    expect(await evaluate(dir, 'cardinality-check', open)).toMatchObject({
      status: 'pass',
      details: { actual: 0, vacuous: true }
    })
    expect(await evaluate(dir, 'cardinality-check', { ...open, expected: 1 })).toMatchObject({ status: 'fail' })
  })

  it('is not sure of too few while something was not read, and of too many it is', async () => {
    const { dir } = await project({ 'a.md': 'xx', 'b.md': 'y'.repeat(1024 * 1024 + 1) })
    const check = (expected: number) =>
      evaluate(dir, 'cardinality-check', { query: 'x', 'query-target': '*', expected })
    expect(await check(3)).toMatchObject({ reason: 'scan-incomplete' })
    expect(await check(2)).toMatchObject({ reason: 'scan-incomplete' })
    expect(await check(1)).toMatchObject({ status: 'fail' })
  })

  it.each<Args>([{ query: '(' }, { query: 'x*' }, { query: '(?=x)' }, { expected: [3, 1] }])(
    'does not judge with %j',
    async (more) => {
      const { dir } = await project({ 'a.md': 'xx' })
      expect(
        await evaluate(dir, 'cardinality-check', { query: 'x', 'query-target': '*', expected: 2, ...more })
      ).toMatchObject({
        status: 'unevaluated',
        reason: 'evaluator-error'
      })
    }
  )
})

describe('cardinality-check over the project state (CONC-82)', () => {
  const finding = (id: string, severity: FindingFact['severity'], status: string): FindingFact => ({
    id,
    arrowId: 'analyst→architect/checkout',
    type: 'open-sweep',
    severity,
    status,
    description: '',
    raisedAt: '',
    raisedByRole: 'adversary'
  })
  const pass = (id: string, state: PassFact['state']): PassFact => ({
    id,
    arrowId: 'init→analyst/checkout',
    role: 'init',
    context: 'checkout',
    state
  })
  const arrow = (context: string, depth: 0 | 2) => ({
    id: `analyst→architect/${context}`,
    source: 'analyst',
    target: 'architect',
    context,
    stratum: 'L1',
    status: 'unevaluated',
    depth
  })
  const state: Partial<GateQueries> = {
    contexts: () => [{ id: 'checkout' }, { id: 'stock' }],
    arrows: () => [arrow('checkout', 2), arrow('stock', 0)],
    findings: () => ({
      storeVersion: 7,
      threshold: 'medium',
      findings: [
        finding('f1', 'low', 'open'),
        finding('f2', 'critical', 'open'),
        finding('f3', 'unevaluated', 'resolved')
      ]
    }),
    passes: () => [pass('p-1', 'open'), pass('p-2', 'closed')]
  }
  const count = async (query: string) => {
    const { dir } = await project()
    const { details } = await evaluate(
      dir,
      'cardinality-check',
      { query, 'query-target': 'project-state', expected: 0 },
      { state }
    )
    return details.actual
  }

  it.each([
    ['contexts[id=checkout]', 1],
    ['contexts[id!=checkout]', 1],
    ['arrows[id=analyst->architect/stock]', 1],
    ['arrows[stratum=L1, context=stock]', 1],
    ['arrows[depth>=MOCKED]', 1],
    ['arrows[depth<=1]', 1],
    ['findings[severity>=medium]', 1],
    ['findings[severity<=low]', 1],
    ['findings[severity=unevaluated]', 1],
    ['findings[status=open,severity>=critical]', 1],
    ['passes[state=open,role=init]', 1],
    ['passes[arrow=init→analyst/checkout]', 2]
  ])('%s is %i', async (query, expected) => {
    expect(await count(query)).toBe(expected)
  })

  it.each([
    'contexts',
    'contexts[]',
    'clauses[id=a]',
    'constructor[id=a]',
    'contexts[name=a]',
    'contexts[id~a]',
    'contexts[id>=a]',
    'findings[severity>=bad]',
    'findings[severity>=unevaluated]',
    'drop table'
  ])('does not support %s', async (query) => {
    const { dir } = await project()
    const args = { query, 'query-target': 'project-state', expected: 0 }
    expect(await evaluate(dir, 'cardinality-check', args, { state })).toMatchObject({
      status: 'unevaluated',
      reason: 'unsupported-query'
    })
  })

  it('says when the store is not attached', async () => {
    const { dir } = await project()
    const args = { query: 'contexts[id=a]', 'query-target': 'project-state', expected: 0 }
    expect(await evaluate(dir, 'cardinality-check', args)).toMatchObject({ reason: 'store-unavailable' })
  })
})
