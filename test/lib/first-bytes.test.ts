import { expect, test } from 'vitest'
import { firstBytes } from '../../src/lib/first-bytes.ts'

test.each([
  [6, 'abcdef', false],
  [5, 'abcde', true],
  [3, 'abc', true],
  [0, '', true],
  [100, 'abcdef', false]
])('of six bytes in two pieces at most %i are kept: %j', async (max, text, isCut) => {
  const { bytes, isCut: told } = await firstBytes(pieces('abc', 'def'), max)
  expect([bytes.toString(), told]).toEqual([text, isCut])
})

test('what is not wanted is let go of, and nothing is waited for', async () => {
  let isClosed = false
  async function* endless() {
    try {
      for (;;) yield Buffer.from('abc')
    } finally {
      isClosed = true
    }
  }
  expect((await firstBytes(endless(), 4)).bytes.toString()).toBe('abca')
  expect(isClosed).toBe(true)
})

test('no body is an empty one', async () => {
  expect(await firstBytes(null, 10)).toEqual({ bytes: Buffer.alloc(0), isCut: false })
})

async function* pieces(...texts: readonly string[]) {
  for (const text of texts) yield Buffer.from(text)
}
