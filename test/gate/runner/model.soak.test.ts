import { it } from 'vitest'
import { walk, walks } from '../../support/gate-walk.ts'
import { fc } from '../../support/laws.ts'

// Tens of thousands of steps; many more with GHYLL_SOAK, and then another seed every time, which a failure prints.
const isLong = (process.env.GHYLL_SOAK ?? '') !== ''

it('kernel and plain model agree on long walks', async () => {
  await fc.assert(
    fc.asyncProperty(walks(150), async (steps) => {
      await walk(steps)
    }),
    { numRuns: isLong ? 4000 : 200, endOnFailure: false }
  )
})
