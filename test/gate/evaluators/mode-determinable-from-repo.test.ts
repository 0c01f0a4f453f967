import { describe, expect, it } from 'vitest'
import { evaluate, projects } from './bench.ts'

const project = projects()
const check = (dir: string, rule: string) =>
  evaluate(dir, 'mode-determinable-from-repo', {
    discriminator: 'project-mode',
    rule,
    'valid-modes': ['greenfield', 'brownfield']
  })

describe('mode-determinable-from-repo (CONC-84, CONC-85)', () => {
  it('asks the profiler', async () => {
    const { dir } = await project()
    expect(await check(dir, 'builtin:profile')).toEqual({
      status: 'pass',
      reason: null,
      details: { mode: 'greenfield' }
    })
  })

  it.each([
    ['project-mode: brownfield\nother: x\n', 'pass'],
    ["a: b\n  project-mode :  'greenfield'  \n", 'pass'],
    ['brownfield\n\n', 'pass'],
    ['"greenfield"', 'pass'],
    ['project-mode: desert\n', 'fail'],
    ['a: b\nc: d\n', 'fail'],
    ['project-modes: greenfield\nx\n', 'fail'],
    ['', 'fail']
  ])('reads the file %j: %s', async (text, status) => {
    const { dir } = await project({ 'mode.txt': text })
    expect(await check(dir, 'file:mode.txt')).toMatchObject({ status })
  })

  it('fails without the file or with one too large, and does not judge by a path that leaves the project', async () => {
    const { dir, link } = await project({ 'big.txt': 'x'.repeat(256 * 1024 + 1), 'real.txt': 'greenfield' })
    await link('link.txt', 'real.txt')
    expect(await check(dir, 'file:absent.txt')).toMatchObject({ status: 'fail', details: { mode: '' } })
    expect(await check(dir, 'file:big.txt')).toMatchObject({ status: 'fail' })
    for (const path of ['../x', '/etc/hostname', 'link.txt'])
      expect(await check(dir, `file:${path}`)).toMatchObject({ status: 'unevaluated', reason: 'evaluator-error' })
  })

  it.each([
    ['echo greenfield', 'pass', undefined],
    ['echo noise; echo "project-mode: brownfield"', 'pass', undefined],
    ['cat', 'fail', 'no mode given'],
    ['echo desert', 'fail', 'unknown mode'],
    ['echo greenfield; exit 3', 'fail', 'rule failed'],
    ['kill -9 $$', 'fail', 'evaluator-killed-by-signal']
  ])('runs the rule %j: %s', async (rule, status, error) => {
    const { dir } = await project()
    const result = await check(dir, rule)
    expect(result.status).toBe(status)
    expect(result.details.error).toBe(error)
  })
})
