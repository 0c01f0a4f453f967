import { describe, expect, it } from 'vitest'
import { evaluate, projects } from './bench.ts'

const project = projects()
const features = { from: 'specs/*.feature', to: 'map.md#Map', 'link-rule': '@id:([A-Za-z0-9_.-]+)' }
const map = '# Map\n\n| Feature | Module |\n|---|---|\n| FEAT-1 | a |\n| FEAT-2 | b |\n'

describe('trace-link-present (CONC-69…72)', () => {
  it('passes when every file links to an entry', async () => {
    const { dir } = await project({
      'specs/a.feature': '@id:FEAT-1\n',
      'specs/b.feature': 'x\n@id:FEAT-2',
      'map.md': map
    })
    expect(await evaluate(dir, 'trace-link-present', features)).toEqual({
      status: 'pass',
      reason: null,
      details: {
        'files-in-scope': 2,
        violations: [],
        targets: [
          { 'from-entry': 'specs/a.feature', 'resolved-to': ['map.md:5'] },
          { 'from-entry': 'specs/b.feature', 'resolved-to': ['map.md:6'] }
        ],
        'from-count': 2,
        'to-count': 2
      }
    })
  })

  it('fails for an entry whose link leads nowhere, or that has none', async () => {
    const { dir } = await project({ 'specs/a.feature': '@id:FEAT-9\n', 'specs/b.feature': 'x', 'map.md': map })
    const result = await evaluate(dir, 'trace-link-present', features)
    expect(result.status).toBe('fail')
    expect(result.details.violations).toEqual([
      { 'from-entry': 'specs/a.feature', location: 'specs/a.feature:1', count: 0, 'expected-range': [1, null] },
      { 'from-entry': 'specs/b.feature', location: 'specs/b.feature:1', count: 0, 'expected-range': [1, null] }
    ])
  })

  it('lets a file answer to its path, its name, and its name without extension (CONC-70)', async () => {
    const { dir } = await project({
      'm.md': '# Modules\n- auth\n- billing.md\n- if/auth.md\n',
      'if/auth.md': '',
      'if/billing.md': '',
      'if/old/auth.md': ''
    })
    const args = { from: 'm.md#Modules', to: 'if/**/*.md', 'link-rule': '([A-Za-z][A-Za-z0-9_./-]*)' }
    const result = await evaluate(dir, 'trace-link-present', args)
    expect(result).toMatchObject({ status: 'pass', details: { 'from-count': 3, 'to-count': 3 } })
    expect(result.details.targets).toMatchObject([
      { 'from-entry': 'auth', 'resolved-to': ['if/auth.md', 'if/old/auth.md'] },
      { 'resolved-to': ['if/billing.md'] },
      { 'resolved-to': ['if/auth.md'] }
    ])
  })

  it('takes off the whole ending that the glob spells (CONC-70)', async () => {
    const { dir } = await project({
      'm.md': '# Cases\n- INT-1\n- INT-2\n',
      'cases/INT-1.spec.md': '',
      'cases/INT-2.old.spec.md': '',
      'cases/.spec.md': ''
    })
    const args = { from: 'm.md#Cases', to: 'cases/*.spec.md', 'link-rule': '(INT-\\d+)' }
    const result = await evaluate(dir, 'trace-link-present', args)
    expect(result.status).toBe('fail')
    expect(result.details.targets).toMatchObject([{ 'resolved-to': ['cases/INT-1.spec.md'] }, { 'resolved-to': [] }])
    expect(result.details.violations).toMatchObject([{ 'from-entry': 'INT-2' }])
  })

  it('counts distinct candidates that resolve, against both bounds', async () => {
    const { dir } = await project({ 'specs/a.feature': '@id:FEAT-1 @id:FEAT-1\n@id:FEAT-2 @id:FEAT-7', 'map.md': map })
    const check = async (min: number, max: number) =>
      (await evaluate(dir, 'trace-link-present', { ...features, 'min-multiplicity': min, 'max-multiplicity': max }))
        .status
    expect([await check(2, 2), await check(3, 3), await check(0, 1)]).toEqual(['pass', 'fail', 'fail'])
  })

  it('takes the first capture that is not empty', async () => {
    const { dir } = await project({ 'specs/a.feature': '@FEAT-1', 'map.md': map })
    const args = { ...features, 'link-rule': '(?:#(\\S*)|@(\\S*))' }
    expect(await evaluate(dir, 'trace-link-present', args)).toMatchObject({ status: 'pass' })
  })

  it('finds the one entry of a manual id', async () => {
    const { dir } = await project({ 'inv.md': '- rule about FEAT-1\n  id: INV-001\n- other', 'map.md': map })
    const args = { ...features, from: 'INV-001', 'link-rule': '(FEAT-\\d+)' }
    expect(await evaluate(dir, 'trace-link-present', args)).toMatchObject({
      status: 'pass',
      details: { 'from-count': 1, targets: [{ 'from-entry': 'INV-001' }] }
    })
  })

  it('decides an empty side first, as it is told to', async () => {
    const { dir } = await project()
    expect(await evaluate(dir, 'trace-link-present', features)).toMatchObject({
      status: 'unevaluated',
      reason: 'no-rule-selectable-locations',
      details: { 'from-count': 0 }
    })
    expect(await evaluate(dir, 'trace-link-present', { ...features, 'on-empty-from': 'pass' })).toMatchObject({
      status: 'pass',
      details: { vacuous: true }
    })
  })

  it.each([
    ['a target glob without files', { to: 'if/*.md' }],
    ['a target file that is not there', { to: 'mop.md#Map' }],
    ['a heading that is not there', { to: 'map.md#Mop' }]
  ])('leaves the clause open over %s', async (_, more) => {
    const { dir } = await project({ 'specs/a.feature': '@id:FEAT-1', 'map.md': map })
    expect(await evaluate(dir, 'trace-link-present', { ...features, ...more })).toMatchObject({
      status: 'unevaluated',
      reason: 'no-rule-selectable-locations'
    })
  })

  it('fails against an empty section, which is there', async () => {
    const { dir } = await project({ 'specs/a.feature': '@id:FEAT-1', 'map.md': '# Map\nnothing yet\n' })
    expect(await evaluate(dir, 'trace-link-present', features)).toMatchObject({
      status: 'fail',
      details: { 'to-count': 0 }
    })
  })

  it.each([['('], ['x'], ['(x)?'], ['(x*)']])('does not judge by the rule %s', async (rule) => {
    const { dir } = await project({ 'specs/a.feature': '@id:FEAT-1', 'map.md': map })
    expect(await evaluate(dir, 'trace-link-present', { ...features, 'link-rule': rule })).toMatchObject({
      status: 'unevaluated',
      reason: 'evaluator-error'
    })
  })

  it('flags a file with more than 10 000 captures and leaves it open when they do not suffice', async () => {
    const { dir } = await project({ 'specs/a.feature': '@id:X\n'.repeat(10_001), 'map.md': map })
    const result = await evaluate(dir, 'trace-link-present', features)
    expect(result).toMatchObject({ reason: 'scan-incomplete', details: { targets: [{ truncated: true }] } })
  })

  it('leaves open what depends on a target that could not be read', async () => {
    const { dir } = await project({
      'specs/a.feature': '@id:FEAT-1',
      'map.md': `# Map\n${'x'.repeat(1024 * 1024 + 1)}`
    })
    const result = await evaluate(dir, 'trace-link-present', features)
    expect(result.status).toBe('unevaluated')
  })
})
