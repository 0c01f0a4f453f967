import { describe, expect, it } from 'vitest'
import { toggleRow } from '../../../ui/transcript/fold.ts'
import { isFoldable, type TranscriptState } from '../../../ui/transcript/model.ts'
import { findMatches } from '../../../ui/transcript/search.ts'
import { TranscriptView } from '../../../ui/transcript/view.ts'
import { plainPen, said, shown, transcriptOf } from '../../support/transcript.ts'

function all(state: TranscriptState): string[] {
  const view = new TranscriptView(plainPen)
  view.show(state, 60, 100_000)
  return shown(view).map((each) => each.trimEnd())
}

const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`).join('\n')

describe('a text of the operator (TERM-20, TERM-43)', () => {
  it('stands there whole up to what the prompt shows whole', () => {
    const state = transcriptOf([said('q', lines(20))])
    expect(all(state)).toHaveLength(20)
    expect(state.rows.some(isFoldable)).toBe(false)
  })

  it('shows how it begins when it is longer, says how much is left, and unfolds', () => {
    const state = transcriptOf([said('q', lines(40_000))])
    expect(all(state)).toEqual([
      'you      line 1',
      ...[2, 3, 4, 5, 6, 7, 8].map((n) => `         line ${n}`),
      '         ▸ 39,992 more lines'
    ])
    const unfolded = toggleRow(state, 'q')
    expect(all(unfolded)).toHaveLength(40_001)
    expect(all(unfolded).slice(-2)).toEqual(['         line 40000', '         ▾ the whole text'])
    expect(all(toggleRow(unfolded, 'q'))).toEqual(all(state))
  })

  it('is long by its characters too, and no letter is cut in two', () => {
    const state = transcriptOf([said('q', '🙂'.repeat(1_001))])
    const text = all(state).join('\n')
    expect(text).toContain('▸ 1,202 more characters')
    expect(text).not.toMatch(/\uFFFD/)
  })

  it('is searched as far as it shows (TERM-22)', () => {
    const state = transcriptOf([said('q', lines(500))])
    expect(findMatches(state.rows, 'line')).toHaveLength(8)
    expect(findMatches(toggleRow(state, 'q').rows, 'line')).toHaveLength(500)
  })
})
