import { expect, test } from 'vitest'
import type { Item } from '../../../src/agent/session/facts.ts'
import { createMachine } from '../../../src/agent/session/loop.ts'
import { initialState } from '../../../src/agent/session/state.ts'
import type { DurableEvent } from '../../../src/protocol/event.ts'
import { sessionId } from '../../../src/protocol/ids.ts'

/** A machine whose store keeps each transaction, and what was told besides. */
function machine() {
  const order: string[] = []
  const transactions: number[] = []
  const store = {
    record(events: readonly DurableEvent[]) {
      transactions.push(events.length)
      order.push(...events.slice(0, 3).map(({ kind }) => kind))
    }
  }
  const ports = { clock: { now: () => 0 }, store, tell: ({ kind }: { kind: string }) => void order.push(kind) }
  const state = initialState(sessionId('s'), rules)
  return { ...createMachine(state, ports as unknown as Parameters<typeof createMachine>[1]), order, transactions }
}

const rules = { models: {}, routing: { defaultModel: 'fast', deepModel: null } } as unknown as Parameters<
  typeof initialState
>[1]
const counted: Item = {
  kind: 'usage-counted',
  model: 'fast',
  purpose: 'turn',
  usage: { prompt: 1, completion: 1, total: 2 },
  estimated: false
}
const told: Item = { kind: 'notice', level: 'info', text: 'told' }

test('neighbouring durable events are one transaction, and everything keeps its order (SESS-025, SESS-017)', () => {
  const { record, order, transactions } = machine()
  record([counted, counted, told, { fact: 'made-ready' }, counted])
  expect(transactions).toEqual([2, 1])
  expect(order).toEqual(['usage-counted', 'usage-counted', 'notice', 'usage-counted'])
})

test('as many events as a reply of many thousand calls leaves behind hold nobody up (MODEL-037)', () => {
  const { record, transactions, state } = machine()
  record(Array.from({ length: 300_000 }, () => counted))
  expect(transactions).toEqual([300_000])
  expect(state().usage[0]?.total).toBe(600_000)
})
