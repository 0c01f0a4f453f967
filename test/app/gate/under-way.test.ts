import { expect, it } from 'vitest'
import { createUnderWay } from '../../../src/app/gate/under-way.ts'
import { assert } from '../../../src/lib/assert.ts'

function scene() {
  const lines: string[] = []
  let changes = 0
  const underWay = createUnderWay({
    failed: (line) => lines.push(line),
    changed: () => {
      changes += 1
    }
  })
  return { underWay, lines, changes: () => changes }
}

it('work is under way until it has ended, and whoever waits for quiet hears of it', async () => {
  const { underWay, lines, changes } = scene()
  const { promise, resolve } = Promise.withResolvers<void>()
  underWay.track(promise)
  expect(underWay.isEmpty()).toBe(false)
  resolve()
  await underWay.ended()
  expect([underWay.isEmpty(), lines, changes()]).toEqual([true, [], 1])
})

it('work that fails becomes a line, and nobody is held up by it', async () => {
  const { underWay, lines } = scene()
  underWay.track(Promise.reject(new Error('disk full')))
  await underWay.ended()
  expect(lines).toEqual(['✗ disk full'])
})

it('a bug in it is no line: it stops whoever waits', async () => {
  const { underWay, lines } = scene()
  underWay.track((async () => assert(false, 'cannot be'))())
  await expect(underWay.ended()).rejects.toThrow('cannot be')
  expect(lines).toEqual([])
})
