import { describe, expect, test } from 'vitest'
import { publicPemOf } from '../../src/memory/key-files.ts'
import { privateKeyOf } from '../../src/memory/sign.ts'
import { open } from './store-place.ts'
import { vectorKey } from './support.ts'

describe('keys (MEM-056)', () => {
  const [first, second] = [vectorKey, privateKeyOf(new Uint8Array(32).fill(9))].map(publicPemOf) as [string, string]

  test('the first one seen stays until the operator says otherwise', () => {
    const { keys } = open()
    expect([keys.pin('laptop', first, 1), keys.pin('laptop', first, 2), keys.pin('laptop', second, 3)]).toEqual([
      'new',
      'known',
      'changed'
    ])
    expect(keys.pemFor('laptop')).toBe(first)
    keys.trust('laptop', second, 4)
    expect([keys.pin('laptop', second, 5), keys.pin('laptop', first, 6)]).toEqual(['known', 'changed'])
    expect(keys.keyFor('stranger')).toBeNull()
  })
})
