import { describe, expect, it } from 'vitest'
import { activeContext, splitTurns } from '../../../src/agent/context/index.ts'
import type { ContextEntry, HistoryEntry } from '../../../src/protocol/entry.ts'
import { anchor, assistant, call, ids, note, tool, turnOf, user } from '../../support/entries.ts'
import { fc } from '../../support/laws.ts'

describe('the active context (SESS-052)', () => {
  it('is the whole history without an anchor, notes first (CTX-006)', () => {
    expect(ids(activeContext([user('u1'), assistant('a1'), note('n1', 'backfill'), user('u2')]))).toEqual([
      'n1',
      'u1',
      'a1',
      'u2'
    ])
  })

  it('is the last anchor with what it keeps and all that came later', () => {
    const history = [
      ...turnOf(1),
      anchor('x1', [note('n1')], ['u1', 'a1']),
      ...turnOf(2),
      anchor('x2', [note('n2')], ['u2', { entry: 'a2', text: 'cut' }]),
      ...turnOf(3)
    ]
    const active = activeContext(history)
    expect(ids(active)).toEqual(['n2', 'u2', 'a2', 'u3', 'a3'])
    expect(active[2]).toMatchObject({ id: 'a2', text: 'cut' })
  })

  it('leaves out open and superseded rows (SESS-051)', () => {
    const history = [user('u1'), assistant('a1', { status: 'superseded' }), assistant('a2', { status: 'open' })]
    expect(ids(activeContext(history))).toEqual(['u1'])
  })

  it('keeps a partial answer until a later one answers the same user entry (SESS-053)', () => {
    const partial = [user('u1'), assistant('a1', { status: 'partial' })]
    expect(ids(activeContext(partial))).toEqual(['u1', 'a1'])
    expect(ids(activeContext([...partial, user('u2'), assistant('a2')]))).toEqual(['u1', 'a1', 'u2', 'a2'])
    expect(ids(activeContext([...partial, assistant('a2')]))).toEqual(['u1', 'a2'])
  })

  it('lets an answer that came after a restart stand behind the summary (SESS-054)', () => {
    const history = [
      user('u1'),
      assistant('a1', { status: 'superseded' }),
      anchor('x1', [note('n1')], ['u1']),
      assistant('a2', { text: 'T' }),
      user('u2')
    ]
    expect(ids(activeContext(history))).toEqual(['n1', 'u1', 'a2', 'u2'])
  })

  it('is well formed for any history', () => {
    fc.assert(
      fc.property(histories(), (history) => {
        const active = activeContext(history)
        expect(problems(active)).toEqual([])
        expect(new Set(ids(active)).size).toBe(active.length)
        expect(splitTurns(active).flat()).toEqual(active.filter((entry) => entry.kind !== 'note'))
        // Folding what was folded changes nothing.
        expect(activeContext(active)).toEqual(active)
      })
    )
  })
})

/** Rows of every kind and status in any order, results for right and wrong messages, anchors that name anything. */
function histories(): fc.Arbitrary<HistoryEntry[]> {
  const pick = fc.nat(30)
  const row = fc.oneof(
    fc.constant({ make: (id: string) => user(id) }),
    fc.record({ status: fc.constantFrom('open', 'done', 'partial', 'superseded'), calls: fc.nat(3) }).map((shape) => ({
      make: (id: string) =>
        assistant(id, {
          status: shape.status as 'done',
          calls: Array.from({ length: shape.calls }, (_, n) => call(`c${n}`))
        })
    })),
    fc.record({ message: pick, n: fc.nat(3) }).map(({ message, n }) => ({
      make: (id: string) => tool(id, `e${message}`, call(`c${n}`))
    })),
    fc
      .constantFrom('summary' as const, 'backfill' as const, 'resume' as const)
      .map((sub) => ({ make: (id: string) => note(id, sub) })),
    fc.uniqueArray(pick, { maxLength: 6 }).map((kept) => ({
      make: (id: string) =>
        anchor(
          id,
          [note(`${id}-note`)],
          kept.map((n) => `e${n}`)
        )
    }))
  )
  return fc.array(row, { maxLength: 30 }).map((rows) => rows.map(({ make }, index) => make(`e${index}`)))
}

/** What a strict server would complain about. */
function problems(entries: readonly ContextEntry[]): string[] {
  const found: string[] = []
  let conversation = false
  let message: string | null = null
  let order = -1
  for (const entry of entries) {
    if (entry.kind === 'note') {
      if (conversation) found.push(`${entry.id}: note after conversation`)
      continue
    }
    conversation = true
    if (entry.kind !== 'tool') {
      message = entry.id
      order = -1
      continue
    }
    if (entry.message !== message) found.push(`${entry.id}: not behind its message`)
    const owner = entries.find((one) => one.id === entry.message)
    const at = owner?.kind === 'assistant' ? owner.toolCalls.findIndex((one) => one.id === entry.call.id) : -1
    if (at <= order) found.push(`${entry.id}: out of order`)
    order = at
  }
  return found
}
