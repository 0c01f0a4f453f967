import { expect, it } from 'vitest'
import { walk, walks } from '../../support/gate-walk.ts'
import { fc } from '../../support/laws.ts'

it('kernel and plain model give the same answers and reach the same states, whatever is asked of them', async () => {
  const seen = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(walks(80), async (steps) => {
      for (const [name, count] of await walk(steps)) seen.set(name, (seen.get(name) ?? 0) + count)
    }),
    { seed: 20260821, numRuns: 150 }
  )
  // A walk that never gets anywhere would prove nothing.
  for (const name of [
    'run cached',
    'run dispatched closed',
    'run dispatched open',
    'run dispatched aborted',
    'run refused transition-refused',
    'run refused transition-refused-invalidated',
    'run refused role-context-busy',
    'run refused missing-binding',
    'run refused adversarial-hooks-not-wired',
    'verdict recorded',
    'verdict refused escalation-open',
    'verdict refused attestation-duplicate',
    'answer recorded',
    'abort aborted',
    'invalidate invalidated',
    'move moved'
  ])
    expect(seen.get(name) ?? 0, name).toBeGreaterThan(0)
}, 30_000)
