import { expect, test } from 'vitest'
import { killProgramRound, openPlaceToKill, startTwice } from '../support/gate-program-kill.ts'

test('a session killed while verdicts are recorded has every one it told of, in all three places, and settles once (PERS-530, PERS-540)', async () => {
  const target = await openPlaceToKill()
  let killed = 0
  for (let seed = 1; seed <= 6; seed += 1) killed += (await killProgramRound(target, seed)) ? 1 : 0
  await startTwice(target)
  expect(killed).toBeGreaterThan(2)
  expect(target.told.size).toBeGreaterThan(4)
})
