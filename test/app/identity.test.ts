import { hostname } from 'node:os'
import { expect, test } from 'vitest'
import { withTilde } from '../../src/app/header.ts'
import { deviceId, newSessionId } from '../../src/app/identity.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { fc } from '../support/laws.ts'

test.each([
  ['my laptop', 'my-laptop'],
  ['a/b', 'a-b'],
  ['..', '-'],
  ['.', 'default'],
  ['  x  ', 'x'],
  ['größe', 'gr--e']
])('the device %j is named %j (MEM-012)', (wanted, name) => {
  expect(deviceId({ GHYLL_DEVICE_ID: wanted })).toBe(name)
})

test('without the variable, or with an empty one, the host name stands (MEM-012)', () => {
  expect(deviceId({})).toBe(deviceId({ GHYLL_DEVICE_ID: hostname() }))
  expect(deviceId({ GHYLL_DEVICE_ID: ' ' })).toBe(deviceId({}))
})

test('any device name is a safe path segment (MEM-013)', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (wanted) => {
      const name = deviceId({ GHYLL_DEVICE_ID: wanted })
      expect(name).toMatch(/^[A-Za-z0-9._-]+$/)
      expect(name).not.toMatch(/^\.$|\.\./)
    })
  )
})

test('two session ids of one process are never equal (SESS-022)', () => {
  const clock = systemClock()
  const ids = Array.from({ length: 1000 }, () => newSessionId('d', clock))
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.toSorted()).toEqual(ids)
})

test.each([
  ['/home/ann/repos/shop', '/home/ann', '~/repos/shop'],
  ['/home/ann', '/home/ann', '~'],
  ['/home/anna', '/home/ann', '/home/anna'],
  ['/srv', undefined, '/srv'],
  ['/srv', '/', '/srv']
])('%s with home %s is shown as %s (SESS-023)', (path, home, shown) => {
  expect(withTilde(path, home)).toBe(shown)
})
