import { describe, expect, test } from 'vitest'
import { loadVaultConfig } from '../../src/config/vault.ts'
import { failureOf, homeWith, load, minimal, problems } from './support.ts'

const read = (text: string, mode?: number) => {
  const { home, path } = homeWith(text, mode)
  return loadVaultConfig(path, { HOME: home })
}

describe('the server needs its section alone (CLI-033)', () => {
  test('no model has to be configured, and what else is wrong is not its business', () => {
    const { vault, warnings } = read('[vault]\nlisten = ":1"\nkeys_dir = "~/keys"\n[routing]\ndefault_model = 3\n')
    expect(vault).toMatchObject({
      listen: ':1',
      allowSegments: true,
      token: null,
      keysDir: expect.stringMatching(/\/keys$/)
    })
    expect(warnings).toEqual([])
  })

  test('no section is null', () => {
    expect(read(minimal).vault).toBeNull()
  })

  test('a token that others can read is refused as everywhere (CFG-007)', () => {
    const { home, path } = homeWith('[vault]\ntoken = "t"\n', 0o644)
    expect(failureOf(() => loadVaultConfig(path, { HOME: home })).message).toMatch(
      /^config holds a secret but mode 0644/
    )
  })

  test('a missing file is told as such', () => {
    const { home, path } = homeWith(null)
    expect(failureOf(() => loadVaultConfig(path, { HOME: home })).code).toBe('config-missing')
  })
})

describe('a token never crosses an open connection (MEM-099)', () => {
  const section = (url: string, token: string) => `${minimal}[vault]\nurl = "${url}"\n${token}`

  test.each(['http://vault.example', 'http://vault.example:9090/x'])('%s with a token is a config error', (url) => {
    expect(problems(section(url, 'token = "secret"'))).toEqual([
      expect.stringMatching(
        /^config: vault\.url: must be https, as vault\.token would be sent in the clear, got "http:/
      )
    ])
  })

  test.each([
    ['https://vault.example', 'token = "t"'],
    ['http://127.0.0.1:9090', 'token = "t"'],
    ['http://localhost:9090', 'token = "t"'],
    ['http://[::1]:9090', 'token = "t"'],
    ['http://vault.example', '']
  ])('%s %s is fine', (url, token) => {
    expect(load(section(url, token)).vault?.url).toBe(url)
  })
})
