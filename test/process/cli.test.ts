import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { minimal } from '../config/support.ts'

const program = fileURLToPath(new URL('../../dist/ghyll.js', import.meta.url))

function ghyll(argv: readonly string[], env: Record<string, string> = {}, nodeFlags: readonly string[] = []) {
  const home = mkdtempSync(join(tmpdir(), 'ghyll-cli-'))
  const { status, stdout, stderr } = spawnSync(process.execPath, [...nodeFlags, program, ...argv], {
    cwd: home,
    env: { PATH: process.env.PATH ?? '', HOME: home, ...env },
    input: '',
    encoding: 'utf8'
  })
  return { code: status, out: stdout, err: stderr, home }
}

describe('CLI-002: exit codes of the built program', () => {
  test.each([
    [['version'], 0],
    [['--version'], 0],
    [['help'], 0],
    [['help', 'sandbox'], 0],
    [['run', '--help'], 0],
    [[], 2],
    [['bogus'], 2],
    [['run', '--bogus'], 2],
    [['run', 'a', 'b'], 2],
    [['exec'], 2],
    [['config', 'check'], 1],
    [['config', 'show'], 1],
    [['doctor'], 1],
    [['exec', 'hi'], 1],
    [['run', '/no/such/folder'], 1]
  ])('%j ends in %d', (argv, code) => {
    expect(ghyll(argv).code).toBe(code)
  })

  test('normal output is on standard output, trouble on standard error with the prefix', () => {
    expect(ghyll(['version'])).toMatchObject({ out: expect.stringMatching(/^ghyll \d+\.\d+\.\d+\n$/), err: '' })
    expect(ghyll(['bogus'])).toMatchObject({ out: '', err: expect.stringMatching(/^ghyll: unknown command "bogus"\n/) })
  })

  test('CFG-002: without HOME', () => {
    expect(ghyll(['config', 'check'], { HOME: '' })).toMatchObject({ code: 1, err: 'ghyll: HOME is not set\n' })
    expect(ghyll(['run'], { HOME: '' })).toMatchObject({ code: 1, err: 'ghyll: HOME is not set\n' })
  })
})

describe('CFG-030, CLI-031: the first run', () => {
  test('writes the template and ends in 0; the second one wants a terminal', () => {
    const { home, code, out } = ghyll(['run'])
    const path = join(home, '.ghyll', 'config.toml')
    expect({ code, out }).toEqual({
      code: 0,
      out: `ℹ wrote default config at ${path}; edit the model endpoints and re-run\n`
    })
    expect(readdirSync(home)).toEqual(['.ghyll'])
    expect(readdirSync(join(home, '.ghyll'))).toEqual(['config.toml'])
    const second = ghyll(['run'], { HOME: home })
    expect(second.code).toBe(2)
    expect(second.err).toMatch(/ghyll exec.*--no-tui/)
  })

  test('several at once: one file, whole, and nobody fails over it', async () => {
    const home = mkdtempSync(join(tmpdir(), 'ghyll-race-'))
    const children = Array.from({ length: 4 }, () =>
      spawn(process.execPath, [program, 'run'], {
        cwd: home,
        env: { PATH: process.env.PATH ?? '', HOME: home },
        stdio: ['ignore', 'pipe', 'pipe']
      })
    )
    const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0] as number))
    // 0: wrote it or saw it being written; 2: loaded it, and there is no terminal.
    expect(codes.filter((code) => code !== 0 && code !== 2)).toEqual([])
    expect(codes).toContain(0)
    expect(readdirSync(join(home, '.ghyll'))).toEqual(['config.toml'])
    expect(ghyll(['config', 'check'], { HOME: home }).out).toBe('config ok\n')
  })
})

describe('TERM-70: what is loaded', () => {
  function loaded(argv: readonly string[], env: Record<string, string> = {}): string {
    const folder = mkdtempSync(join(tmpdir(), 'ghyll-loaded-'))
    expect(ghyll(argv, { ...env, NODE_V8_COVERAGE: folder }).code).toBe(0)
    const scripts = readdirSync(folder).flatMap((name) => {
      const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { result: { url: string }[] }
      return result.map(({ url }) => url).filter((url) => url.startsWith('file:'))
    })
    expect(scripts.some((url) => url.endsWith('/dist/ghyll.js'))).toBe(true)
    return scripts.map((url) => `${url}\n${readFileSync(fileURLToPath(url), 'utf8')}`).join('\n')
  }

  test('version and help load neither screen nor database nor configuration', () => {
    for (const argv of [['version'], ['help']])
      expect(loaded(argv)).not.toMatch(/react\.transitional\.element|yoga|better-sqlite3\/|onnxruntime-node\/|ZodError/)
  })

  test('config check loads the configuration and none of the rest', () => {
    const home = mkdtempSync(join(tmpdir(), 'ghyll-cli-'))
    mkdirSync(join(home, '.ghyll'))
    writeFileSync(join(home, '.ghyll', 'config.toml'), minimal)
    const text = loaded(['config', 'check'], { HOME: home })
    expect(text).toMatch(/ZodError/)
    expect(text).not.toMatch(/react\.transitional\.element|yoga|better-sqlite3\/|onnxruntime-node\//)
  })
})

test('a Node that is too old says so', () => {
  const old = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'22.11.0'}})`
  expect(ghyll(['version'], {}, ['--import', old])).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/^ghyll: Node 22\.12 or newer is needed, this is 22\.11\.0 /)
  })
})

test('a reader that goes away is no trouble', async () => {
  const home = mkdtempSync(join(tmpdir(), 'ghyll-cli-'))
  ghyll(['run'], { HOME: home })
  const child = spawn(process.execPath, [program, 'config', 'show'], {
    env: { PATH: process.env.PATH ?? '', HOME: home },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  child.stdout.destroy()
  let err = ''
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  const [code] = await once(child, 'close')
  expect(code).toBe(0)
  expect(err).not.toMatch(/EPIPE|Error/)
})
