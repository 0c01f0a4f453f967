import { expect, test } from 'vitest'
import { formatAddress, parseAddress } from '../../src/vault/address.ts'

test.each([
  [':9090', { host: null, port: 9090 }],
  ['127.0.0.1:0', { host: '127.0.0.1', port: 0 }],
  ['[::1]:9090', { host: '::1', port: 9090 }],
  ['vault.example:65535', { host: 'vault.example', port: 65535 }]
])('%s', (text, address) => {
  expect(parseAddress(text)).toEqual(address)
  expect(formatAddress(address)).toBe(text)
})

test.each(['', '9090', 'host', 'host:', ':65536', '::1:9090', '[::1]', 'a b:1', ':-1', ':1e3'])(
  '%j is none',
  (text) => {
    expect(parseAddress(text)).toBeNull()
  }
)
