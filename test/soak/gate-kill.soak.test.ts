import { expect, it } from 'vitest'
import { killRound } from '../support/gate-kill.ts'
import { temporaryFolder } from '../support/temporary.ts'

const rounds = process.env.GHYLL_SOAK ? 500 : 3
/** A project grows with every round; a new one now and then keeps the rounds alike. */
const roundsPerProject = 25

it(`${rounds} kills while verdicts are recorded lose nothing that was acknowledged (PERS-530, ATT-302)`, async () => {
  let projectDir = ''
  let acknowledged = new Set<string>()
  let total = 0
  for (let round = 0; round < rounds; round++) {
    if (round % roundsPerProject === 0) {
      projectDir = temporaryFolder()
      acknowledged = new Set()
    }
    const before = acknowledged.size
    await killRound(projectDir, 1000 + round, acknowledged)
    total += acknowledged.size - before
  }
  expect(total).toBeGreaterThan(rounds)
})
