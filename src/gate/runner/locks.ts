import { assert } from '../../lib/assert.ts'
import type { Clock } from '../../lib/clock.ts'
import { byCodeUnit } from '../../lib/compare.ts'
import type { Stamp } from './records.ts'
import { type Refusal, refusal } from './refusal.ts'
import { stampOf } from './stamp.ts'

// One open pass per (role, context) (GATE-49, RUN-400…406). In memory only: it starts empty in every process.

export type LockToken = { readonly role: string; readonly context: string; readonly passId: string }
export type HeldLock = LockToken & { readonly since: Stamp; readonly expiresAtMs: number | null }
export type LockBusy = Refusal<'role-context-busy'> & {
  readonly role: string
  readonly context: string
  readonly passId: string
  readonly since: Stamp
}

export interface Locks {
  /** Takes the lock for a pass. `ttlMs` 0 never expires; a stale entry is overwritten. */
  acquire(role: string, context: string, passId: string, ttlMs?: number): LockToken | { readonly refused: LockBusy }
  /** Drops the entry if this token's pass still holds it; otherwise nothing happens (RUN-403). */
  release(token: LockToken): void
  /** For display only; decisions acquire and handle `role-context-busy` (RUN-404). Sorted by role, then context. */
  inspect(): readonly HeldLock[]
  /** Removes entries that expired by now; returns how many (RUN-405). */
  sweep(): number
}

/** A table without locks: they live and die with the process (RUN-406). */
export function createLocks(clock: Pick<Clock, 'now' | 'nowNs'>): Locks {
  const held = new Map<string, HeldLock>()
  const keyOf = (role: string, context: string) => JSON.stringify([role, context])
  const isStale = ({ expiresAtMs }: HeldLock) => expiresAtMs !== null && clock.now() >= expiresAtMs
  return {
    acquire(role, context, passId, ttlMs = 0) {
      assert(ttlMs >= 0, 'lock-ttl-negative')
      const key = keyOf(role, context)
      const holder = held.get(key)
      if (holder !== undefined && !isStale(holder)) {
        const text = `role-context-busy: (${role}, ${context}) held by pass ${holder.passId} since ${holder.since}`
        const { passId: holding, since } = holder
        return { refused: { ...refusal('role-context-busy', text), role, context, passId: holding, since } }
      }
      const expiresAtMs = ttlMs === 0 ? null : clock.now() + ttlMs
      held.set(key, { role, context, passId, since: stampOf(clock.nowNs()), expiresAtMs })
      return { role, context, passId }
    },
    release({ role, context, passId }) {
      const key = keyOf(role, context)
      if (held.get(key)?.passId === passId) held.delete(key)
    },
    inspect: () =>
      [...held.values()]
        .filter((lock) => !isStale(lock))
        .sort((a, b) => byCodeUnit(a.role, b.role) || byCodeUnit(a.context, b.context)),
    sweep() {
      const stale = [...held].filter(([, lock]) => isStale(lock))
      for (const [key] of stale) held.delete(key)
      return stale.length
    }
  }
}
