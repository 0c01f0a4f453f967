import { expect, test } from 'vitest'
import { plainLine } from '../../src/app/plain-lines.ts'
import type { GhyllEvent } from '../../src/protocol/event.ts'
import { sessionId } from '../../src/protocol/ids.ts'

const told = (event: Record<string, unknown>) =>
  plainLine({ ...event, session: sessionId('s'), at: 0 } as unknown as GhyllEvent)

test('a wait before another attempt is a line, so that the pause is no riddle (SESS-047)', () => {
  const waiting = { what: 'retry', label: 'm25: retrying in', since: 0, count: 4 }
  expect(told({ kind: 'waiting-changed', waiting })).toBe('· m25: retrying in 4s')
  expect(told({ kind: 'waiting-changed', waiting: { ...waiting, what: 'model' } })).toBeNull()
  expect(told({ kind: 'waiting-changed', waiting: null })).toBeNull()
})

test.each([
  ['done', '⏵'],
  ['failed', '✗'],
  ['interrupted', '⚠']
])('a call that is %s begins with %s (TERM-62)', (status, glyph) => {
  const entry = { call: { name: 'read_file', arguments: '{"path":"a"}' }, status, meta: { summary: 'so it went' } }
  expect(told({ kind: 'tool-ended', entry })).toBe(`${glyph} read_file {"path":"a"}  so it went`)
})

test('a notice has its glyph, its hint on a line of its own, and no escape sequence (SESS-150)', () => {
  expect(told({ kind: 'notice', level: 'error', text: 'no\x1b[2J', hint: 'ask' })).toBe('✗ no\n  ask')
})

test('a tool name takes no more room than its arguments, whatever a model calls it (TOOL-124)', () => {
  const call = { name: `\x1b[2J${'n'.repeat(400_000)}\nx`, arguments: '{}' }
  const entry = { call, status: 'failed', meta: { summary: 'so it went' } }
  expect(told({ kind: 'tool-ended', entry })).toBe(`✗ ${'n'.repeat(79)}… {}  so it went`)
})
