import { describe, expect, it } from 'vitest'
import { isPredicate } from '../../../src/gate/evaluators/predicate-form.ts'
import type { Args } from '../../../src/protocol/grid.ts'
import { evaluate, projects } from './bench.ts'

const project = projects()
const check = (dir: string, more: Args = {}) =>
  evaluate(dir, 'predicate-form', {
    scope: 'specs/invariants.md',
    'collection-locator': 'markdown-section:Invariants',
    ...more
  })

describe('predicate-form (CONC-75…78)', () => {
  it.each([
    'balance >= 0',
    'a < b',
    'a > b',
    'x == y',
    'x = y',
    'x != y',
    'n ≤ 3',
    'n ≥ 3',
    'n ≠ 0',
    'assert(ok)',
    'the sum stays <= 100'
  ])('takes %s', (entry) => expect(isPredicate(entry)).toBe(true))

  it.each(['a => b', 'a -> b', 'order --> shipped', 'at least three', 'equals zero', 'reassert (x)', 'never negative'])(
    'does not take %s',
    (entry) => expect(isPredicate(entry)).toBe(false)
  )

  it('passes when every item of the section is one', async () => {
    const { dir } = await project({
      'specs/invariants.md': '# Invariants\n- a >= 0\n- total\n  = sum\n## Notes\n- prose\n'
    })
    expect(await check(dir)).toMatchObject({ status: 'pass', details: { 'entry-count': 2, 'non-predicates': [] } })
  })

  it('names the wishes', async () => {
    const { dir } = await project({ 'specs/invariants.md': '# Invariants\n- a >= 0\n- orders are fast\n' })
    const result = await check(dir)
    expect(result.status).toBe('fail')
    expect(result.details['non-predicates']).toMatchObject([
      { entry: '- orders are fast', location: 'specs/invariants.md:3', hint: expect.stringContaining('comparison') }
    ])
  })

  it('takes a grammar of its own; any other text documents the built-in one', async () => {
    const { dir } = await project({ 'specs/invariants.md': '# Invariants\n- MUST hold\n' })
    expect(await check(dir, { 'predicate-grammar': 'regex:\\bMUST\\b' })).toMatchObject({ status: 'pass' })
    expect(await check(dir, { 'predicate-grammar': 'comparisons only' })).toMatchObject({ status: 'fail' })
  })

  it('finds entries by pattern and in YAML', async () => {
    const { dir } = await project({
      'specs/invariants.md': 'INV: a = b\nother\nINV: hope\n',
      'specs/i.yaml': 'rules:\n  - a > 1\n  - b\n'
    })
    expect((await check(dir, { 'collection-locator': 'regex:INV: (.*)' })).details['non-predicates']).toMatchObject([
      { entry: 'hope', location: 'specs/invariants.md:3' }
    ])
    const yaml = await check(dir, { scope: 'specs/i.yaml', 'collection-locator': 'yaml-path:rules' })
    expect(yaml.details).toMatchObject({ 'entry-count': 2, 'non-predicates': [{ location: 'specs/i.yaml:3' }] })
  })

  it('leaves the clause open when nothing is located', async () => {
    const { dir } = await project({ 'specs/invariants.md': '# Other\n- a = b\n' })
    expect(await check(dir)).toMatchObject({ status: 'unevaluated', reason: 'no-rule-selectable-locations' })
    expect(await check(dir, { scope: 'nothing/*' })).toMatchObject({ reason: 'no-rule-selectable-locations' })
  })

  it.each<Args>([
    { 'collection-locator': 'xpath://a' },
    { 'collection-locator': 'regex:no-group' },
    { 'predicate-grammar': 'regex:(' }
  ])('does not judge with %j', async (more) => {
    const { dir } = await project({ 'specs/invariants.md': '# Invariants\n- a = b\n' })
    expect(await check(dir, more)).toMatchObject({ status: 'unevaluated', reason: 'evaluator-error' })
  })
})
