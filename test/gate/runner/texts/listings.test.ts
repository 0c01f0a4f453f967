import { describe, expect, it } from 'vitest'
import { noteOf, ofResult } from '../../../../src/gate/runner/dispatch/evaluate.ts'
import { outcomeWhy } from '../../../../src/gate/runner/texts/listings.ts'
import type { EvaluationResult } from '../../../../src/protocol/gate.ts'

const whyOf = (result: EvaluationResult) => {
  const decided = ofResult(result, 1, '')
  return outcomeWhy({ reason: decided.reason, note: noteOf(decided) })
}

describe('why a clause is what it is, in one line', () => {
  it('says of a pass only that it looked at nothing (CONC-35)', () => {
    expect(whyOf({ status: 'pass', reason: null, details: { vacuous: true } })).toBe('vacuous')
    expect(whyOf({ status: 'pass', reason: null, details: { error: 'left over' } })).toBe('')
  })

  it('says reason and message, each once', () => {
    expect(whyOf({ status: 'unevaluated', reason: 'args-unbound', details: {} })).toBe('args-unbound')
    expect(whyOf({ status: 'unevaluated', reason: 'evaluator-error', details: { error: 'bad pattern' } })).toBe(
      'evaluator-error: bad pattern'
    )
    expect(whyOf({ status: 'fail', reason: null, details: { error: 'no-tests' } })).toBe('no-tests')
    expect(whyOf({ status: 'fail', reason: null, details: { vacuous: true } })).toBe('')
  })
})
