import { expect, test } from 'vitest'
import { createBus } from '../../src/app/bus.ts'
import type { GhyllEvent } from '../../src/protocol/event.ts'
import { sessionId } from '../../src/protocol/ids.ts'

const event = (text: string): GhyllEvent => ({ kind: 'notice', level: 'info', text, session: sessionId('s'), at: 0 })

test('every listener hears every event in publish order until it leaves', () => {
  const bus = createBus(() => expect.unreachable())
  const heard: string[] = []
  const note = (who: string) => (each: GhyllEvent) => heard.push(`${who}:${each.kind === 'notice' ? each.text : ''}`)
  const leave = bus.subscribe(note('a'))
  bus.subscribe(note('b'))
  bus.publish(event('1'))
  leave()
  leave()
  bus.publish(event('2'))
  expect(heard).toEqual(['a:1', 'b:1', 'b:2'])
})

test('a listener that throws is reported and hurts no other', () => {
  const reported: unknown[] = []
  const bus = createBus((thrown) => reported.push(thrown))
  let heard = 0
  bus.subscribe(() => {
    throw new Error('broken')
  })
  bus.subscribe(() => {
    heard += 1
  })
  bus.publish(event('1'))
  expect(heard).toBe(1)
  expect(reported).toHaveLength(1)
})

test('a listener added while an event is told hears only the next one', () => {
  const bus = createBus(() => expect.unreachable())
  let late = 0
  const stop = bus.subscribe(() => {
    stop()
    bus.subscribe(() => {
      late += 1
    })
  })
  bus.publish(event('1'))
  expect(late).toBe(0)
  bus.publish(event('2'))
  expect(late).toBe(1)
})
