import { describe, expect, it } from 'vitest'
import type { Args } from '../../../src/protocol/grid.ts'
import { evaluate, projects } from './bench.ts'

const project = projects()
const check = (dir: string, rule: string, more: Args = {}) =>
  evaluate(dir, 'unique-definition', { scope: 'specs/**', field: 'term', 'field-locator-rule': rule, ...more })

describe('unique-definition (CONC-73, CONC-74)', () => {
  it('passes over distinct headings and counts them', async () => {
    const { dir } = await project({ 'specs/a.md': '# Terms\n## Order\n## Basket\n### Order\n' })
    expect(await check(dir, 'heading:2')).toMatchObject({
      status: 'pass',
      details: { 'value-count': 2, duplicates: [] }
    })
  })

  it('fails for a value seen twice, in one file or in two, sorted by value', async () => {
    const { dir } = await project({ 'specs/a.md': '## Order\n## Basket\n## Order\n', 'specs/b.md': '## Basket \n' })
    const result = await check(dir, 'heading:2')
    expect(result.status).toBe('fail')
    expect(result.details.duplicates).toEqual([
      { value: 'Basket', locations: ['specs/a.md:2', 'specs/b.md:1'] },
      { value: 'Order', locations: ['specs/a.md:1', 'specs/a.md:3'] }
    ])
  })

  it('folds case when asked to', async () => {
    const { dir } = await project({ 'specs/a.md': '## ÄRGER\n## ärger\n' })
    expect(await check(dir, 'heading:2')).toMatchObject({ status: 'pass' })
    expect(await check(dir, 'heading:2', { 'case-sensitive': false })).toMatchObject({ status: 'fail' })
  })

  it('takes the first capture of each line, or the whole match', async () => {
    const { dir } = await project({ 'specs/a': 'id: A\nid: B id: A\nid: C\n' })
    expect(await check(dir, 'regex:id: (\\w+)')).toMatchObject({ status: 'pass', details: { 'value-count': 3 } })
    const { dir: other } = await project({ 'specs/a': 'id: A\nx id: A\n' })
    expect(await check(other, 'regex:id: \\w+')).toMatchObject({ status: 'fail' })
  })

  it('reads scalars at a path of YAML, through sequences and documents', async () => {
    const yaml = 'a:\n  - id: one\n  - id: two\n  - name: none\n  - id: ""\n  - id:\n---\na:\n  - id: one\n'
    const { dir } = await project({ 'specs/a.yaml': yaml })
    expect((await check(dir, 'yaml-path:a[].id')).details.duplicates).toEqual([
      { value: 'one', locations: ['specs/a.yaml:2', 'specs/a.yaml:9'] }
    ])
    expect(await check(dir, 'yaml-path:a[].name')).toMatchObject({ status: 'pass', details: { 'value-count': 1 } })
  })

  it('reads a column of CSV, quoted cells included', async () => {
    const csv = 'term,meaning\n"a, ""b""","x\ny"\nc,z\n"a, ""b""",w\n,\n,\n'
    const { dir } = await project({ 'specs/a.csv': csv })
    for (const rule of ['column-name', 'column:term'])
      expect((await check(dir, rule)).details.duplicates).toEqual([
        { value: 'a, "b"', locations: ['specs/a.csv:2', 'specs/a.csv:5'] }
      ])
    expect(await check(dir, 'column:meaning')).toMatchObject({ status: 'pass', details: { 'value-count': 3 } })
  })

  it('leaves the clause open when nothing is located', async () => {
    const { dir } = await project({ 'specs/a.md': 'no heading' })
    expect(await check(dir, 'heading:2')).toMatchObject({
      status: 'unevaluated',
      reason: 'no-rule-selectable-locations'
    })
  })

  it('leaves it open over YAML that cannot be read, unless a duplicate stands elsewhere', async () => {
    const { dir, write } = await project({ 'specs/a.yaml': 'id: x\n', 'specs/b.yaml': 'id: [\n' })
    expect(await check(dir, 'yaml-path:id')).toMatchObject({ reason: 'scan-incomplete' })
    await write('specs/c.yaml', 'id: x\n')
    expect(await check(dir, 'yaml-path:id')).toMatchObject({ status: 'fail' })
  })

  it('gives up on YAML made to explode', async () => {
    const { dir } = await project({
      'specs/a.yaml': `a: &a x\nl: [${'*a,'.repeat(2000)}]\n`,
      'specs/b.yaml': '['.repeat(50_000)
    })
    expect(await check(dir, 'yaml-path:l')).toMatchObject({ reason: 'evaluator-error' })
  })

  it.each(['heading:7', 'xpath://a', 'heading:', 'regex:(', 'regex:a*', 'yaml-path:a..b'])(
    'does not know %s',
    async (rule) => {
      const { dir } = await project({ 'specs/a.md': '## x' })
      expect(await check(dir, rule)).toMatchObject({ status: 'unevaluated', reason: 'evaluator-error' })
    }
  )
})
