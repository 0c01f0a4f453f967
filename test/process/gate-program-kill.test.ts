import { expect, test } from 'vitest'
import { killProgramRound, openPlaceToKill } from '../support/gate-program-kill.ts'

test('a session killed while verdicts are recorded has every one it told of, in all three places, and settles once (PERS-530, PERS-540)', async () => {
  const place = await openPlaceToKill()
  const told = new Set<string>()
  let killed = 0
  for (let seed = 1; seed <= 4; seed += 1) killed += (await killProgramRound(place, seed, told)) ? 1 : 0
  expect(killed).toBeGreaterThan(1)
  expect(told.size).toBeGreaterThan(3)
})
