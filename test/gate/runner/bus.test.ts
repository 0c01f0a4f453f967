import { describe, expect, it } from 'vitest'
import { createBus } from '../../../src/gate/runner/bus.ts'
import { eventProblem, listText, payloads } from '../../../src/gate/runner/event-kinds.ts'
import { createStamps } from '../../../src/gate/runner/stamp.ts'
import type { OperatorEvent } from '../../../src/protocol/gate.ts'
import { manualClock } from '../../support/clock.ts'

function busOf(isStrict = true) {
  const warnings: string[] = []
  const bus = createBus({ stamps: createStamps(manualClock()), warn: (message) => warnings.push(message), isStrict })
  return { bus, warnings }
}
const event = { kind: 'binding-missing', payload: { count: '1', keys: 'a' } } as const
const other = { kind: 'amendment-queue-growing', payload: { count: '1', capacity: '2' } } as const

describe('the bus (EVT-110…117)', () => {
  it('stamps what has no time and keeps a time that is given', () => {
    const { bus } = busOf()
    const seen: (string | undefined)[] = []
    bus.subscribe(({ timestamp }) => seen.push(timestamp))
    bus.publish(event)
    bus.publish({ ...event, timestamp: '2020-01-01T00:00:00Z' })
    expect(seen).toEqual([expect.stringMatching(/^2026-01-01T00:00:00\.\d{9}Z$/), '2020-01-01T00:00:00Z'])
  })

  it('calls subscribers in the order they came, a nested event at once and depth first (EVT-112)', () => {
    const { bus } = busOf()
    const seen: string[] = []
    bus.subscribe(({ kind }) => {
      seen.push(`a:${kind}`)
      if (kind === 'binding-missing') bus.publish(other)
    })
    bus.subscribe(({ kind }) => seen.push(`b:${kind}`))
    bus.publish(event)
    expect(seen).toEqual([
      'a:binding-missing',
      'a:amendment-queue-growing',
      'b:amendment-queue-growing',
      'b:binding-missing'
    ])
  })

  it('lets a newcomer hear the next event first, and calls nobody who left meanwhile', () => {
    const { bus } = busOf()
    const seen: string[] = []
    let leave: () => void = () => undefined
    bus.subscribe(() => {
      if (seen.length > 0) return
      bus.subscribe(() => seen.push('newcomer'))
      leave()
      seen.push('first')
    })
    leave = bus.subscribe(() => seen.push('gone'))
    bus.publish(event)
    expect(seen).toEqual(['first'])
    leave()
    bus.publish(event)
    expect(seen).toEqual(['first', 'newcomer'])
  })

  it('survives a subscriber that throws, counts it, and audit ones apart (EVT-114)', () => {
    const { bus, warnings } = busOf()
    const seen: string[] = []
    const broken = () => {
      throw new Error('broken')
    }
    bus.subscribe(broken, 'audit')
    bus.subscribe(broken)
    bus.subscribe(() => seen.push('still here'))
    bus.publish(event)
    expect(seen).toEqual(['still here'])
    expect(bus.failures()).toEqual({ all: 2, audit: 1 })
    expect(warnings).toHaveLength(2)
  })

  it('knows whether somebody keeps what it tells (EVT-110)', () => {
    const { bus } = busOf()
    bus.subscribe(() => undefined)
    expect(bus.hasAuditSubscriber()).toBe(false)
    const leave = bus.subscribe(() => undefined, 'audit')
    expect(bus.hasAuditSubscriber()).toBe(true)
    leave()
    expect(bus.hasAuditSubscriber()).toBe(false)
  })

  it('stops a publisher whose event lacks something, and only logs it in production (EVT-310)', () => {
    const broken = { kind: 'binding-missing', payload: { count: '1' } } as unknown as typeof event
    expect(() => busOf(true).bus.publish(broken)).toThrow('binding-missing')
    const { bus, warnings } = busOf(false)
    const seen: string[] = []
    bus.subscribe(({ kind }) => seen.push(kind))
    bus.publish(broken)
    expect(seen).toEqual(['binding-missing'])
    expect(warnings).toHaveLength(1)
  })
})

describe('the table of kinds (EVT-310)', () => {
  it('has them all', () => {
    expect(Object.keys(payloads)).toHaveLength(40)
  })

  it('wants counts as decimal text (EVT-311)', () => {
    const growing = (count: string): OperatorEvent => ({ ...other, payload: { count, capacity: '2' } })
    expect(eventProblem(growing('12'))).toBeNull()
    expect(eventProblem(growing('-1'))).not.toBeNull()
    expect(eventProblem(growing('1.5'))).not.toBeNull()
  })

  it('wants one id in both places to be one id (EVT-312)', () => {
    const closed = (pass_id: string): OperatorEvent => ({
      kind: 'pass-closed',
      arrow_id: 'a',
      pass_id: 'p-1',
      role: 'analyst',
      payload: { arrow_id: 'a', pass_id, close_reason: 'ok', arrow_status: 'complete', outcome: 'closed' }
    })
    expect(eventProblem(closed('p-1'))).toBeNull()
    expect(eventProblem(closed('p-2'))).toBe('pass-closed: pass_id differs')
  })

  it('lets unknown kinds and further payload keys be (EVT-104, EVT-105)', () => {
    expect(eventProblem({ kind: 'something-new', payload: {} })).toBeNull()
    expect(eventProblem({ ...event, payload: { ...event.payload, more: 'x' } })).toBeNull()
  })

  it('caps the detail, 64 KiB for a hint and 4 KiB for anything else (EVT-100)', () => {
    expect(eventProblem({ ...event, detail: 'x'.repeat(4096) })).toBeNull()
    expect(eventProblem({ ...event, detail: 'x'.repeat(4097) })).toBe('binding-missing: detail is too long')
  })

  it('joins lists so that an id with a comma stays one', () => {
    expect(listText(['a', 'b,c', 'd%'])).toBe('a,b%2Cc,d%')
  })
})
