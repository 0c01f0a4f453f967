import { describe, expect, it } from 'vitest'
import {
  type Decided,
  evidenceText,
  noteOf,
  ofResult,
  undecided
} from '../../../../src/gate/runner/dispatch/evaluate.ts'
import type { EvaluationResult } from '../../../../src/protocol/gate.ts'
import { failResult, passResult } from '../../../support/gates.ts'

const at = '2026-01-01T00:00:00.000000001Z'
const decided = (result: EvaluationResult, more: Partial<Decided> = {}): Decided => ({
  ...ofResult(result, 3, at),
  ...more
})
const stuck = (more: Partial<EvaluationResult> = {}): EvaluationResult => ({
  ...{ status: 'unevaluated', reason: 'evaluator-timeout', details: {} },
  ...more
})

describe('what an evaluator answered (RUN-230)', () => {
  it('is taken as it is, with its generation; a reason goes with unevaluated alone', () => {
    expect(ofResult(passResult, 3, at)).toMatchObject({
      status: 'pass',
      reason: null,
      generation: 3,
      startedAt: at,
      runError: ''
    })
    expect(ofResult({ ...failResult, reason: 'evaluator-error' }, 3, at)).toMatchObject({
      status: 'fail',
      reason: null
    })
    expect(ofResult(stuck(), 3, at)).toMatchObject({ status: 'unevaluated', reason: 'evaluator-timeout', runError: '' })
  })

  it('is its own error when it names no reason or an unknown status', () => {
    expect(ofResult(stuck({ reason: null }), 3, at)).toMatchObject({ reason: 'evaluator-error', runError: '' })
    expect(ofResult({ ...passResult, status: 'green' as 'pass' }, 3, at)).toMatchObject({
      ...{ status: 'unevaluated', reason: 'evaluator-error', result: null },
      runError: 'the evaluator answered "green"'
    })
  })
})

it.each([
  [undecided('args-unbound', at), 'args-unbound'],
  [decided(stuck(), { runError: 'spawn\nfailed' }), 'spawn failed'],
  [decided(failResult), 'two markers found'],
  [decided({ ...failResult, details: { error: 'a\nb' } }), 'a b'],
  [decided({ ...failResult, details: {} }), ''],
  [decided({ ...failResult, details: { error: 7 } }), ''],
  [decided(stuck()), 'evaluator-timeout'],
  [decided(stuck({ details: { error: '' } })), 'evaluator-timeout'],
  [decided(passResult), ''],
  [decided({ ...passResult, details: { error: 'no matter' } }), ''],
  [decided({ ...passResult, details: { vacuous: true } }), 'vacuous'],
  [decided({ ...failResult, details: { vacuous: true } }), '']
] as const)('%j says in one line "%s" (OPUI-323, CONC-35)', (given, note) => {
  expect(noteOf(given)).toBe(note)
})

it.each([
  [decided(passResult), 'pass'],
  [decided({ ...failResult, details: { error: 'two markers', at: ['a:1'] } }), 'fail\nerror: two markers\nat: ["a:1"]'],
  [decided(stuck(), { runError: 'spawn' }), 'unevaluated (evaluator-timeout)\nspawn'],
  [undecided('args-unbound', at), 'unevaluated (args-unbound)']
] as const)('%j is evidence beside a question as "%s" (RUN-230)', (given, text) => {
  expect(evidenceText(given)).toBe(text)
})
