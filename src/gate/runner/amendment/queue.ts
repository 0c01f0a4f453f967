import { byCodeUnit } from '../../../lib/compare.ts'
import type { Bus } from '../bus.ts'
import { listText } from '../event-kinds.ts'
import { createObservers } from '../observers.ts'
import type { Phase } from '../phase.ts'
import { type Refusal, refusal } from '../refusal.ts'
import type { Stamps } from '../stamp.ts'
import { type Amendment, type AmendmentRefusal, amendmentProblem, type NewAmendment } from './amendment.ts'

/** Most requests that wait at once (RUN-701). */
export const queueCapacity = 1024

export type EnqueueRefusal = AmendmentRefusal | Refusal<'amendment-queue-full' | 'amendment-duplicate-id'>

/** Requests to change the grid, first in, first out. What was drained is remembered: its id never comes back (RUN-701). */
export interface AmendmentQueue {
  enqueue(amendment: NewAmendment): { readonly queued: Amendment } | { readonly refused: EnqueueRefusal }
  head(): Amendment | null
  pending(): readonly Amendment[]
  /** Pending or drained, or null. */
  get(id: string): Amendment | null
  /** Only the head is ever drained. */
  markDrained(id: string, gridVersionAfter: number): Amendment
  counts(): { readonly pending: number; readonly drained: number }
  /** Takes over what is on disk, pending and drained (PERS-410). */
  load(amendments: Iterable<Amendment>): void
  observe(observer: (amendment: Amendment) => void): () => void
  failures(): number
}

export type QueueOptions = {
  readonly bus: Bus
  readonly stamps: Stamps
  readonly phase: Phase
  readonly contextsOfGrid: () => number
  readonly warn: (message: string, cause: unknown) => void
}

/** An empty queue; what earlier processes left is loaded into it before the gates are attached (RUN-701). */
export function createAmendmentQueue({ bus, stamps, phase, contextsOfGrid, warn }: QueueOptions): AmendmentQueue {
  const waiting: Amendment[] = []
  const drained = new Map<string, Amendment>()
  const observers = createObservers<Amendment>('amendments', warn)
  let isGrowing = new Set<number>()

  const refuse = (
    amendment: NewAmendment,
    refused: Extract<EnqueueRefusal, { code: 'amendment-queue-full' | 'amendment-duplicate-id' }>
  ) => {
    const { id, sourceArrow } = amendment
    const outcome = refused.code === 'amendment-queue-full' ? 'queue-full' : 'duplicate-id'
    const payload = { arrow_id: sourceArrow, amendment_id: id, outcome } as const
    bus.publish({ kind: 'amendment-enqueue-refused', arrow_id: sourceArrow, payload })
    return { refused }
  }

  /** Told when the length first reaches a quarter, a half and three quarters. */
  const tellGrowth = () => {
    for (const mark of [0.25, 0.5, 0.75]) {
      const count = mark * queueCapacity
      if (waiting.length < count || isGrowing.has(count)) continue
      isGrowing.add(count)
      const payload = { count: `${waiting.length}`, capacity: `${queueCapacity}` }
      bus.publish({ kind: 'amendment-queue-growing', payload })
    }
  }

  return {
    enqueue(given) {
      const problem = amendmentProblem(given, contextsOfGrid())
      if (problem !== null) return { refused: problem }
      if (drained.has(given.id) || waiting.some(({ id }) => id === given.id))
        return refuse(given, refusal('amendment-duplicate-id', `amendment-duplicate-id: "${given.id}"`))
      if (waiting.length >= queueCapacity) return refuse(given, refusal('amendment-queue-full'))
      const amendment: Amendment = { ...given, createdAt: stamps.now(), drainedAt: null, gridVersionAfter: null }
      waiting.push(amendment)
      observers.notify(amendment)
      const { id, sourceArrow, targetRole, findingIds } = amendment
      bus.publish({
        kind: 'amendment-enqueued',
        arrow_id: sourceArrow,
        payload: {
          arrow_id: sourceArrow,
          amendment_id: id,
          source_arrow: sourceArrow,
          target_role: targetRole,
          finding_ids: listText(findingIds)
        }
      })
      tellGrowth()
      return { queued: { ...amendment } }
    },
    head: () => (waiting[0] === undefined ? null : { ...waiting[0] }),
    pending: () => waiting.map((amendment) => ({ ...amendment })),
    get(id) {
      const found = waiting.find((amendment) => amendment.id === id) ?? drained.get(id)
      return found === undefined ? null : { ...found }
    },
    markDrained(id, gridVersionAfter) {
      const head = waiting[0]
      if (head?.id !== id) throw new RangeError(`"${id}" is not at the head of the amendments`)
      waiting.shift()
      const done: Amendment = { ...head, drainedAt: stamps.now(), gridVersionAfter }
      drained.set(id, done)
      if (waiting.length === 0) isGrowing = new Set()
      observers.notify(done)
      return { ...done }
    },
    counts: () => ({ pending: waiting.length, drained: drained.size }),
    load(amendments) {
      phase.loading()
      const loaded = [...amendments].toSorted((a, b) => byCodeUnit(a.createdAt, b.createdAt) || byCodeUnit(a.id, b.id))
      for (const amendment of loaded) {
        stamps.after(amendment.createdAt)
        if (amendment.drainedAt === null) waiting.push({ ...amendment })
        else {
          drained.set(amendment.id, { ...amendment })
          stamps.after(amendment.drainedAt)
        }
      }
    },
    observe: observers.observe,
    failures: observers.failures
  }
}
