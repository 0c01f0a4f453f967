import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { acquireLock, lockHolder } from '../../src/platform/lockfile.ts'
import { type Processes, systemProcesses } from '../../src/platform/process-table.ts'
import { gone } from '../support/processes.ts'

let path = ''
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'ghyll-lock-')), '.ghyll.lock')
})
const now = Date.parse('2026-03-01T12:00:00.000Z')
const processes = (alive: Record<number, number | null>): Processes => ({
  isAlive: (pid) => pid in alive,
  startedAt: (pid) => alive[pid] ?? null
})
const acquire = (alive: Record<number, number | null>, pid = 100) =>
  acquireLock(path, { pid, now: () => now, processes: processes(alive) })

describe('something else with its name', () => {
  test.each([
    ['a link to a device that never ends', '/dev/zero'],
    ['a link to nothing', 'nowhere'],
    ['a link to a file', 'elsewhere']
  ])('%s is no lock, and nobody is said to hold it (SESS-131)', (_, target) => {
    writeFileSync(join(dirname(path), 'elsewhere'), '77')
    symlinkSync(target, path)
    expect(() => acquire({})).toThrow(expect.objectContaining({ code: 'lock-not-a-file' }))
    expect(lstatSync(path).isSymbolicLink()).toBe(true)
  })

  test('a folder neither', () => {
    mkdirSync(path)
    expect(() => acquire({})).toThrow(expect.objectContaining({ code: 'lock-not-a-file' }))
  })

  test('a long file is not read to its end', () => {
    writeFileSync(path, `77 ${'x'.repeat(100_000)}`)
    expect(acquire({ 77: now })).toMatchObject({ kind: 'active', pid: 77 })
  })
})

describe('SESS-131', () => {
  test('holds the process id and the time on two lines, mode 0644', () => {
    expect(acquire({})).toMatchObject({ kind: 'acquired', lock: { reclaimedFrom: null } })
    expect(readFileSync(path, 'utf8')).toBe('100\n2026-03-01T12:00:00.000Z\n')
    expect(statSync(path).mode & 0o777).toBe(0o644)
  })

  test('any content whose first word is an integer names the holder; without a time the file date counts', () => {
    writeFileSync(path, '77 something else')
    expect(acquire({ 77: null })).toMatchObject({ kind: 'active', pid: 77 })
    const taken = new Date(now - 60_000)
    utimesSync(path, taken, taken)
    expect(acquire({ 77: now - 120_000 })).toMatchObject({ kind: 'active', pid: 77 })
    expect(acquire({ 77: now - 1_000 })).toMatchObject({ kind: 'acquired', lock: { reclaimedFrom: 77 } })
  })
})

test('a lock that was removed under way is made again, unless somebody else has it by then (SESS-136)', () => {
  const outcome = acquire({})
  if (outcome.kind !== 'acquired') return expect.unreachable('the lock was free')
  rmSync(path)
  expect(outcome.lock.renew()).toBe(true)
  expect(readFileSync(path, 'utf8')).toMatch(/^100\n/)
  expect(outcome.lock.renew()).toBe(true)
  writeFileSync(path, '77\n')
  expect(outcome.lock.renew()).toBe(false)
  expect(readFileSync(path, 'utf8')).toBe('77\n')
  rmSync(dirname(path), { recursive: true })
  expect(outcome.lock.renew()).toBe(false)
})

describe('SESS-132, SESS-133', () => {
  test('a living holder keeps it', () => {
    acquire({})
    expect(acquire({ 100: now - 5_000 }, 200)).toEqual({
      kind: 'active',
      pid: 100,
      text: 'another ghyll session is active (pid 100)'
    })
  })

  test('a dead holder loses it, and nothing is left aside', () => {
    acquire({})
    expect(acquire({ 200: null }, 200)).toMatchObject({ kind: 'acquired', lock: { reclaimedFrom: 100 } })
    expect(readFileSync(path, 'utf8')).toMatch(/^200\n/)
    expect(readdirSync(join(path, '..'))).toEqual(['.ghyll.lock'])
  })

  test('a process started after the lock was taken is another one with the same id', () => {
    writeFileSync(path, `100\n${new Date(now - 60_000).toISOString()}\n`)
    expect(acquire({ 100: now - 120_000 }, 200)).toMatchObject({ kind: 'active' })
    expect(acquire({ 100: now - 30_000 }, 200)).toMatchObject({ kind: 'acquired', lock: { reclaimedFrom: 100 } })
  })

  test('content nobody can read is respected for ten seconds', () => {
    writeFileSync(path, '')
    const written = (ago: number) => utimesSync(path, new Date(now - ago), new Date(now - ago))
    written(9_000)
    expect(acquire({})).toMatchObject({ kind: 'active', pid: null })
    written(11_000)
    expect(acquire({})).toMatchObject({ kind: 'acquired', lock: { reclaimedFrom: 'unknown' } })
  })

  test('of several processes that find one stale lock exactly one gets it', async () => {
    const dead = spawnSync('true').pid
    writeFileSync(path, `${dead}\n2020-01-01T00:00:00.000Z\n`)
    const module = new URL('../../src/platform/lockfile.ts', import.meta.url).href
    const program = `
      const { acquireLock } = await import(${JSON.stringify(module)})
      await new Promise((go) => process.stdin.once('data', go))
      process.stdout.write(acquireLock(${JSON.stringify(path)}).kind + '\\n')
      process.stdin.once('end', () => process.exit())`
    const children = Array.from({ length: 4 }, () => spawn(process.execPath, ['--input-type=module', '-e', program]))
    const answers = children.map(async (child) => String((await once(child.stdout, 'data'))[0]).trim())
    const exits = children.map((child) => once(child, 'exit'))
    for (const child of children) child.stdin.write('go')
    const kinds = await Promise.all(answers)
    for (const child of children) child.stdin.end()
    await Promise.all(exits)
    expect(kinds.sort()).toEqual(['acquired', 'active', 'active', 'active'])
    expect(existsSync(path)).toBe(false)
  }, 20_000)
})

describe('SESS-134', () => {
  test('release removes the file, and only once', () => {
    const outcome = acquire({})
    if (outcome.kind !== 'acquired') throw new Error('expected the lock')
    outcome.lock.release()
    expect(existsSync(path)).toBe(false)
    acquire({ 200: null }, 200)
    outcome.lock.release()
    expect(readFileSync(path, 'utf8')).toMatch(/^200\n/)
  })

  test('an exit without a release still removes it', () => {
    const module = new URL('../../src/platform/lockfile.ts', import.meta.url).href
    const program = `
      const { acquireLock } = await import(${JSON.stringify(module)})
      const { existsSync } = await import('node:fs')
      acquireLock(${JSON.stringify(path)})
      process.stdout.write(String(existsSync(${JSON.stringify(path)})))
      throw new Error('bug')`
    const run = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
    expect(run.stdout).toBe('true')
    expect(run.status).toBe(1)
    expect(existsSync(path)).toBe(false)
  })
})

describe('SESS-134: signals', () => {
  const held = (rest: string) => {
    const module = new URL('../../src/platform/lockfile.ts', import.meta.url).href
    const program = `
      const { acquireLock } = await import(${JSON.stringify(module)})
      const { lock } = acquireLock(${JSON.stringify(path)})
      ${rest}
      process.stdin.resume()
      process.stdout.write('ready')`
    return spawn(process.execPath, ['--input-type=module', '-e', program])
  }

  test.each(['SIGHUP', 'SIGINT', 'SIGTERM'] as const)(
    '%s that nobody handles ends the process without a lock',
    async (signal) => {
      const child = held('')
      await once(child.stdout, 'data')
      expect(existsSync(path)).toBe(true)
      child.kill(signal)
      expect(await once(child, 'exit')).toEqual([null, signal])
      expect(existsSync(path)).toBe(false)
    }
  )

  test('one that the program handles leaves lock and process to it', async () => {
    const child = held(`process.on('SIGTERM', () => process.stdout.write(String(process.listenerCount('SIGTERM'))))`)
    await once(child.stdout, 'data')
    child.kill('SIGTERM')
    expect(String((await once(child.stdout, 'data'))[0])).toBe('2')
    expect(existsSync(path)).toBe(true)
    child.stdin.end()
    await once(child, 'exit')
    expect(existsSync(path)).toBe(false)
  })

  test('a child that is running meanwhile is no reason to stay, and ends with it', async () => {
    const child = held(`
      const { execa } = await import(${JSON.stringify(import.meta.resolve('execa'))})
      const running = execa('sleep', ['600'])
      running.catch(() => {})
      process.stdout.write(running.pid + ' ')`)
    const [printed] = await once(child.stdout, 'data')
    const grandchild = Number.parseInt(String(printed), 10)
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([null, 'SIGTERM'])
    expect(existsSync(path)).toBe(false)
    await gone(grandchild)
  })

  test('after a release no signal is listened to any more', async () => {
    const child = held('lock.release(); setInterval(() => {}, 1000)')
    await once(child.stdout, 'data')
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([null, 'SIGTERM'])
  })
})

describe('SESS-136', () => {
  test('lockHolder tells a living holder only', () => {
    expect(lockHolder(path)).toBeNull()
    acquire({})
    expect(lockHolder(path, { processes: processes({ 100: null }) })).toEqual({ pid: 100 })
    expect(lockHolder(path, { processes: processes({}) })).toBeNull()
  })
})

describe('process table', () => {
  test('knows this process, and a dead one as dead', () => {
    const table = systemProcesses()
    expect(table.isAlive(process.pid)).toBe(true)
    expect(table.isAlive(spawnSync('true').pid)).toBe(false)
  })

  test('tells start times to about a second where there is /proc', () => {
    const started = systemProcesses().startedAt(process.pid)
    if (process.platform === 'linux') expect(Math.abs(started! - performance.timeOrigin)).toBeLessThan(5_000)
    else expect(started).toBeNull()
  })
})
