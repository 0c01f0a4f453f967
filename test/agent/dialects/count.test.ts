import { describe, expect, test } from 'vitest'
import {
  correctionFor,
  dialectFor,
  noCorrections,
  observeRejection,
  observeUsage
} from '../../../src/agent/dialects/index.ts'
import { dialectFamilies } from '../../../src/protocol/model.ts'
import { assistant, tool, user } from '../../support/entries.ts'
import { fc } from '../../support/laws.ts'

const charsPerToken = { minimax: 4, glm: 3, deepseek: 4, qwen: 3, kimi: 3, 'kimi-code': 3 } as const

describe.each(dialectFamilies)('%s', (family) => {
  const r = charsPerToken[family]
  const { tokenCount } = dialectFor(family)

  test('MODEL-010 ASCII by the ratio, everything else one each, 4 per message', () => {
    expect(tokenCount([])).toBe(0)
    expect(tokenCount([{ kind: 'text', text: '' }])).toBe(4)
    expect(tokenCount([user('u', 'x'.repeat(r * 10 + r - 1))])).toBe(14)
    expect(tokenCount([user('u', '日本語')])).toBe(7)
    expect(tokenCount([user('u', `${'x'.repeat(r)}é`)])).toBe(6)
  })

  test('MODEL-010 code points count, not UTF-16 units', () => {
    expect(tokenCount([user('u', '😀😀')])).toBe(6)
    expect(tokenCount([user('u', '\ud83d')])).toBe(5)
  })

  test('MODEL-010 a call costs its name, its arguments and 10', () => {
    const call = { id: 'a long id that costs nothing', name: 'n'.repeat(r * 2), arguments: `${'a'.repeat(r * 5)}` }
    expect(tokenCount([assistant('a', { text: '', calls: [call] })])).toBe(4 + 2 + 5 + 10)
    expect(tokenCount([tool('t', 'a', call, { text: 'y'.repeat(r) })])).toBe(5)
  })

  test('MODEL-010 reasoning counts where it is sent back', () => {
    const entry = { ...assistant('a', { text: '' }), reasoning: 'z'.repeat(r * 7) }
    expect(tokenCount([{ ...entry, family }])).toBe(11)
    expect(tokenCount([{ ...entry, family: family === 'glm' ? 'qwen' : 'glm' }])).toBe(4)
  })

  test('MODEL-010 counts of messages add up', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (texts) => {
        const entries = texts.map((text, i) => user(`u${i}`, text))
        expect(tokenCount(entries)).toBe(entries.reduce((sum, entry) => sum + tokenCount([entry]), 0))
      })
    )
  })
})

describe('MODEL-011 correction', () => {
  test('nothing seen, nothing changed', () => {
    expect(correctionFor(noCorrections, 'm25')).toBe(1)
  })

  test('the first observation counts whole, later ones by 0.3, each model by itself', () => {
    const once = observeUsage(noCorrections, 'm25', { reported: 1500, estimated: 1000 })
    expect(correctionFor(once, 'm25')).toBe(1.5)
    expect(correctionFor(once, 'glm5')).toBe(1)
    const twice = observeUsage(once, 'm25', { reported: 1000, estimated: 1000 })
    expect(correctionFor(twice, 'm25')).toBeCloseTo(1.35)
    expect(correctionFor(once, 'm25')).toBe(1.5)
  })

  test('an estimate that was too high never makes compaction later', () => {
    const low = observeUsage(noCorrections, 'm25', { reported: 10, estimated: 1000 })
    expect(correctionFor(low, 'm25')).toBe(1)
    // It is remembered at 0.5, so one higher report does not jump.
    expect(correctionFor(observeUsage(low, 'm25', { reported: 1500, estimated: 1000 }), 'm25')).toBe(1)
  })

  test('a rejection raises the ratio to what the window shows, never lowers it', () => {
    const rejected = observeRejection(noCorrections, 'm25', { maxContext: 160_000, estimated: 100_000 })
    expect(correctionFor(rejected, 'm25')).toBe(1.6)
    const again = observeRejection(rejected, 'm25', { maxContext: 100_000, estimated: 90_000 })
    expect(correctionFor(again, 'm25')).toBe(1.6)
    expect(correctionFor(observeRejection(noCorrections, 'm', { maxContext: 900, estimated: 100 }), 'm')).toBe(2)
  })

  test('whatever is reported, the correction stays between 1 and 2', () => {
    const observation = fc.record({ reported: fc.double({ noNaN: false }), estimated: fc.double({ noNaN: false }) })
    fc.assert(
      fc.property(fc.array(observation), (seen) => {
        const corrections = seen.reduce((all, one) => observeUsage(all, 'm', one), noCorrections)
        const ratio = correctionFor(corrections, 'm')
        expect(ratio).toBeGreaterThanOrEqual(1)
        expect(ratio).toBeLessThanOrEqual(2)
      })
    )
  })
})
