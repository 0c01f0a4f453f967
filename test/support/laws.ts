import fc from 'fast-check'

const isLong = (process.env.GHYLL_SOAK ?? '') !== ''

/**
 * The number of cases to try where a law's usual is `count`: many more on a long run (`npm run soak`), which is where cases that nobody
 * has met are looked for.
 */
export function runs(count: number): number {
  return isLong ? count * 20 : count
}

// The same cases everywhere on a usual run, so that red means a change; others every time on a long one, whose failure names its seed.
fc.configureGlobal(isLong ? { numRuns: runs(100) } : { seed: 20260821 })

export { fc }
