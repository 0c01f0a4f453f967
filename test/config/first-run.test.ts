import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openConfig } from '../../src/config/first-run.ts'
import { seedHomeFiles } from '../../src/config/seed.ts'
import { templateText } from '../../src/config/template.ts'
import { failureOf, homeWith, minimal } from './support.ts'

const emptyHome = () => mkdtempSync(join(tmpdir(), 'ghyll-home-'))
const modeOf = (path: string) => statSync(path).mode & 0o777

describe('CFG-030', () => {
  test('without a configuration the template is written, for the owner alone, and nothing else', () => {
    const home = emptyHome()
    const path = join(home, '.ghyll', 'config.toml')
    expect(openConfig({ env: { HOME: home } })).toEqual({
      kind: 'written',
      path,
      notice: `wrote default config at ${path}; edit the model endpoints and re-run`
    })
    expect(readFileSync(path, 'utf8')).toBe(templateText)
    expect(modeOf(path)).toBe(0o600)
    expect(modeOf(join(home, '.ghyll'))).toBe(0o700)
    expect(readdirSync(join(home, '.ghyll'))).toEqual(['config.toml'])
  })

  test('a second run loads it and warns of the template addresses (CFG-034)', () => {
    const home = emptyHome()
    openConfig({ env: { HOME: home } })
    const second = openConfig({ env: { HOME: home } })
    expect(second).toMatchObject({
      kind: 'ready',
      config: {
        warnings: ["model 'm25' still has the template endpoint", "model 'glm5' still has the template endpoint"]
      }
    })
  })

  test('an invalid configuration is its error and stays as it is', () => {
    const { home, path } = homeWith('[models')
    expect(failureOf(() => openConfig({ env: { HOME: home } })).code).toBe('config-syntax')
    expect(readFileSync(path, 'utf8')).toBe('[models')
  })

  test('a home that cannot be written to is a failure that names the path', () => {
    const home = emptyHome()
    writeFileSync(join(home, '.ghyll'), '')
    expect(failureOf(() => openConfig({ env: { HOME: home } }))).toMatchObject({ code: 'config-unreadable' })
  })
})

describe('CFG-031', () => {
  /** Somebody else takes the name between our look and our write. */
  const meanwhile = (text: string | null) => {
    const { home, path } = homeWith(null)
    const create = () => {
      if (text !== null) writeFileSync(path, text, { mode: 0o600 })
      return false
    }
    return { path, open: () => openConfig({ env: { HOME: home } }, create) }
  }

  test('a file that another process made meanwhile is loaded, or is its error', () => {
    const valid = meanwhile(minimal)
    expect(valid.open()).toMatchObject({ kind: 'ready', config: { path: valid.path } })
    expect(failureOf(meanwhile('[models').open).code).toBe('config-syntax')
  })

  test('a file that vanished again is still being made', () => {
    const { path, open } = meanwhile(null)
    expect(open()).toEqual({
      kind: 'being-written',
      path,
      notice: `${path} is being created by another ghyll process; try again`
    })
  })

  test('of several processes exactly one writes, and every other loads the whole of it', async () => {
    const home = emptyHome()
    const path = join(home, '.ghyll', 'config.toml')
    const module = new URL('../../src/platform/atomic-file.ts', import.meta.url).href
    const program = `
      const { createFileExclusive } = await import(${JSON.stringify(module)})
      const { mkdirSync, readFileSync } = await import('node:fs')
      await new Promise((go) => process.stdin.once('data', go))
      mkdirSync(${JSON.stringify(join(home, '.ghyll'))}, { recursive: true })
      const mine = createFileExclusive(${JSON.stringify(path)}, 'x'.repeat(100000), 0o600)
      process.stdout.write(mine + ' ' + readFileSync(${JSON.stringify(path)}).length)
      process.exit()`
    const children = Array.from({ length: 4 }, () => spawn(process.execPath, ['--input-type=module', '-e', program]))
    const answers = children.map(async (child) => String((await once(child.stdout, 'data'))[0]))
    const exits = children.map((child) => once(child, 'exit'))
    for (const child of children) child.stdin.write('go')
    expect((await Promise.all(answers)).sort()).toEqual(['false 100000', 'false 100000', 'false 100000', 'true 100000'])
    await Promise.all(exits)
  }, 20_000)
})

describe('CFG-033', () => {
  const names = [
    'commands/spec-check.md',
    'commands/verify.md',
    'guidelines/ci.md',
    'guidelines/cpp.md',
    'guidelines/engineering.md',
    'guidelines/go.md',
    'guidelines/python.md',
    'guidelines/rust.md',
    'instructions.md'
  ]

  test('creates what is missing with private modes and says how much', () => {
    const folder = join(emptyHome(), '.ghyll')
    const seeding = seedHomeFiles(folder)
    expect([...seeding.created].sort()).toEqual(names)
    expect(seeding.notice).toBe(`seeded 9 user-home files under ${folder}`)
    expect(seeding.warning).toBeNull()
    for (const name of names) expect(modeOf(join(folder, name))).toBe(0o600)
    for (const name of ['', 'commands', 'guidelines']) expect(modeOf(join(folder, name))).toBe(0o700)
  })

  test('never touches what is there, and is silent when nothing is missing', () => {
    const folder = join(emptyHome(), '.ghyll')
    seedHomeFiles(folder)
    writeFileSync(join(folder, 'instructions.md'), 'mine')
    expect(seedHomeFiles(folder)).toEqual({ created: [], notice: null, warning: null })
    expect(readFileSync(join(folder, 'instructions.md'), 'utf8')).toBe('mine')
  })

  test('writes through no link, and trouble is a warning', () => {
    const home = emptyHome()
    const folder = join(home, '.ghyll')
    seedHomeFiles(folder)
    const other = join(home, 'other')
    symlinkSync(join(home, 'target'), join(home, 'link'))
    writeFileSync(other, '')
    expect(seedHomeFiles(other).warning).toMatch(/^could not create user-home files: /)
    expect(existsSync(join(home, 'target'))).toBe(false)
  })
})
