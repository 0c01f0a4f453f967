import { describe, expect, it } from 'vitest'
import {
  activeContext,
  anchorEntry,
  selectForCompaction,
  summaryNote,
  tokenCounter
} from '../../../src/agent/context/index.ts'
import type { ContextEntry } from '../../../src/protocol/entry.ts'
import { entryId } from '../../../src/protocol/ids.ts'
import { assistant, call, ids, note, tool, turnOf, user } from '../../support/entries.ts'
import { fc } from '../../support/laws.ts'

const counter = () =>
  tokenCounter({
    entry: (entry) => Math.ceil(entry.text.length / 4) + 4,
    text: (text) => Math.ceil(text.length / 4)
  })

const select = (entries: readonly ContextEntry[], maxContext = 1_000_000, must = false) =>
  selectForCompaction(entries, { maxContext, counter: counter(), must })

describe('selection for compaction', () => {
  it('takes turns 1 to 47 of 50 and leaves the last three byte for byte (CTX-020)', () => {
    const turns = Array.from({ length: 50 }, (_, index) => turnOf(index + 1, 1))
    const chosen = selected(select(turns.flat()))
    expect(chosen.summarise).toEqual(turns.slice(0, 47).flat())
    expect(chosen.keep).toEqual(turns.slice(47).flat())
  })

  it('includes every note, the earlier summary too (CTX-027)', () => {
    const entries = [note('n1'), note('n2', 'resume'), ...turnOf(1), ...turnOf(2)]
    const chosen = selected(select(entries))
    expect(ids(chosen.summarise)).toEqual(['n1', 'n2'])
    expect(ids(chosen.keep)).toEqual(['u1', 'a1', 'u2', 'a2'])
  })

  it('leaves three turns without notes alone unless room must be made (CTX-022)', () => {
    const entries = [...turnOf(1), ...turnOf(2), ...turnOf(3)]
    expect(select(entries)).toEqual({ kind: 'nothing' })
    expect(ids(selected(select(entries, 1_000_000, true)).summarise)).toEqual(['u1', 'a1'])
  })

  it('shortens long results before it gives up a preserved turn (CTX-021)', () => {
    const long = 'x'.repeat(40_000)
    const entries = [...turnOf(1), ...turnOf(2, 1, long), ...turnOf(3), ...turnOf(4)]
    const chosen = selected(select(entries, 8000))
    expect(ids(chosen.keep)).toEqual(['u2', 'a2.0', 'r2.0', 'a2', 'u3', 'a3', 'u4', 'a4'])
    expect(chosen.keep.find((entry) => entry.id === 'r2.0')?.text.length).toBeLessThanOrEqual(4000)
  })

  it('reduces the preserved turns to 2, then 1, while they exceed 60 % (CTX-021)', () => {
    const big = (n: number, size: number) => [
      user(`u${n}`, 'q', n),
      assistant(`a${n}`, { text: 'y'.repeat(size), turn: n })
    ]
    const entries = (size: number) => [big(1, 10), big(2, size), big(3, size), big(4, 400)].flat()
    expect(ids(selected(select(entries(1600), 1000)).keep)).toEqual(['u3', 'a3', 'u4', 'a4'])
    expect(ids(selected(select(entries(3000), 1000)).keep)).toEqual(['u4', 'a4'])
  })

  it('keeps of one huge turn its question and the latest whole groups within 40 % (CTX-021)', () => {
    const entries = turnOf(1, 20, 'z'.repeat(400))
    const chosen = selected(select(entries, 2000, true))
    expect(chosen.keep[0]?.id).toBe('u1')
    expect(chosen.keep.at(-1)?.id).toBe('a1')
    expect(counter().entries(chosen.keep)).toBeLessThanOrEqual(800)
    expect(ids(chosen.keep.slice(1))).toEqual(ids(entries).slice(-(chosen.keep.length - 1)))
    expect(ids([...chosen.keep.slice(0, 1), ...chosen.summarise, ...chosen.keep.slice(1)])).toEqual(ids(entries))
  })

  it('has nothing to summarise in a lone question', () => {
    expect(select([user('u1', 'x'.repeat(10_000))], 100, true)).toEqual({ kind: 'nothing' })
  })

  it('never splits a call from its result, loses nothing, and takes nothing twice', () => {
    fc.assert(
      fc.property(contexts(), fc.integer({ min: 50, max: 6000 }), fc.boolean(), (entries, maxContext, must) => {
        const chosen = select(entries, maxContext, must)
        if (chosen.kind === 'nothing') return
        expect(chosen.summarise.length).toBeGreaterThan(0)
        expect([...ids(chosen.summarise), ...ids(chosen.keep)].sort()).toEqual([...ids(entries)].sort())
        for (const side of [chosen.summarise, chosen.keep]) {
          const messages = new Set(ids(side))
          for (const entry of side) if (entry.kind === 'tool') expect(messages).toContain(entry.message)
        }
        expect(chosen.keep.some((entry) => entry.kind === 'note')).toBe(false)
      })
    )
  })

  it('changes nothing when a short list that was just compacted is compacted again', () => {
    fc.assert(
      fc.property(contexts(), (entries) => {
        const first = select(entries)
        if (first.kind === 'nothing') return
        const compacted = afterwards(entries, first)
        const second = selected(select(compacted))
        expect(second.keep).toEqual(first.keep)
        expect(ids(second.summarise)).toEqual(['summary'])
        expect(afterwards(compacted, second)).toEqual(compacted)
      })
    )
  })
})

function selected(selection: ReturnType<typeof selectForCompaction>) {
  if (selection.kind !== 'selected') throw new Error('nothing was selected')
  return selection
}

/** The active context once a selection was summarised and anchored. */
function afterwards(history: readonly ContextEntry[], chosen: { keep: readonly ContextEntry[] }) {
  const notes = [summaryNote(entryId('summary'), 9, 'short')]
  const anchored = anchorEntry('compaction', { id: entryId('x'), turn: 9, notes, keep: chosen.keep, history })
  return activeContext([...history, anchored])
}

function contexts(): fc.Arbitrary<ContextEntry[]> {
  const turn = fc.record({
    rounds: fc.array(fc.record({ calls: fc.integer({ min: 0, max: 3 }), size: fc.constantFrom(10, 300, 9000) }), {
      maxLength: 5
    })
  })
  return fc.record({ notes: fc.nat(2), turns: fc.array(turn, { maxLength: 8 }) }).map(({ notes, turns }) => [
    ...Array.from({ length: notes }, (_, n) => note(`n${n}`)),
    ...turns.flatMap(({ rounds }, t) => [
      user(`u${t}`, `question ${t}`, t),
      ...rounds.flatMap(({ calls, size }, r) => {
        const made = Array.from({ length: calls }, (_, c) => call(`c${t}.${r}.${c}`))
        const id = `a${t}.${r}`
        return [
          assistant(id, { calls: made, turn: t }),
          ...made.map((one) => tool(`r-${one.id}`, id, one, { text: 'o'.repeat(size), turn: t }))
        ]
      })
    ])
  ])
}
