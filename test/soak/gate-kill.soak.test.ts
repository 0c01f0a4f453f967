import { expect, it } from 'vitest'
import { killRound, projectToKill } from '../support/gate-kill.ts'
import { temporaryFolder } from '../support/temporary.ts'

const rounds = process.env.GHYLL_SOAK ? 500 : 3
/** A project grows with every round; a new one now and then keeps the rounds alike. */
const roundsPerProject = 25

it(`${rounds} kills while verdicts are recorded lose nothing that was acknowledged (PERS-530, ATT-302)`, async () => {
  let project = projectToKill(temporaryFolder())
  let total = 0
  for (let round = 0; round < rounds; round++) {
    if (project.rounds === roundsPerProject) project = projectToKill(temporaryFolder())
    const before = project.acknowledged.size
    await killRound(project, 1000 + round)
    total += project.acknowledged.size - before
  }
  expect(total).toBeGreaterThan(rounds)
})
