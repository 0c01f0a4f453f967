import { describe, expect, it } from 'vitest'
import { backfillBudget } from '../../../src/agent/context/index.ts'

describe('the room for backfill', () => {
  it.each([
    [{ maxContext: 1_000_000, depthThreshold: 32_000, tokens: 10_000 }, 8000],
    [{ maxContext: 50_000, depthThreshold: 32_000, tokens: 10_000 }, 5000],
    [{ maxContext: 1_000_000, depthThreshold: 32_000, tokens: 30_000 }, 2000],
    [{ maxContext: 1_000_000, depthThreshold: 32_000, tokens: 40_000 }, 500]
  ])('is for %j %i tokens (CTX-048)', (sizes, budget) => {
    expect(backfillBudget(sizes)).toBe(budget)
  })
})
