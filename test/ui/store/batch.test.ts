import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { GhyllEvent } from '../../../src/protocol/event.ts'
import { entryId, sessionId } from '../../../src/protocol/ids.ts'
import { createGatherer } from '../../../ui/store/batch.ts'

const base = { session: sessionId('s'), at: 0 }
const delta = (text: string, channel: 'text' | 'reasoning' = 'text'): GhyllEvent => ({
  ...base,
  kind: 'reply-delta',
  entry: entryId('a'),
  channel,
  text
})
const durable: GhyllEvent = { ...base, kind: 'turn-started', turn: 1 }

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function gathering() {
  const applied: (readonly GhyllEvent[])[] = []
  return { applied, gatherer: createGatherer((events) => applied.push(events)) }
}

test('transient events wait for the frame and neighbouring deltas become one (TERM-11)', () => {
  const { applied, gatherer } = gathering()
  for (const text of ['a', 'b', 'c']) gatherer.push(delta(text))
  expect(applied).toEqual([])
  vi.advanceTimersByTime(33)
  expect(applied).toEqual([[delta('abc')]])
})

test('500 tokens a second make at most thirty frames', () => {
  const { applied, gatherer } = gathering()
  for (let index = 0; index < 500; index++) {
    gatherer.push(delta('x'))
    vi.advanceTimersByTime(2)
  }
  expect(applied.length).toBeLessThanOrEqual(30)
  const text = applied.flat().map((event) => (event.kind === 'reply-delta' ? event.text : ''))
  expect(text.join('').length).toBeGreaterThan(480)
})

test('a durable event passes at once and takes along what came before it, in order', () => {
  const { applied, gatherer } = gathering()
  gatherer.push(delta('a'))
  gatherer.push(delta('b', 'reasoning'))
  gatherer.push(durable)
  expect(applied).toEqual([[delta('a'), delta('b', 'reasoning'), durable]])
  vi.advanceTimersByTime(100)
  expect(applied).toHaveLength(1)
})

test('after the end nothing arrives any more', () => {
  const { applied, gatherer } = gathering()
  gatherer.push(delta('a'))
  gatherer.stop()
  gatherer.push(durable)
  vi.advanceTimersByTime(100)
  expect(applied).toEqual([])
})
