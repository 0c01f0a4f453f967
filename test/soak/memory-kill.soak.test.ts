import { describe, test } from 'vitest'
import { killAndLook } from '../memory/kill-support.ts'
import { numbersOf } from '../support/numbers.ts'

const kills = process.env.GHYLL_SOAK ? 200 : 6

describe('a process killed while it makes checkpoints (MEM-076, MEM-077)', () => {
  test(`${kills} times at random`, async () => {
    const seed = process.env.GHYLL_SOAK ? Date.now() % 2 ** 31 : 7
    const random = numbersOf(seed)
    console.log(`seed ${seed}`)
    await killAndLook(kills, (below) => random(below))
  })
})
