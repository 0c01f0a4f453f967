import { expect, it } from 'vitest'
import { killRound, projectToKill } from '../support/gate-kill.ts'
import { temporaryFolder } from '../support/temporary.ts'

it('a gate killed at any moment has every verdict it acknowledged, in all three places (PERS-530, ATT-302)', async () => {
  const project = projectToKill(temporaryFolder())
  for (let seed = 1; seed <= 12; seed++) await killRound(project, seed)
  expect(project.acknowledged.size).toBeGreaterThan(12)
})
