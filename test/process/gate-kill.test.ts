import { expect, it } from 'vitest'
import { killRound } from '../support/gate-kill.ts'
import { temporaryFolder } from '../support/temporary.ts'

it('a gate killed at any moment has every verdict it acknowledged, in all three places (PERS-530, ATT-302)', async () => {
  const projectDir = temporaryFolder()
  const acknowledged = new Set<string>()
  for (let seed = 1; seed <= 12; seed++) await killRound(projectDir, seed, acknowledged)
  expect(acknowledged.size).toBeGreaterThan(12)
})
