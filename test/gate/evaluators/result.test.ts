import { describe, expect, it } from 'vitest'
import { evaluator, passed, Undecided } from '../../../src/gate/evaluators/result.ts'
import { AssertionFailed, assert } from '../../../src/lib/assert.ts'
import type { EvaluationContext } from '../../../src/protocol/evaluation.ts'

const going = { signal: new AbortController().signal } as EvaluationContext
const cancelled = { signal: AbortSignal.abort() } as EvaluationContext

describe('an evaluator', () => {
  it('stops wherever it cannot decide, with the reason it gave', async () => {
    const check = evaluator(() => {
      throw new Undecided('store-unavailable', 'no store', { tried: 2 })
    })
    expect(await check(going)).toEqual({
      status: 'unevaluated',
      reason: 'store-unavailable',
      details: { error: 'no store', tried: 2 }
    })
  })

  it('gives no verdict once it was cancelled, whatever became of it (CONC-23)', async () => {
    const answer = { status: 'unevaluated', reason: 'evaluator-cancelled', details: { error: 'evaluator-cancelled' } }
    expect(await evaluator(async () => passed({}))(cancelled)).toEqual(answer)
    const broken = evaluator(() => Promise.reject(new Error('the child is gone')))
    expect(await broken(cancelled)).toEqual(answer)
    await expect(broken(going)).rejects.toThrow('the child is gone')
  })

  it.each([going, cancelled])('lets a bug through, cancelled or not', async (context) => {
    const check = evaluator(async () => {
      assert(false, 'a bug')
    })
    await expect(check(context)).rejects.toThrow(AssertionFailed)
  })
})
