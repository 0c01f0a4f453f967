import { AssertionFailed } from '../../lib/assert.ts'
import type { OperatorEvent } from '../../protocol/gate.ts'
import { eventProblem, type GateEvent } from './event-kinds.ts'
import type { Stamps } from './stamp.ts'

// The one channel on which the kernel tells what happened (EVT-110…117): in process, synchronous, in publish order, nothing
// queued, nothing dropped, nothing kept.

export type Subscriber = (event: OperatorEvent) => void

export interface Bus {
  publish(event: GateEvent): void
  /** An event put together outside the kernel, such as a writer's; checked like any other, at run time only. */
  relay(event: OperatorEvent): void
  /** `audit` marks a consumer that persists what it gets (EVT-110). Returns the function that ends it; twice is harmless (EVT-113). */
  subscribe(subscriber: Subscriber, tag?: 'audit'): () => void
  hasAuditSubscriber(): boolean
  /** How often subscribers threw, and audit-tagged ones among them (EVT-114). */
  failures(): { readonly all: number; readonly audit: number }
}

type Entry = { readonly call: Subscriber; readonly tag: 'audit' | undefined }

export type BusOptions = {
  readonly stamps: Stamps
  readonly warn: (message: string, cause: unknown) => void
  /** An event that breaks its schema throws; otherwise it is logged and delivered all the same (EVT-310). */
  readonly isStrict: boolean
}

/** A bus without subscribers. `isStrict`: an event that breaks its schema throws at its publisher (EVT-310). */
export function createBus({ stamps, warn, isStrict }: BusOptions): Bus {
  const entries = new Set<Entry>()
  const failures = { all: 0, audit: 0 }

  const deliver = (entry: Entry, event: OperatorEvent) => {
    try {
      entry.call(event)
    } catch (cause) {
      failures.all += 1
      if (entry.tag === 'audit') failures.audit += 1
      warn(`bus: a subscriber failed on ${event.kind}`, cause)
    }
  }

  const relay = (given: OperatorEvent) => {
    const problem = eventProblem(given)
    if (problem !== null && isStrict) throw new AssertionFailed(`event schema: ${problem}`)
    if (problem !== null) warn(`event schema: ${problem}`, undefined)
    const isStamped = given.timestamp !== undefined && given.timestamp !== ''
    const event = isStamped ? given : { ...given, timestamp: stamps.now() }
    // A snapshot: whoever joins meanwhile hears the next one, whoever left is not called again (EVT-112).
    for (const entry of [...entries]) if (entries.has(entry)) deliver(entry, event)
  }

  return {
    publish: relay,
    relay,
    subscribe(call, tag) {
      const entry = { call, tag }
      entries.add(entry)
      return () => {
        entries.delete(entry)
      }
    },
    hasAuditSubscriber: () => [...entries].some(({ tag }) => tag === 'audit'),
    failures: () => ({ ...failures })
  }
}
