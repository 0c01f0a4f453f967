import { expect, test } from 'vitest'
import { killProgramRound, openPlaceToKill, startTwice } from '../support/gate-program-kill.ts'

const rounds = process.env.GHYLL_SOAK ? 500 : 2
/** A project grows with every round; a new one now and then keeps the rounds alike. */
const roundsPerPlace = 50
/** Places at work at once: a start is mostly waiting for the disk. */
const lanes = process.env.GHYLL_SOAK ? 2 : 1

test(`the program is killed ${rounds} times while verdicts are recorded, and loses none it told of (PERS-540)`, async () => {
  const places = Array.from({ length: Math.ceil(rounds / roundsPerPlace) }, (_, n) => n)
  let kills = 0
  let told = 0
  const work = async () => {
    for (let n = places.shift(); n !== undefined; n = places.shift()) {
      const target = await openPlaceToKill()
      // Sessions that came to their end in time are no rounds.
      for (let seed = 0; target.kills < Math.min(roundsPerPlace, rounds); seed += 1) {
        await killProgramRound(target, 1000 * n + seed)
        if (seed % 10 === 9) await startTwice(target)
      }
      await startTwice(target)
      kills += target.kills
      told += target.told.size
    }
  }
  await Promise.all(Array.from({ length: lanes }, work))
  expect(kills).toBe(rounds)
  // A session is killed after one to three verdicts it told of.
  expect(told).toBeGreaterThanOrEqual(rounds)
})
