import { once } from 'node:events'
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runVault } from '../../src/vault/program.ts'
import { homeWith } from '../config/support.ts'

/** Runs the program in a home of its own; `listening` resolves with the address, `code` with the exit code. */
function start(config: string | null, argv: readonly string[] = []) {
  const { home } = homeWith(config)
  const stop = new AbortController()
  const output = { out: '', err: '' }
  let heard: (address: string) => void = () => undefined
  const listening = new Promise<string>((resolve) => {
    heard = resolve
  })
  const code = runVault(argv, {
    env: { HOME: home },
    out(text) {
      output.out += text
      const address = /^ghyll-vault listening on (.*)\n$/m.exec(text)?.[1]
      if (address !== undefined) heard(address)
    },
    err(text) {
      output.err += text
    },
    stop: stop.signal
  })
  return { home, output, listening, code, stop: () => stop.abort() }
}

const loopback = '[vault]\nlisten = "127.0.0.1:0"\n'

describe('the command line (CLI-033)', () => {
  test.each([[['version']], [['--version']]])('%j', async (argv) => {
    const { code, output } = start(null, argv)
    expect(await code).toBe(0)
    expect(output).toEqual({ out: expect.stringMatching(/^ghyll-vault \S+\n$/), err: '' })
  })

  test.each([[['serve']], [['--bogus']], [['--listen']]])('%j is a usage error', async (argv) => {
    const { code, output } = start(loopback, argv)
    expect(await code).toBe(2)
    expect(output.err).toMatch(/^ghyll-vault: .+\n\nUsage: ghyll-vault/)
  })

  test.each([
    ['no section', '[ui]\n', [], 'ghyll-vault: no [vault] section in config\n'],
    ['no address', loopback, ['--listen', 'here'], 'ghyll-vault: not an address to listen on: here\n'],
    ['a config with a mistake', '[vault]\nallow_segments = 3\n', [], /allow_segments/]
  ])('%s ends in 1', async (_name, config, argv, message) => {
    const { code, output } = start(config, argv)
    expect(await code).toBe(1)
    expect(output.err).toEqual(expect.stringMatching(typeof message === 'string' ? escaped(message) : message))
  })

  test('an address that is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const address = `127.0.0.1:${(other.address() as AddressInfo).port}`
    const { code, output } = start(loopback, ['--listen', address])
    expect(await code).toBe(1)
    expect(output.err).toContain(`ghyll-vault: cannot listen on ${address}: EADDRINUSE\n`)
    other.close()
  })
})

describe('serving (MEM-096)', () => {
  test('listens where told, says so, and ends with 0 when it is stopped', async () => {
    const vault = start(loopback)
    const address = await vault.listening
    const health = await fetch(`http://${address}/v1/health`)
    expect(await health.json()).toMatchObject({ status: 'ok' })
    vault.stop()
    expect(await vault.code).toBe(0)
    await expect(fetch(`http://${address}/v1/health`)).rejects.toThrow()
  })

  test('what is unsafe or cannot work is told at start (MEM-090, MEM-095)', async () => {
    const open = start(loopback, ['--insecure-no-verify'])
    await open.listening
    expect(open.output.err).toMatch(/warning: vault\.token is not set/)
    expect(open.output.err).toMatch(/warning: --insecure-no-verify/)
    open.stop()
    const closed = start(`${loopback}token = "t"\n`)
    await closed.listening
    expect(closed.output.err).toBe(
      `ghyll-vault: warning: no device keys in ${join(closed.home, '.ghyll/vault/devices')}; every push is refused until there are some\n`
    )
    expect(statSync(join(closed.home, '.ghyll/vault/devices')).mode & 0o777).toBe(0o700)
    closed.stop()
    await Promise.all([open.code, closed.code])
  })

  test('with a token and keys there is nothing to warn of; flags go before the file', async () => {
    const { home } = homeWith(null)
    const keys = join(home, 'keys')
    mkdirSync(keys)
    writeFileSync(join(keys, 'dev-1.pub'), '')
    const vault = start('[vault]\nlisten = "nonsense"\ntoken = "t"\n', ['--listen', '127.0.0.1:0', '--keys-dir', keys])
    await vault.listening
    expect(vault.output.err).toBe('')
    vault.stop()
    expect(await vault.code).toBe(0)
  })
})

function escaped(text: string): RegExp {
  return new RegExp(`^${text.replace(/[[\]().]/g, '\\$&')}$`)
}
