import { describe, expect, it } from 'vitest'
import type { PatternRequest } from '../../../src/gate/evaluators/pattern-worker.ts'
import {
  captureCount,
  compileNonEmpty,
  compilePattern,
  patternBudgetMs,
  withPatterns
} from '../../../src/gate/evaluators/patterns.ts'
import { evaluator, passed, Undecided } from '../../../src/gate/evaluators/result.ts'
import type { EvaluationContext } from '../../../src/protocol/evaluation.ts'

const signal = new AbortController().signal
const request = (pattern: string, lines: string[], more: Partial<PatternRequest> = {}): PatternRequest => ({
  pattern,
  lines,
  mode: 'all',
  limit: 100,
  ...more
})
const endless = request('(a+)+$', [`${'a'.repeat(60)}!`])

describe('patterns of a clause (CONC-33)', () => {
  it('are searched line by line, with their captures', async () => {
    const found = await withPatterns({ signal }, (patterns) => patterns.search(request('(a)(b)?', ['xab a', '', 'B'])))
    expect(found).toEqual({
      matches: [
        { line: 0, groups: ['ab', 'a', 'b'] },
        { line: 0, groups: ['a', 'a', null] }
      ],
      count: 2,
      truncated: false,
      emptyMatch: false
    })
  })

  it('can be searched once per line, or only counted, up to a limit', async () => {
    await withPatterns({ signal }, async ({ search }) => {
      expect((await search(request('a', ['aa', 'a'], { mode: 'first' }))).matches).toHaveLength(2)
      expect(await search(request('a', ['aa', 'a'], { mode: 'count' }))).toMatchObject({ count: 3, matches: [] })
      expect(await search(request('a', ['aa', 'aa'], { limit: 3 }))).toMatchObject({ count: 3, truncated: true })
      expect(await search(request('a', ['aaa'], { limit: 3 }))).toMatchObject({ count: 3, truncated: false })
      expect(await search(request('(?=a)', ['a']))).toMatchObject({ emptyMatch: true })
    })
  })

  it('run over their budget and are stopped, while this thread goes on', async () => {
    let ticks = 0
    const timer = setInterval(() => {
      ticks += 1
    }, 10)
    const running = withPatterns({ signal }, ({ search }) => search(endless), 300)
    await expect(running).rejects.toMatchObject({ reason: 'evaluator-timeout', details: { 'timed-out-after': '0.3s' } })
    clearInterval(timer)
    expect(ticks).toBeGreaterThan(3)
  })

  it('have ten seconds, and an evaluator over them leaves its clause open', async () => {
    expect(patternBudgetMs).toBe(10_000)
    const check = evaluator((context) =>
      withPatterns(context, async ({ search }) => passed({ ...(await search(endless)) }), 200)
    )
    expect(await check({ signal } as EvaluationContext)).toEqual({
      status: 'unevaluated',
      reason: 'evaluator-timeout',
      details: { error: 'evaluator-timeout', 'timed-out-after': '0.2s' }
    })
  })

  it('share one budget', async () => {
    await withPatterns(
      { signal },
      async ({ search }) => {
        await expect(search(endless)).rejects.toBeInstanceOf(Undecided)
        await expect(search(request('a', ['a']))).rejects.toMatchObject({ reason: 'evaluator-timeout' })
      },
      200
    )
  })

  it('end with the evaluation that is cancelled', async () => {
    const control = new AbortController()
    const running = withPatterns({ signal: control.signal }, async ({ search }) => {
      await search(request('a', ['a']))
      const searching = search(endless)
      control.abort()
      return searching
    })
    await expect(running).rejects.toMatchObject({ reason: 'evaluator-cancelled' })
  })

  it('are refused when they do not compile, or match nothing at all where that would count', () => {
    expect(() => compilePattern('(')).toThrow(/^invalid pattern: /)
    for (const pattern of ['a*', '', '^', '(x)?', '$|b']) expect(() => compileNonEmpty(pattern)).toThrow('empty string')
    expect(compileNonEmpty('a+').unicode).toBe(true)
  })

  it.each([
    ['a', 0],
    ['(a)|(b)', 2],
    ['(?:a)', 0],
    ['(?<name>a)', 1],
    ['[(]', 0],
    ['(?=(a))b', 1]
  ])('%s has %i captures', (pattern, count) => {
    expect(captureCount(pattern)).toBe(count)
  })
})
