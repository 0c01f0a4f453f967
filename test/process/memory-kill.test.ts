import { describe, test } from 'vitest'
import { killAndLook } from '../memory/kill-support.ts'
import { numbersOf } from '../support/numbers.ts'

describe('a process killed while it makes checkpoints (MEM-076, MEM-077)', () => {
  test('keeps what it announced, in one line of descent, and the branch catches up', async () => {
    const random = numbersOf(20240414)
    await killAndLook(8, (below) => random(below))
  })
})
