import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  backfillBudget,
  chooseBackfill,
  cosine,
  driftText,
  hasDrifted,
  isInsufficient,
  rankBySimilarity
} from '../../../src/agent/context/index.ts'
import { assistant, call, note, tool, user } from '../../support/entries.ts'

const words = (text: string) => text.split(/\s+/).filter(Boolean).length

describe('similarity (CTX-044)', () => {
  it.each([
    [[1, 0], [1, 0], 1],
    [[1, 0], [0, 1], 0],
    [[1, 0], [-2, 0], -1],
    [[1, 0], [1, 0, 0], null],
    [[0, 0], [1, 0], null],
    [null, [1], null],
    [[], [], null]
  ])('of %j and %j is %j', (a, b, expected) => {
    expect(cosine(a, b)).toBe(expected)
  })

  it('stays within -1 and 1', () => {
    const vector = fc.array(fc.float({ noNaN: true, noDefaultInfinity: true, min: -10, max: 10 }), {
      minLength: 3,
      maxLength: 3
    })
    fc.assert(
      fc.property(vector, vector, (a, b) => {
        const similarity = cosine(a, b)
        if (similarity !== null) expect(Math.abs(similarity)).toBeLessThanOrEqual(1 + 1e-6)
      })
    )
  })

  it.each([
    [0.85, false],
    [0.7, false],
    [0.45, true],
    [null, false]
  ])('%j drifted: %s', (similarity, drifted) => {
    expect(hasDrifted(similarity, 0.7)).toBe(drifted)
  })
})

describe('backfill', () => {
  it('ranks by similarity and leaves out what cannot be compared (CTX-045)', () => {
    const candidates = [
      { id: 'far', embedding: [0, 1] },
      { id: 'none', embedding: null },
      { id: 'near', embedding: [1, 0.1] }
    ]
    const ranked = rankBySimilarity([1, 0], candidates)
    expect(ranked.map(({ candidate }) => candidate.id)).toEqual(['near', 'far'])
    expect(isInsufficient(ranked)).toBe(false)
    expect(isInsufficient(ranked.slice(1))).toBe(true)
    expect(isInsufficient([])).toBe(true)
  })

  it.each([
    [{ maxContext: 1_000_000, depthThreshold: 32_000, tokens: 10_000 }, 8000],
    [{ maxContext: 50_000, depthThreshold: 32_000, tokens: 10_000 }, 5000],
    [{ maxContext: 1_000_000, depthThreshold: 32_000, tokens: 30_000 }, 2000],
    [{ maxContext: 1_000_000, depthThreshold: 32_000, tokens: 40_000 }, 500]
  ])('has for %j a budget of %i tokens (CTX-048)', (sizes, budget) => {
    expect(backfillBudget(sizes)).toBe(budget)
  })

  it('chooses two at most by rank, skipping one that does not fit (CTX-047, CTX-048)', () => {
    const ranked = [400, 300, 100].map((tokens, n) => ({ candidate: tokens, similarity: 1 - n / 10 }))
    expect(chooseBackfill(ranked, 1000, (tokens) => tokens)).toEqual({ chosen: [400, 300], skipped: [] })
    expect(chooseBackfill(ranked, 350, (tokens) => tokens)).toEqual({ chosen: [300], skipped: [400] })
  })
})

describe('the text that is embedded (CTX-042)', () => {
  const made = call('c1')
  const entries = [
    note('n1', 'summary', 'a summary'),
    user('u1', 'old question'),
    assistant('a1', { text: 'old answer', calls: [made] }),
    tool('r1', 'a1', made, { text: 'tool output' }),
    user('u2', 'new question')
  ]

  it('is what user and assistant said, newest first', () => {
    expect(driftText(entries, words)).toBe('new question\nold answer\nold question')
  })

  it('ends at the token limit', () => {
    expect(driftText(entries, words, 3)).toMatch(/^new question\nold a/)
    expect(words(driftText(entries, words, 3))).toBeLessThanOrEqual(4)
    expect(driftText(entries, words, 2)).toBe('new question')
  })
})
