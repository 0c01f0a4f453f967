import { describe, expect, it } from 'vitest'
import { createLocks } from '../../../src/gate/runner/locks.ts'
import { manualClock } from '../../support/clock.ts'

function locksOf() {
  const clock = manualClock()
  return { clock, locks: createLocks(clock) }
}

describe('the lock of a role in a context (RUN-400…406)', () => {
  it('goes to one pass and names it to the next (RUN-401)', () => {
    const { locks } = locksOf()
    expect(locks.acquire('analyst', 'shop', 'p-1')).toEqual({ role: 'analyst', context: 'shop', passId: 'p-1' })
    expect(locks.acquire('analyst', 'shop', 'p-2')).toEqual({
      refused: {
        code: 'role-context-busy',
        text: 'role-context-busy: (analyst, shop) held by pass p-1 since 2026-01-01T00:00:00.000000000Z',
        role: 'analyst',
        context: 'shop',
        passId: 'p-1',
        since: '2026-01-01T00:00:00.000000000Z'
      }
    })
  })

  it('is another one for any other role or context, whatever the names hold (RUN-400)', () => {
    const { locks } = locksOf()
    for (const [role, context] of [
      ['a', 'b'],
      ['a', 'c'],
      ['b', 'b'],
      ['a", "b', 'c'],
      ['a', 'b", "c'],
      ['A', 'b']
    ])
      expect(locks.acquire(role ?? '', context ?? '', 'p')).not.toHaveProperty('refused')
    expect(locks.inspect()).toHaveLength(6)
  })

  it('is released by its holder only, and a stale release does nothing (RUN-403)', async () => {
    const { locks, clock } = locksOf()
    const stale = locks.acquire('analyst', 'shop', 'p-1', 1000)
    await clock.advance(1000)
    const token = locks.acquire('analyst', 'shop', 'p-2')
    if ('refused' in stale || 'refused' in token) throw new Error('not acquired')
    locks.release(stale)
    expect(locks.inspect().map(({ passId }) => passId)).toEqual(['p-2'])
    locks.release(token)
    locks.release(token)
    expect(locks.inspect()).toEqual([])
  })

  it('is listed by role, then by context, by code unit and not by who came first (RUN-404)', () => {
    const { locks } = locksOf()
    for (const [role, context] of [
      ['b', 'x'],
      ['a', 'y'],
      ['B', 'z'],
      ['a', 'x'],
      ['a', 'Z']
    ] as const)
      locks.acquire(role, context, `p-${role}${context}`)
    expect(locks.inspect().map(({ passId }) => passId)).toEqual(['p-Bz', 'p-aZ', 'p-ax', 'p-ay', 'p-bx'])
  })

  it('expires at its time and not before; 0 is never (RUN-402, RUN-405)', async () => {
    const { locks, clock } = locksOf()
    locks.acquire('a', 'x', 'p-1', 1000)
    locks.acquire('b', 'x', 'p-2')
    await clock.advance(999)
    expect(locks.sweep()).toBe(0)
    await clock.advance(1)
    expect(locks.inspect().map(({ passId }) => passId)).toEqual(['p-2'])
    expect(locks.sweep()).toBe(1)
    expect(locks.sweep()).toBe(0)
    expect(() => locks.acquire('c', 'x', 'p-3', -1)).toThrow('lock-ttl-negative')
  })
})
