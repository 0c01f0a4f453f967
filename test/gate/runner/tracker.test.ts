import { describe, expect, it } from 'vitest'
import { createTracker } from '../../../src/gate/runner/tracker.ts'
import { fc } from '../../support/laws.ts'

describe('rounds without basis (GATE-60, GATE-61, RUN-900)', () => {
  it('cross exactly when the count reaches the limit, once until something else is said', () => {
    const verdicts = fc.array(fc.constantFrom('pass', 'fail', 'insufficient-basis' as const), { maxLength: 30 })
    fc.assert(
      fc.property(verdicts, fc.integer({ min: 1, max: 5 }), (given, max) => {
        const tracker = createTracker(() => max)
        let run = 0
        for (const verdict of given) {
          const crosses = tracker.follow({ arrowId: 'a', clauseId: 'C1', verdict } as never)
          run = verdict === 'insufficient-basis' ? run + 1 : 0
          expect(crosses).toBe(run === max)
          expect(tracker.count('a', 'C1')).toBe(run)
          expect(tracker.isCrossed('a', 'C1')).toBe(run >= max)
        }
      })
    )
  })

  it('are counted per arrow and clause, and not without a clause', () => {
    const tracker = createTracker(() => 1)
    expect(tracker.follow({ arrowId: 'a', clauseId: '', verdict: 'insufficient-basis' })).toBe(false)
    expect(tracker.follow({ arrowId: 'a', clauseId: 'C1', verdict: 'insufficient-basis' })).toBe(true)
    expect(tracker.isCrossed('b', 'C1')).toBe(false)
    expect(tracker.isCrossed('a', 'C2')).toBe(false)
  })
})
