import { describe, expect, test } from 'vitest'
import { networkReasonOf } from '../../src/lib/error.ts'

describe('what went wrong on the network', () => {
  test.each([
    [
      new TypeError('fetch failed', { cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }) }),
      'ECONNREFUSED'
    ],
    [new TypeError('fetch failed', { cause: new Error('other side closed') }), 'other side closed'],
    [new Error('bad port'), 'bad port'],
    ['a text', 'a text']
  ])('is told by its cause where there is one: %o', (thrown, reason) => {
    expect(networkReasonOf(thrown)).toBe(reason)
  })
})
