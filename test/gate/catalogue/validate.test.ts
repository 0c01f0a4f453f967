import { describe, expect, it } from 'vitest'
import {
  type ArgumentSchema,
  type ArgumentType,
  checkArguments,
  loadCatalogue,
  missingArguments,
  problemOf,
  schemaOf
} from '../../../src/gate/catalogue/index.ts'
import type { Args, ArgValue } from '../../../src/protocol/grid.ts'
import { fc } from '../../support/laws.ts'

const catalogue = loadCatalogue()

function problem(concept: string, args: Args) {
  const checked = checkArguments(catalogue, concept, args)
  return 'problem' in checked ? checked.problem : null
}

function schema(type: ArgumentType, more: Partial<ArgumentSchema> = {}): ArgumentSchema {
  return {
    name: 'x',
    type,
    required: true,
    default: null,
    description: 'x',
    range: null,
    values: null,
    items: null,
    ...more
  }
}

describe('arguments of a clause (CONC-7)', () => {
  const scan: Args = { scope: 'src/**', language: 'go' }
  it.each<[string, string, Args, string, string | null]>([
    ['unknown concept', 'compile', {}, 'unknown concept', null],
    ['unknown argument', 'compiles', { ...scan, threads: 3 }, 'unknown argument', 'threads'],
    ['missing', 'compiles', { scope: 'src/**' }, 'missing required argument', 'language'],
    ['null is missing', 'compiles', { ...scan, language: null }, 'missing required argument', 'language'],
    ['string', 'compiles', { ...scan, scope: 3 }, 'requires string', 'scope'],
    ['numeric', 'mutation-score', { ...scan, 'test-scope': 't', threshold: '0.7' }, 'requires numeric', 'threshold'],
    ['array', 'no-todo-marker', { scope: 'src/**', markers: 'TODO' }, 'requires array', 'markers'],
    ['range', 'mutation-score', { ...scan, 'test-scope': 't', threshold: 1.1 }, 'outside range', 'threshold'],
    ['enum', 'acyclic-dependency-graph', { ...scan, kind: 'graph' }, 'not in enum', 'kind'],
    [
      'canonical',
      'lint-clean',
      { ...scan, 'severity-threshold': 'warn' },
      'not in canonical enum',
      'severity-threshold'
    ],
    [
      'no threshold',
      'lint-clean',
      { ...scan, 'severity-threshold': 'unevaluated' },
      'not in canonical enum',
      'severity-threshold'
    ],
    ['inverted', 'cardinality-check', { query: 'x', 'query-target': '*', expected: [3, 1] }, 'inverted', 'expected'],
    [
      'inverted bounds',
      'trace-link-present',
      { from: 'a', to: 'b', 'link-rule': '(x)', 'min-multiplicity': 2, 'max-multiplicity': 1 },
      'inverted',
      'max-multiplicity'
    ]
  ])('%s', (_, concept, args, fragment, argument) => {
    const found = problem(concept, args)
    expect(found?.message).toContain(fragment)
    expect(found?.message).toContain(concept)
    expect(found).toMatchObject({ concept, argument })
    if (argument !== null) expect(found?.message).toContain(`"${argument}"`)
  })

  it('reports in the order: unknown, missing, type, range', () => {
    expect(problem('mutation-score', { threads: 1, threshold: 'x' })?.code).toBe('unknown-argument')
    expect(problem('mutation-score', { threshold: 'x' })?.code).toBe('missing-argument')
    expect(problem('mutation-score', { ...scan, 'test-scope': 4, threshold: 7 })?.argument).toBe('test-scope')
  })

  it('lets a deferred clause miss arguments and still checks the others', () => {
    expect(checkArguments(catalogue, 'compiles', { scope: 'x' }, { allowMissing: true })).toEqual({
      args: { scope: 'x' }
    })
    expect(checkArguments(catalogue, 'compiles', { scope: 3 }, { allowMissing: true })).toHaveProperty('problem')
    expect(missingArguments(schemaOf(catalogue, 'compiles'), { scope: 'x' })).toEqual(['language:language-id'])
  })

  it('fills absent optional arguments with copies of their defaults (CONC-8)', () => {
    const first = checkArguments(catalogue, 'no-todo-marker', { scope: 'src/**' })
    if ('problem' in first) throw new Error(first.problem.message)
    expect(first.args).toEqual({
      scope: 'src/**',
      markers: ['TODO', 'TBD', '???', 'FIXME', 'XXX'],
      'case-sensitive': false,
      'exclude-prefixes': []
    })
    ;(first.args.markers as ArgValue[]).push('HACK')
    const second = checkArguments(catalogue, 'no-todo-marker', { scope: 'src/**' })
    expect('args' in second && second.args.markers).toHaveLength(5)
  })

  it('has no default where there is none', () => {
    const checked = checkArguments(catalogue, 'trace-link-present', { from: 'a', to: 'b', 'link-rule': '(x)' })
    expect('args' in checked && Object.keys(checked.args)).not.toContain('max-multiplicity')
  })

  it('folds the flat spellings of kill and restore commands into the maps (CONC-64)', () => {
    const checked = checkArguments(catalogue, 'kill-server-fails-integration', {
      'test-suite': 't/**',
      'critical-deps': ['db', 'mq'],
      'kill-cmd.db': 'stop db',
      'kill-commands': { mq: 'stop mq' },
      'unkill-cmd.my.db': 'start'
    })
    expect(checked).toMatchObject({
      args: { 'kill-commands': { db: 'stop db', mq: 'stop mq' }, 'restore-commands': { 'my.db': 'start' } }
    })
    expect(
      problem('kill-server-fails-integration', { 'test-suite': 't', 'critical-deps': [], 'kill-cmd.db': 3 })
    ).toMatchObject({
      code: 'wrong-type',
      argument: 'kill-commands'
    })
    expect(problem('compiles', { ...scan, 'kill-cmd.db': 'x' })?.code).toBe('unknown-argument')
  })
})

describe('values of the common types', () => {
  it.each<[ArgumentType, readonly ArgValue[], readonly ArgValue[]]>([
    ['string', ['', 'x'], [1, true, null, [], {}]],
    ['int', [0, -3], [1.5, '1', Number.NaN, Number.POSITIVE_INFINITY]],
    ['number', [0, 0.5], ['0.5', Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]],
    ['boolean', [true, false], ['true', 0]],
    ['list', [[], ['a', 1]], ['a', {}]],
    ['map', [{}, { a: 'b' }], [[], 'a', { a: 1 }]],
    ['severity', ['info', 'low', 'medium', 'high', 'critical'], ['Info', 'unevaluated', '']],
    ['finding-status', ['open', 'running', 'resolved', 'accepted-risk', 'unevaluated'], ['closed']],
    ['depth-tier', [0, 1, 2, 3], [4, -1, 1.5, '2']],
    ['duration', ['500ms', '30s', '5m', '1h30m', '1h1m1s1ms'], ['5', 'm', '0s', '-5m', '5 m', '1.5h', '']],
    ['path-glob', ['src/**', 'a b.txt', '..x/y'], ['', ' ', '/etc/*', '../x', 'a/../b', 'C:\\x', 'a\0b']],
    ['artifact-ref', ['INV-001', 'a.md#Heading', 'specs/*.md'], ['', '/x', '../a.md#H']],
    ['regex', ['a+', '\\p{L}'], ['(', '\\p{Nope}', 'a{2']],
    ['command', ['make test'], ['', '  \t']],
    ['language-id', ['go', 'c++', 'c#', 'objective-c'], ['Go', '', '1c', 'a b']],
    ['role-id', ['analyst', 'init', 'adversary'], ['operator', 'Analyst']],
    ['bounded-context-id', ['checkout', 'a_b-1'], ['*', '1a', '', 'a.b']],
    ['arrow-id', ['a→b/c'], ['', '  ']],
    ['enum-or-path', ['specs/*.md'], ['', '/abs']],
    ['int-or-range', [3, [0, 3], [2, 2]], ['3', [3, 0], [1], [1, 2, 3], [1, 2.5], 1.5]]
  ])('%s', (type, good, bad) => {
    for (const value of good) expect(problemOf(schema(type), value), JSON.stringify(value)).toBeNull()
    for (const value of bad) expect(problemOf(schema(type), value), String(value)).not.toBeNull()
  })

  it('takes a literal where the schema names it', () => {
    expect(problemOf(schema('bounded-context-id', { values: ['*'] }), '*')).toBeNull()
    expect(problemOf(schema('enum-or-path', { values: ['project-state'] }), 'project-state')).toBeNull()
  })

  it('checks each bound of a range on its own', () => {
    const check = (min: number | null, max: number | null, value: number) =>
      problemOf(schema('int', { range: { min, max } }), value)
    expect(check(0, null, 99)).toBeNull()
    expect(check(0, null, -1)?.message).toContain('outside range [0, ~]')
    expect(check(null, 5, -99)).toBeNull()
    expect(check(null, 5, 6)?.code).toBe('outside-range')
  })

  it('checks the elements of a list and their number', () => {
    expect(problemOf(schema('list', { items: 'int' }), [1, 'a'])?.message).toContain('element 2: requires numeric')
    expect(problemOf(schema('list', { range: { min: 1, max: null } }), [])?.code).toBe('outside-range')
  })

  it('answers every value of every type without throwing', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<ArgumentType>(
          'int',
          'list',
          'map',
          'duration',
          'path-glob',
          'int-or-range',
          'regex',
          'severity'
        ),
        fc.jsonValue(),
        (type, value) => {
          problemOf(schema(type), value as ArgValue)
        }
      )
    )
  })
})
