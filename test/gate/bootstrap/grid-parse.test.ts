import { describe, expect, test } from 'vitest'
import { parseGrid } from '../../../src/gate/bootstrap/grid-parse.ts'
import { gridText } from '../../../src/gate/bootstrap/grid-text.ts'
import { loadCatalogue } from '../../../src/gate/catalogue/index.ts'
import { arrowOf, gridOf, machineClause } from '../../support/grid.ts'

const catalogue = loadCatalogue()
const sound = gridText(gridOf())
const problemOf = (text: string) => {
  const read = parseGrid(text, catalogue)
  return 'problem' in read ? `${read.problem.at}: ${read.problem.text}` : null
}
const changed = (from: string | RegExp, to: string) => {
  const text = sound.replace(from, to)
  expect(text).not.toBe(sound)
  return problemOf(text)
}

describe('INIT-71: a reader that nothing in a file can trick', () => {
  const explosive = ['a: &a [x, x, x, x, x, x, x, x, x, x]']
  for (const [from, to] of ['ab', 'bc', 'cd', 'de', 'ef', 'fg', 'gh'].map((pair) => [...pair]))
    explosive.push(`${to}: &${to} [${Array(10).fill(`*${from}`).join(', ')}]`)

  const many = (value: string) => `more: [${Array(50_000).fill(value).join(', ')}]\n`

  test.each([
    ['a duplicate key', `${sound}mode: brownfield\n`, /^line \d+: duplicate key "mode"/],
    ['a duplicate key deep inside', sound.replace('id: C1,', 'id: C1, id: C2,'), /duplicate key "id"/],
    ['a tag of its own', sound.replace('mode: greenfield', 'mode: !evil greenfield'), /^line \d+: TAG_RESOLVE_FAILED/],
    ['a language tag', sound.replace('mode: greenfield', 'mode: !!js/function "x"'), /TAG_RESOLVE_FAILED/],
    ['binary', sound.replace('mode: greenfield', 'mode: !!binary aGk='), /TAG_RESOLVE_FAILED/],
    ['anchors that explode', `${explosive.join('\n')}\n`, /anchors expand beyond 10000 nodes/],
    ['an anchor that contains itself', `${sound}more: &x [*x]\n`, /anchors expand beyond 10000 nodes/],
    ['more aliases than anybody writes', `${sound}one: &x 1\n${many('*x')}`, /anchors expand beyond 10000 nodes/],
    ['nesting nobody needs', `${sound}more: ${'['.repeat(500)}${']'.repeat(500)}\n`, /nested deeper than 100 levels/],
    ['an alias without anchor', `${sound}more: *x\n`, /Unresolved alias/],
    ['two documents', `${sound}---\n${sound}`, /MULTIPLE_DOCS/],
    ['a key that is no name', `${sound}? [a]\n: b\n`, /a key has to be a plain name/],
    ['a key that reaches for the prototype', `${sound}__proto__: { x: 1 }\n`, /a key has to be a plain name/],
    ['nesting without end', '['.repeat(50_000), /RESOURCE_EXHAUSTION|call stack/],
    ['9 MB', `# ${'x'.repeat(9 * 1024 * 1024)}\n${sound}`, /larger than 8 MiB/],
    ['no YAML', 'a: [1', /^line 1: /],
    ['nothing', '', /expected object/],
    ['a number no JSON has', `${sound}more: .nan\n`, /a value that YAML and JSON do not share/]
  ])('%s is refused', (_name, text, problem) => {
    expect(problemOf(text)).toMatch(problem)
  })

  test('aliases that stay small are read, each as the last anchor of its name before it', () => {
    expect(problemOf(`${sound}one: &x [1, 2]\ntwo: *x\n`)).toBeNull()
    const read = parseGrid(`${sound}one: &x 1\ntwo: *x\nthree: &x { a: 3 }\nfour: *x\n`, catalogue)
    expect('grid' in read && read.grid.extra).toEqual({ one: 1, two: 1, three: { a: 3 }, four: { a: 3 } })
  })

  test('keys nobody knows are kept, told, and written again', () => {
    const text = sound
      .replace('mode: greenfield', 'mode: greenfield\nx-note: { by: [hand] }')
      .replace('{ id: C1,', '{ id: C1, x-mark: 7,')
    const read = parseGrid(text, catalogue)
    expect('grid' in read && read.unknownKeys).toEqual(['arrows[0].clauses[0].x-mark', 'x-note'])
    expect('grid' in read && [read.grid.extra, read.grid.arrows[0]?.clauses[0]?.extra]).toEqual([
      { 'x-note': { by: ['hand'] } },
      { 'x-mark': 7 }
    ])
    const again = 'grid' in read ? parseGrid(gridText(read.grid), catalogue) : null
    expect(again).toEqual(read)
  })
})

describe('INIT-70: settings', () => {
  const settings = [
    'insufficient-basis-rounds-max',
    'remediation-rounds-max',
    'residue-note-max-bytes',
    'modal-pending-max-len'
  ]
  test.each(settings)('%s', (key) => {
    const line = new RegExp(`${key}: \\d+`)
    expect(changed(line, `${key}: -1`)).toBe(`${key}: ${key}-must-be-positive`)
    expect(changed(line, `${key}: 2.5`)).toBe(`${key}: ${key}-must-be-integer`)
    expect(changed(line, `${key}: many`)).toBe(`${key}: ${key}-must-be-integer`)
    expect(changed(line, `${key}: 0`)).toBe(/max-(bytes|len)$/.test(key) ? null : `${key}: ${key}-must-be-positive`)
    expect(changed(new RegExp(`${line.source}\n`), '')).toBeNull()
  })

  test('zero and absent limits read as their defaults, other absent settings too', () => {
    const text = sound
      .replace(/residue-note-max-bytes: \d+\n/, '')
      .replace(/modal-pending-max-len: \d+/, 'modal-pending-max-len: 0')
    const read = parseGrid(
      text.replace('severity-threshold: medium\n', '').replace('retention: keep-all\n', ''),
      catalogue
    )
    expect('grid' in read && read.grid).toEqual(gridOf())
  })
})

describe('GATE-13, GATE-15, GATE-70, GATE-75: sense', () => {
  test.each([
    [/depth: depth-robust,/, '', 'arrows[0].clauses[0].depth: clause-depth-type-unknown: missing'],
    ['depth: depth-robust', 'depth: robust', 'arrows[0].clauses[0].depth: clause-depth-type-unknown: "robust"'],
    [
      'min-tier: 2',
      'min-tier: 0',
      'arrows[0].clauses[1].min-tier: clause-depth-requirement-invalid: depth-sensitive needs min-tier 1..3, got 0'
    ],
    [
      'severity-threshold: medium',
      'severity-threshold: high',
      'severity-threshold: severity-threshold-weakened: no residue entry says why'
    ],
    [
      'cost: 3',
      'cost: 2',
      'arrows[0].clauses[1].cost: cannot-weaken-default: lower cost: 2, and C11 of the analyst costs 3'
    ],
    ['concept: no-todo-marker', 'concept: no-such', 'arrows[0].clauses[0].concept: unknown concept "no-such"'],
    ['tier: 3', 'tier: 2', 'depth-ladder: depth-ladder needs the tiers 0 to 3, each once'],
    [
      'min-tier: 0,',
      'min-tier: 0, deferred: true,',
      'arrows[0].clauses[0].deferred: `deferred: true` and `missing` go together'
    ],
    [
      'retention: keep-all',
      'retention: { max-count: 0 }',
      'retention: keep-all, {max-count: <n>} or {max-age: <duration>}'
    ],
    [
      'depth-ladder:',
      'language-bindings: { no-todo-marker.go: x }\ndepth-ladder:',
      'language-bindings.no-todo-marker.go: language-binding-invalid: "no-todo-marker.go": the concept needs no binding'
    ],
    [/created-at: .*/, 'created-at: yesterday', 'created-at: not a time in UTC (RFC 3339)']
  ] as [string | RegExp, string, string][])('%s → %s', (from, to, problem) => {
    expect(changed(from, to)).toBe(problem)
  })

  test('other spellings of a depth type are read (GATE-16); absent dependencies are not none (GATE-90)', () => {
    expect(changed('depth: depth-robust', 'depth: Depth_Robust')).toBeNull()
    const read = parseGrid(gridText(gridOf({ arrows: [arrowOf({ dependencies: null })] })), catalogue)
    expect('grid' in read && read.grid.arrows[0]?.dependencies).toBeNull()
  })

  test('INIT-59: an alias gives each clause values of its own', () => {
    const text = gridText(gridOf({ arrows: [arrowOf({ clauses: [machineClause(), machineClause({ id: 'C2' })] })] }))
    const aliased = text.replace('args: {', 'args: &a {').replace(/(id: C2[\s\S]*?)args: \{[^}]*\}/, '$1args: *a')
    const read = parseGrid(aliased, catalogue)
    expect('grid' in read).toBe(true)
    const [one, two] = 'grid' in read ? read.grid.arrows[0]!.clauses : []
    expect(one?.args).toEqual(two?.args)
    expect(one?.args).not.toBe(two?.args)
  })
})
