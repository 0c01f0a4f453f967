import { expect, test } from 'vitest'
import type { SessionEnd } from '../../src/agent/session/index.ts'
import { endOf } from '../../src/app/ending.ts'
import { fakeSession } from '../support/session.ts'

const one = { hash: 'abcdef0123456789', index: 0, turn: 1 }

function ended(turn: number, more: Partial<SessionEnd> = {}): SessionEnd {
  const state = { ...fakeSession().session.state(), turn }
  return { state, wasBusy: false, checkpoint: null, isUnsaved: false, ...more }
}

const leaving = { signal: null, canBeResumed: true }

test('an unused session says that it ended, and no more (SESS-141)', () => {
  expect(endOf(ended(0), leaving)).toEqual({ lines: ['ghyll: session ended.'], exitCode: 0 })
})

test('a used one tells turns, tokens, its last checkpoint and how to go on (TERM-6)', () => {
  expect(endOf(ended(1, { checkpoint: one }), leaving).lines).toEqual([
    'ghyll: session ended; final checkpoint written.',
    '  1 turn, 0 tokens',
    '  last checkpoint abcdef012345',
    '  resume with: ghyll run --resume'
  ])
})

test('a final checkpoint that failed is not called written (SESS-141)', () => {
  const first = (end: SessionEnd) => endOf(end, leaving).lines[0]
  expect(first(ended(2, { checkpoint: one, isUnsaved: true }))).toBe(
    'ghyll: session ended; final checkpoint not written.'
  )
  expect(first(ended(2, { isUnsaved: true }))).toBe('ghyll: session ended; final checkpoint not written.')
})

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129]
] as const)('%s counts in the exit code only when it ended a busy session (SESS-143)', (signal, code) => {
  expect(endOf(ended(1, { wasBusy: true }), { ...leaving, signal }).exitCode).toBe(code)
  expect(endOf(ended(1), { ...leaving, signal }).exitCode).toBe(0)
})
