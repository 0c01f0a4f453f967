import { describe, expect, it } from 'vitest'
import {
  activeContext,
  anchorEntry,
  handoffNotes,
  judgeSummary,
  summaryNote
} from '../../../src/agent/context/index.ts'
import { entryId } from '../../../src/protocol/ids.ts'
import { anchor, assistant, call, ids, note, tool, turnOf, user } from '../../support/entries.ts'

const words = (text: string) => text.split(/\s+/).filter(Boolean).length

describe('acceptance of a summary (CTX-030)', () => {
  it.each([
    ['', 100, 'refused'],
    [' \n\t ', 100, 'refused'],
    ['one two three four five', 10, 'accepted'],
    ['one two three four five six', 10, 'refused'],
    ['one two three four five six', 11, 'refused'],
    ['  padded  ', 2, 'accepted']
  ])('judges %j for %i replaced tokens as %s', (summary, replaced, kind) => {
    expect(judgeSummary(summary, replaced, words).kind).toBe(kind)
  })
})

describe('the new list', () => {
  it('opens the note with the turn it was made at (CTX-028)', () => {
    expect(summaryNote(entryId('n'), 7, 'Goal: x').text).toBe('compaction at turn 7\nGoal: x')
  })

  it('becomes one summary note and the preserved turns through its anchor (CTX-028)', () => {
    const history = [...turnOf(1), ...turnOf(2)]
    const keep = history.slice(-2)
    const anchored = anchorEntry('compaction', {
      id: entryId('x'),
      turn: 2,
      notes: [summaryNote(entryId('n'), 2, 's')],
      keep,
      history
    })
    expect(anchored.kept).toEqual([{ entry: 'u2' }, { entry: 'a2' }])
    expect(activeContext([...history, anchored]).slice(1)).toEqual(keep)
  })

  it('writes a shortened text down again in every later anchor (SESS-052)', () => {
    const made = call('c1')
    const history = [
      user('u1'),
      assistant('a1', { calls: [made] }),
      tool('r1', 'a1', made, { text: 'very long' }),
      anchor('x1', [note('n1')], ['u1', 'a1', { entry: 'r1', text: 'short' }])
    ]
    const next = anchorEntry('handoff', {
      id: entryId('x2'),
      turn: 1,
      notes: [],
      keep: activeContext(history),
      history
    })
    expect(next.kept).toEqual([{ entry: 'u1' }, { entry: 'a1' }, { entry: 'r1', text: 'short' }])
  })

  it('replaces the summary by the handoff note and keeps resume and backfill (CTX-071a)', () => {
    const entries = [note('n1'), note('n2', 'resume'), note('n3', 'handoff'), note('n4', 'backfill'), ...turnOf(1)]
    expect(ids(handoffNotes(entries, note('new', 'handoff')))).toEqual(['new', 'n2', 'n4'])
  })
})
