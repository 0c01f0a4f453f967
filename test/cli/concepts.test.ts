import { describe, expect, test } from 'vitest'
import { cli } from './support.ts'

describe('CLI-019b, CONC-6: ghyll concepts', () => {
  test('lists name, kind, category and cost of all 18, without a configuration', async () => {
    const { code, out, err } = await cli(['concepts'])
    expect([code, err]).toEqual([0, ''])
    const lines = out.trimEnd().split('\n')
    expect(lines).toHaveLength(19)
    expect(lines[0]).toMatch(/^CONCEPT +KIND +CATEGORY +COST$/)
    expect(lines[1]).toMatch(/^compiles +bound +base +0$/)
    expect(lines[5]).toMatch(/^no-open-finding +universal +auto-inserted +1$/)
  })

  test('shows the argument table of one', async () => {
    const { code, out } = await cli(['concepts', 'mutation-score'])
    expect(code).toBe(0)
    expect(out).toContain('kind bound, category per-arrow, cost 3\n')
    expect(out).toMatch(/^threshold +number +yes +- +0\.\.1 +Lowest score that passes\.$/m)
    expect(out).toMatch(/^timeout-per-mutation +duration +no +"30s" +- /m)
  })

  test('both as JSON', async () => {
    const all = JSON.parse((await cli(['concepts', '--json'])).out)
    expect(all).toHaveLength(18)
    expect(all[0]).toEqual({ concept: 'compiles', kind: 'bound', category: 'base', 'default-cost': 0 })
    const one = JSON.parse((await cli(['concepts', 'no-todo-marker', '--json'])).out)
    expect(one.arguments[1]).toMatchObject({ name: 'markers', default: ['TODO', 'TBD', '???', 'FIXME', 'XXX'] })
  })

  test('an unknown name ends in 1 and says where the list is', async () => {
    const { code, out, err } = await cli(['concepts', 'compile'])
    expect([code, out]).toEqual([1, ''])
    expect(err).toBe('ghyll: unknown concept "compile"\nrun "ghyll concepts" for the list\n')
  })
})
