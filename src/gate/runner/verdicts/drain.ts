import type { Bus } from '../bus.ts'
import type { QueueItem, VerdictQueue } from './queue.ts'

// One walk through the queue (OPUI-404): each item is presented once; what is added meanwhile comes in the next round of the same walk.

export type Drain = {
  /** 1-based. */
  readonly round: number
  /** Items of this round not presented yet, in order. */
  readonly ahead: readonly QueueItem[]
  /** `seq` of everything presented so far. */
  readonly presented: ReadonlySet<number>
  /** How many items this round has, for `1 of 2`. */
  readonly size: number
}

/** Rounds of one drain; then the rest waits for the next point. */
export const maxDrainRounds = 8

/** A drain over what waits now, before its first item (OPUI-404). */
export function startDrain(queue: Pick<VerdictQueue, 'items'>): Drain {
  const items = queue.items()
  return { round: 1, ahead: items, presented: new Set(), size: items.length }
}

export type DrainStep =
  | { readonly kind: 'present'; readonly item: QueueItem; readonly place: number; readonly drain: Drain }
  | { readonly kind: 'done' }
  /** Too many rounds; these items are left. */
  | { readonly kind: 'capped'; readonly left: readonly QueueItem[] }

/** What is presented next. Items that left the queue meanwhile are passed over (OPUI-404). */
export function nextInDrain(drain: Drain, queue: Pick<VerdictQueue, 'items' | 'get'>): DrainStep {
  const waits = (item: QueueItem) => queue.get(item.key)?.seq === item.seq
  const item = drain.ahead.find(waits)
  if (item !== undefined) {
    const ahead = drain.ahead.slice(drain.ahead.indexOf(item) + 1)
    const presented = new Set([...drain.presented, item.seq])
    return { kind: 'present', item, place: drain.size - ahead.length, drain: { ...drain, ahead, presented } }
  }
  const added = queue.items().filter(({ seq }) => !drain.presented.has(seq))
  if (added.length === 0) return { kind: 'done' }
  if (drain.round >= maxDrainRounds) return { kind: 'capped', left: added }
  return nextInDrain({ ...drain, round: drain.round + 1, ahead: added, size: added.length }, queue)
}

/** Tells that a drain gave up (OPUI-404). */
export function announceCapped(bus: Bus, left: readonly QueueItem[]): void {
  const [first] = left
  if (first === undefined) return
  bus.publish({
    kind: 'modal-backpressure',
    arrow_id: first.arrowId,
    clause_id: first.clauseId === '' ? first.ref : first.clauseId,
    pass_id: first.passId,
    payload: { attestation_ref: first.ref, queued: `${left.length}`, outcome: 'drain-cap' }
  })
}
