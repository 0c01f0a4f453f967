import type { InboxRow } from '../../protocol/event.ts'

/** What someone asks the inbox for. */
export type Scope = 'input' | 'steer' | 'queue'

/** The first pending compaction, a barrier for every later row (SESS-034), or null. */
export function pendingCompaction(inbox: readonly InboxRow[]): InboxRow | null {
  return inbox.find((row) => row.kind === 'compaction') ?? null
}

/**
 * The rows that may be promoted now, in `seq` order: `steer` all steer rows, `queue` the oldest queued row, `input` the steer
 * rows if there are any, else the oldest queued one. Nothing behind a pending compaction counts (SESS-032…034).
 */
export function promotable(inbox: readonly InboxRow[], scope: Scope): readonly InboxRow[] {
  const barrier = inbox.findIndex((row) => row.kind === 'compaction')
  const free = barrier === -1 ? inbox : inbox.slice(0, barrier)
  const steer = free.filter((row) => row.delivery === 'steer')
  const queued = free.filter((row) => row.delivery === 'queue').slice(0, 1)
  if (scope === 'steer') return steer
  if (scope === 'queue') return queued
  return steer.length > 0 ? steer : queued
}

/** Whether a row still waits: it may have been taken back, or taken up, since it was looked at. */
export function isPending(inbox: readonly InboxRow[], seq: number): boolean {
  return inbox.some((row) => row.seq === seq)
}
