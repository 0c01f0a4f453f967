import { expect, it } from 'vitest'
import { killRound, projectToKill } from '../support/gate-kill.ts'
import { temporaryFolder } from '../support/temporary.ts'

const rounds = process.env.GHYLL_SOAK ? 500 : 3
/** A project grows with every round; a new one now and then keeps the rounds alike. */
const roundsPerProject = 25
/** Projects at work at once: a round is mostly waiting for a process to start. */
const lanes = process.env.GHYLL_SOAK ? 2 : 1

it(`${rounds} kills while verdicts are recorded lose nothing that was acknowledged (PERS-530, ATT-302)`, async () => {
  const starts = Array.from({ length: Math.ceil(rounds / roundsPerProject) }, (_, n) => n * roundsPerProject)
  let total = 0
  const work = async () => {
    for (let first = starts.shift(); first !== undefined; first = starts.shift()) {
      const project = projectToKill(temporaryFolder())
      const end = Math.min(first + roundsPerProject, rounds)
      for (let round = first; round < end; round++) await killRound(project, 1000 + round)
      total += project.acknowledged.size
    }
  }
  await Promise.all(Array.from({ length: lanes }, work))
  expect(total).toBeGreaterThan(rounds)
})
