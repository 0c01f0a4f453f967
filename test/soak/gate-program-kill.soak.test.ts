import { expect, test } from 'vitest'
import { killProgramRound, openPlaceToKill } from '../support/gate-program-kill.ts'

const rounds = process.env.GHYLL_SOAK ? 500 : 2

test(`the program is killed ${rounds} times while verdicts are recorded, and loses none it told of (PERS-540)`, async () => {
  const place = await openPlaceToKill()
  const told = new Set<string>()
  for (let seed = 100; seed < 100 + rounds; seed += 1) await killProgramRound(place, seed, told)
  expect(told.size).toBeGreaterThan(rounds / 2)
})
