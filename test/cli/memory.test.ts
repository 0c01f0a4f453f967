import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { execa } from 'execa'
import { describe, expect, onTestFinished, test } from 'vitest'
import { publicPemOf } from '../../src/memory/key-files.ts'
import type { Checkpoint } from '../../src/memory/record.ts'
import { privateKeyOf } from '../../src/memory/sign.ts'
import { openMemoryStore } from '../../src/memory/store.ts'
import { minimal } from '../config/support.ts'
import { signedRecord, vectorKey } from '../memory/support.ts'
import { webServer } from '../support/web-server.ts'
import { cli } from './support.ts'

const usage = 'usage: ghyll memory [log|search <query>|sync|fetch-embedder|trust <device>]\n'
/** 2024-04-14 13:06:40 UTC */
const ts = 1713100000n * 1_000_000_000n

/** A home with these checkpoints of `dev-1` in one chain, and a folder outside of git. */
function world(records: readonly Partial<Checkpoint>[] | null = [], config: string | null = null) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'ghyll-cli-memory-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const home = join(root, 'home')
  const cwd = join(root, 'project')
  const databasePath = join(home, '.ghyll', 'memory.db')
  mkdirSync(cwd, { recursive: true })
  mkdirSync(join(home, '.ghyll'), { recursive: true, mode: 0o700 })
  if (config !== null) {
    writeFileSync(join(home, '.ghyll', 'config.toml'), config)
    chmodSync(join(home, '.ghyll', 'config.toml'), 0o600)
  }
  const made: Checkpoint[] = []
  if (records !== null) {
    const store = openMemoryStore(databasePath)
    store.keys.pin('dev-1', publicPemOf(vectorKey), 0)
    for (const [n, fields] of records.entries()) {
      const chain = { device: 'dev-1', repo: fields.repo ?? cwd }
      made.push(
        store.append(chain, ts + BigInt(n) * 60_000_000_000n, (next) =>
          signedRecord({ v: 2, ...chain, ...fields, ...next })
        )
      )
    }
    store.close()
  }
  const env = { HOME: home, PATH: process.env.PATH ?? '', GHYLL_DEVICE_ID: 'here', GIT_CONFIG_NOSYSTEM: '1' }
  return {
    root,
    home,
    cwd,
    made,
    databasePath,
    run: (...argv: string[]) => cli(['memory', ...argv], { env, cwd }),
    env
  }
}

const local = (at: bigint) => {
  const date = new Date(Number(at / 1_000_000n))
  const two = (n: number) => String(n).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`
}

describe('MEM-132: wrong use ends in 2 with the usage', () => {
  test.each([
    [[]],
    [['bogus']],
    [['log', 'x']],
    [['search']],
    [['log', '--bogus']],
    [['trust']],
    [['sync', '--full', '--shallow']]
  ])('%j', async (argv) => {
    const { run } = world(null)
    const { code, out, err } = await run(...argv)
    expect([code, out]).toEqual([2, ''])
    expect(err.endsWith(usage)).toBe(true)
  })
})

describe('memory log', () => {
  test('nothing remembered: one line, and no file is made', async () => {
    const { run, databasePath } = world(null)
    expect(await run('log')).toMatchObject({ code: 0, out: 'no checkpoints\n', err: '' })
    expect(existsSync(databasePath)).toBe(false)
  })

  test('one line each, by time, of every repository; one with --repo', async () => {
    const { run, made, cwd } = world([
      { summary: 'turns 1-5\nmore', model: 'm25', author: 'alice', turn: 5 },
      { summary: 'elsewhere', repo: '/other', turn: 1 }
    ])
    const lines = made.map(
      ({ hash, turn, summary }, n) =>
        `${hash.slice(0, 12)}  ${local(ts + BigInt(n) * 60_000_000_000n)}  [m25] @alice  turn ${turn}  ${summary.split('\n')[0]}\n`
    )
    expect((await run('log')).out).toBe(lines.join(''))
    expect((await run('log', '--repo')).out).toBe(lines[0])
    expect((await run('log', `--repo=${cwd}`)).out).toBe(lines[0])
    expect((await run('log', '--repo', '/other')).out).toBe(lines[1])
  })

  test('--summary shows what each was about under its line, or in its object', async () => {
    const { run, made } = world([{ summary: 'turns 1-5\nGoal:\nmend the \x1b[31mrace\n\nOutcome:\ndone\n' }])
    const [plain, shown] = [(await run('log')).out, (await run('log', '--summary')).out]
    expect(plain.trimEnd().endsWith('turns 1-5')).toBe(true)
    expect(shown.startsWith(plain)).toBe(true)
    const about = shown.slice(plain.length)
    expect(about).toMatch(/^ {4}Goal:\n {4}mend the .*race\n\n {4}Outcome:\n {4}done\n$/)
    expect(about).not.toContain('\x1b')
    expect((await run('search', '--summary', 'mend')).out.endsWith(about)).toBe(true)
    expect(JSON.parse((await run('log', '--summary', '--json')).out).summary).toBe(made[0]?.summary)
    expect(JSON.parse((await run('log', '--json')).out)).not.toHaveProperty('summary')
  })

  test('MEM-016: JSON keeps every digit', async () => {
    const { run } = world([{ summary: 'a' }])
    expect((await run('log', '--json')).out).toMatch(
      /^\{"hash":"[0-9a-f]{64}","ts":1713100000000000000,"device":"dev-1",/
    )
  })

  test('MEM-130: a time in seconds is shown as such', async () => {
    const at = world([])
    const store = openMemoryStore(at.databasePath)
    store.importAll([{ record: signedRecord({ v: 1, ts: 1713100000n }), verified: true }], 0)
    store.close()
    expect((await at.run('log')).out).toContain(local(ts))
  })

  test('MEM-131: nothing of a record reaches the terminal as control', async () => {
    const { run } = world([{ summary: 'a\x1b[31mb\u202e\tc\nsecond', author: 'x\x07y\nz', model: '\x1b]0;t\x07m' }])
    const { out } = await run('log')
    expect(out).not.toMatch(/[\x00-\x09\x0b-\x1f\u202e]/)
    expect(out.split('\n')).toHaveLength(2)
  })

  test('--verify says what does not hold, and ends in 1', async () => {
    const at = world([{ summary: 'one' }, { summary: 'two' }, { summary: 'three' }])
    expect(await at.run('log', '--verify')).toMatchObject({ code: 0, err: '' })
    const db = new Database(at.databasePath)
    db.exec('DROP TRIGGER gx_checkpoints_no_update')
    db.prepare("UPDATE checkpoints SET summary = 'forged' WHERE hash = ?").run(at.made[1]?.hash)
    db.close()
    const { code, out, err } = await at.run('log', '--verify')
    expect(code).toBe(1)
    expect(err).toBe(`⚠ checkpoint chain broken at ${at.made[1]?.hash.slice(0, 12)} from @dev-1\n`)
    expect(out.split('\n').map((line) => line.slice(14, 34).trim())).toEqual([
      'verified',
      'hash mismatch',
      'broken chain',
      ''
    ])
  })

  test('a break in the own chain comes with what to do about it', async () => {
    const at = world([{ summary: 'one' }, { summary: 'two' }])
    const db = new Database(at.databasePath)
    db.exec('DROP TRIGGER gx_checkpoints_no_update')
    db.prepare("UPDATE checkpoints SET summary = 'forged' WHERE hash = ?").run(at.made[0]?.hash)
    db.close()
    const { err } = await cli(['memory', 'log', '--verify'], {
      cwd: at.cwd,
      env: { ...at.env, GHYLL_DEVICE_ID: 'dev-1' }
    })
    expect(err.split('\n').slice(1)).toEqual([
      `⚠ nothing this device remembers behind the break is trusted; while no session runs, move ${at.databasePath} with its -wal and -shm files away: its chain then starts again`,
      ''
    ])
  })

  test('MEM-052: --verify reports where a chain starts again', async () => {
    const at = world([{ summary: 'one' }])
    const store = openMemoryStore(at.databasePath)
    const again = signedRecord({ v: 2, repo: at.cwd, ts: ts * 2n, summary: 'again' })
    store.importAll([{ record: again, verified: true }], 0)
    store.close()
    expect(await at.run('log', '--verify')).toMatchObject({
      code: 0,
      err: `⚠ checkpoint chain starts again at ${again.hash.slice(0, 12)} from @dev-1\n`
    })
  })
})

describe('memory search', () => {
  test('words, best first, of this repository or all; hashes by prefix', async () => {
    const { run, made } = world([
      { summary: 'Fixed the auth race\nauth auth' },
      { summary: 'Typography' },
      { summary: 'auth elsewhere', repo: '/other' }
    ])
    const line = ({ hash, summary }: Checkpoint) =>
      `${hash.slice(0, 12)}  ${local(ts).slice(0, 10)}  @alice  ${summary.split('\n')[0]}\n`
    const [auth, typography] = made as [Checkpoint, Checkpoint]
    expect(await run('search', 'auth', 'race')).toMatchObject({ code: 0, out: line(auth), err: '' })
    expect((await run('search', '--all', 'auth')).out.split('\n')).toHaveLength(3)
    expect((await run('search', typography.hash.slice(0, 8))).out).toBe(line(typography))
    expect((await run('search', 'nothing like it')).out).toBe('no matching checkpoints\n')
  })

  test('a store that cannot be read is one clear line', async () => {
    const at = world([])
    writeFileSync(at.databasePath, 'x'.repeat(9000))
    const { code, err } = await at.run('search', 'x')
    expect(code).toBe(1)
    expect(err.split('\n')[0]).toBe(`ghyll: open ${at.databasePath}: file is not a database`)
  })
})

describe('memory sync and trust', { timeout: 30_000 }, () => {
  async function repository(config = minimal) {
    const at = world([], config)
    const git = async (cwd: string, ...args: string[]) =>
      (await execa('git', args, { cwd, env: at.env, extendEnv: false })).stdout
    const remote = join(at.root, 'remote.git')
    await git(at.root, 'init', '--quiet', '--bare', remote)
    await git(at.cwd, 'init', '--quiet', '--initial-branch=main')
    await git(at.cwd, 'remote', 'add', 'origin', remote)
    return { ...at, remote, git }
  }

  test('both ways, with a line for each; then nothing is left to push', async () => {
    const { run, remote, git } = await repository()
    expect(await run('sync')).toMatchObject({
      code: 0,
      out: 'fetching remote checkpoints...\npushing local checkpoints...\nsync complete\n',
      err: 'ℹ created memory branch ghyll/memory; it is pushed to origin\n'
    })
    expect(await git(remote, 'log', '--format=%s', 'ghyll/memory')).toBe('init: device here')
    expect(await run('sync')).toMatchObject({
      code: 0,
      out: 'fetching remote checkpoints...\npushing local checkpoints...\nsync complete\n',
      err: ''
    })
  })

  test('a remote that is gone: exit 1, and the reason', async () => {
    const { run, remote } = await repository()
    rmSync(remote, { recursive: true })
    const { code, err } = await run('sync')
    expect(code).toBe(1)
    expect(err).toContain('ghyll: fetch failed: git ls-remote:')
    expect(err).toContain('ghyll: push failed\n')
  })

  test('while a session runs it is refused; without a configuration too', async () => {
    const { run, cwd } = await repository()
    writeFileSync(join(cwd, '.ghyll.lock'), `${process.ppid}\n${new Date().toISOString()}\n`)
    expect(await run('sync')).toMatchObject({
      code: 1,
      err: expect.stringContaining('another ghyll session is active')
    })
    expect((await world(null).run('sync')).code).toBe(1)
  })

  test('MEM-056: trust takes the key that is published now', async () => {
    const at = await repository()
    await at.run('sync')
    const other = privateKeyOf(new Uint8Array(32).fill(3))
    const seed = join(at.root, 'seed')
    await at.git(at.root, 'clone', '--quiet', '--branch', 'ghyll/memory', at.remote, seed)
    writeFileSync(join(seed, 'devices', 'dev-1.pub'), publicPemOf(other))
    await at.git(seed, 'add', '.')
    await at.git(seed, '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '-m', 'key')
    await at.git(seed, 'push', '--quiet')
    expect((await at.run('sync')).err).toBe('⚠ public key of @dev-1 changed; ignoring\n')
    expect((await at.run('trust', 'dev-1')).out).toBe('✓ the published key of @dev-1 is trusted now\n')
    expect((await at.run('trust', 'dev-1')).out).toContain('was trusted already')
    expect((await at.run('sync')).err).toBe('')
    expect(await at.run('trust', '../x')).toMatchObject({ code: 1, err: expect.stringContaining('publishes no key') })
  })
})

describe('memory fetch-embedder', () => {
  test('downloads, says how much, and leaves a model that is there alone (MEM-124, MEM-127)', async () => {
    const server = await webServer((_, response) => response.end('a small model'))
    const at = world(null, `[memory.embedder]\nmodel_url = "${server.url}/m.onnx"\nmodel_path = "~/m.onnx"\n`)
    const path = join(at.home, 'm.onnx')
    const { code, out } = await at.run('fetch-embedder')
    expect([code, out.split('\n')[0]]).toEqual([0, `ℹ downloading embedder from ${server.url}/m.onnx`])
    expect(out).toContain(`✓ embedder ready at ${path} (13 bytes, sha256=`)
    expect((await at.run('fetch-embedder')).out).toContain(`ℹ embedder already present at ${path} (13 bytes)`)
  })
})
