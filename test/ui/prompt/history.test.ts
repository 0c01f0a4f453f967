import { expect, test } from 'vitest'
import { type Draft, draftOf, draftOfPaste, expandDraft } from '../../../ui/prompt/draft.ts'
import { emptyHistory, historyLoaded, recalled, remembered, searchHistory } from '../../../ui/prompt/history.ts'

const history = historyLoaded(emptyHistory, ['first', 'second', 'fix the Cart'])

function walk(steps: readonly (-1 | 1)[], draft: Draft): string[] {
  let at = { history, draft }
  return steps.map((by) => {
    const next = recalled(at.history, by, at.draft)
    if (next === null) return '-'
    at = next
    return expandDraft(at.draft)
  })
}

test('↑ goes back, ↓ forward, and behind the newest entry waits the draft (TERM-41)', () => {
  expect(walk([1, -1, -1, -1, -1, 1, 1, 1, 1], draftOf('draft'))).toEqual([
    '-',
    'fix the Cart',
    'second',
    'first',
    '-',
    'second',
    'fix the Cart',
    'draft',
    '-'
  ])
})

test('what was sent is the newest entry, a repetition counts once, blanks do not', () => {
  const sent = remembered(remembered(remembered(history, draftOf('new')), draftOf('new')), draftOf('  '))
  expect(sent.entries.map(expandDraft)).toEqual(['first', 'second', 'fix the Cart', 'new'])
})

test('a paste chip survives the history (TERM-43)', () => {
  const paste = draftOfPaste('x'.repeat(3_000))
  const back = recalled(remembered(history, paste), -1, draftOf(''))
  expect(back?.draft).toEqual(paste)
})

test('the stored history comes in front of what was sent before it arrived', () => {
  const late = historyLoaded(remembered(emptyHistory, draftOf('early bird')), ['old'])
  expect(late.entries.map(expandDraft)).toEqual(['old', 'early bird'])
})

test('a search ignores case and finds the next older match (Ctrl+R)', () => {
  const find = (query: string, skip: number) => {
    const found = searchHistory(history, { query, skip })
    return found === null ? null : expandDraft(found)
  }
  expect(find('cart', 0)).toBe('fix the Cart')
  expect(find('s', 0)).toBe('second')
  expect(find('s', 1)).toBe('first')
  expect(find('s', 2)).toBeNull()
  expect(find('', 0)).toBeNull()
})
