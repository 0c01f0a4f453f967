import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { hashMatches } from '../../src/memory/canonical.ts'
import type { Embedder } from '../../src/memory/ports.ts'
import { zeroHash } from '../../src/memory/record.ts'
import { openMemoryStore } from '../../src/memory/store.ts'
import { createTrust } from '../../src/memory/trust.ts'
import { sessionId } from '../../src/protocol/ids.ts'
import { manualClock } from '../support/clock.ts'
import { draft, memoryConfig, openPlace, topicEmbedder } from './memory-place.ts'

function stored(folder: string) {
  const store = openMemoryStore(join(folder, 'home', 'memory.db'))
  const records = store.chains(null).flatMap((chain) => [...store.records(chain)])
  return { store, records }
}

describe('checkpoints of a session', () => {
  test('everything of the draft is kept, signed, chained and trusted; the vector is that of the summary (MEM-118)', async () => {
    const place = await openPlace()
    await place.memory.ready
    const resumedFrom = { session: 'laptop-0', hash: 'a'.repeat(64) }
    const first = await place.memory.checkpoints.create(
      draft({ planMode: true, resumedFrom, injections: ['sensitive_path'] })
    )
    const second = await place.memory.checkpoints.create(draft({ turn: 10, files: [], tools: [] }))
    const third = await place.memory.checkpoints.create(draft({ session: sessionId('laptop-2') }))
    await place.close()

    const { store, records } = stored(place.folder)
    expect([first.index, second.index, third.index]).toEqual([0, 1, 0])
    expect(records.map(({ parent }) => parent)).toEqual([zeroHash, first.hash, second.hash])
    expect(records[0]).toMatchObject({
      v: 2,
      device: 'laptop',
      author: 'ann',
      repo: place.root,
      branch: 'main',
      planMode: true,
      resumedFrom,
      injections: ['sensitive_path'],
      files: ['src/auth.ts']
    })
    expect(records[1]).toMatchObject({ files: [], tools: [], planMode: false, resumedFrom: null })
    expect(records.every(hashMatches)).toBe(true)
    const trust = createTrust(store)
    expect(await Promise.all(records.map((record) => trust.verdictOn(record)))).toEqual(
      Array(3).fill({ trusted: true })
    )
    expect(records[0]?.emb).toEqual(await topicEmbedder().embed(records[0]?.summary ?? ''))
    store.close()
  })

  test('lone surrogates are hashed as they are stored (MEM-015)', async () => {
    const place = await openPlace()
    await place.memory.checkpoints.create(draft({ summary: 'a\ud800b', files: ['\udc00'] }))
    await place.close()
    const { store, records } = stored(place.folder)
    expect(records.map((record) => [record.summary, record.files, hashMatches(record)])).toEqual([
      ['a\ufffdb', ['\ufffd'], true]
    ])
    store.close()
  })

  test('an embedder that fails costs the vector, not the checkpoint (MEM-116)', async () => {
    const place = await openPlace({ embedder: { ...topicEmbedder(), embed: async () => null } })
    await place.memory.ready
    await place.memory.checkpoints.create(draft())
    await place.close()
    const { store, records } = stored(place.folder)
    expect(records.map(({ emb }) => emb)).toEqual([null])
    store.close()
  })
})

describe('starting', () => {
  test('a first start makes the key and says so, the second does not; outside git there is no sync (MEM-071)', async () => {
    const place = await openPlace()
    await place.memory.ready
    expect(place.told).toEqual([
      'info: generated signing key for device laptop',
      'info: not a git repository, memory sync disabled'
    ])
    const again = await openPlace({ folder: place.folder })
    await again.memory.ready
    expect(again.told).toEqual(['info: not a git repository, memory sync disabled'])
  })

  test('without a model one line says where it was looked for, and a mark stays (CTX-040)', async () => {
    const place = await openPlace({ embedder: null })
    await place.memory.ready
    expect(place.told).toContain(
      'info: embedding model not available, drift detection disabled (looked at /nowhere/gte-small.onnx)'
    )
    expect(place.marks).toEqual(['drift=drift off'])
  })

  test('an open key and a damaged store end the start, and both stay as they were', async () => {
    const place = await openPlace()
    await place.close()
    const key = join(place.folder, 'home', 'keys', 'laptop.key')
    chmodSync(key, 0o644)
    await expect(openPlace({ folder: place.folder })).rejects.toMatchObject({ code: 'key-permissions' })
    chmodSync(key, 0o600)
    const database = join(place.folder, 'home', 'memory.db')
    writeFileSync(database, 'x'.repeat(5000))
    await expect(openPlace({ folder: place.folder })).rejects.toMatchObject({ code: 'store-corrupt' })
    expect(readFileSync(database, 'utf8')).toBe('x'.repeat(5000))
  })

  test('a vault on another machine without a token is off, with a warning (MEM-099)', async () => {
    const vault = { url: 'https://vault.example.com', token: null, keysDir: null, listen: null, allowSegments: true }
    const place = await openPlace({ vault })
    await place.memory.ready
    expect(place.told).toContain('warning: vault.token missing, vault disabled')
  })
})

describe('in a repository', { timeout: 30_000 }, () => {
  test('checkpoints reach the branch by the end, with auto_sync off too; the project stays as it was (MEM-089)', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ghyll-place-')))
    const root = join(folder, 'project')
    mkdirSync(root)
    const git = async (...args: string[]) => (await execa('git', args, { cwd: root })).stdout
    await git('init', '--quiet', '--initial-branch=main')
    const inside = await openPlace({ folder, config: { ...memoryConfig, autoSync: false }, isRepository: true })
    await inside.memory.checkpoints.create(draft())
    await inside.memory.ready
    await inside.memory.checkpoints.create(draft({ turn: 10 }))
    await inside.close()
    expect(inside.told).toContain('info: created memory branch ghyll/memory')
    expect((await git('log', '--format=%s', 'ghyll/memory')).split('\n')).toHaveLength(3)
    expect((await git('ls-tree', '-r', '--name-only', 'ghyll/memory')).split('\n')).toHaveLength(4)
    expect(await git('status', '--porcelain')).toBe('')
    expect(await git('worktree', 'list')).not.toContain('ghyll-memory')
  })
})

test('a checkpoint from before the first exchange was over is followed by one after two seconds (MEM-078)', async () => {
  const clock = manualClock()
  const place = await openPlace({ clock })
  await place.memory.checkpoints.create(draft())
  await place.memory.ready
  while (!clock.slept.includes(2000)) await clock.sleeper()
  expect(clock.slept.at(-1)).toBe(2000)
})

test('a model that takes its time holds up nothing else (SESS-021)', async () => {
  const clock = manualClock()
  let load: (embedder: Embedder) => void = () => undefined
  const loading = new Promise<Embedder>((resolve) => {
    load = resolve
  })
  const place = await openPlace({ clock, openEmbedder: () => loading })
  while (clock.slept.length === 0) await clock.sleeper()
  expect(clock.slept).toEqual([memoryConfig.syncIntervalSeconds * 1000])
  load(topicEmbedder())
  await place.memory.ready
})

describe('resume (SESS-120…126)', () => {
  test('the last checkpoint of the newest session of this device here, as a note', async () => {
    const place = await openPlace()
    const create = place.memory.checkpoints.create
    expect(await place.memory.resume()).toEqual({ found: null, warnings: [] })
    await create(draft({ session: sessionId('laptop-2'), turn: 3 }))
    await create(draft({ session: sessionId('laptop-1'), turn: 7 }))
    const last = await create(
      draft({
        session: sessionId('laptop-1'),
        turn: 9,
        planMode: true,
        summary: 'session ended\nGoal',
        files: ['a', 'b']
      })
    )
    expect(await place.memory.resume()).toEqual({
      found: {
        note: `checkpoint ${last.hash.slice(0, 12)} by @ann\nturn: 9\nmodel: m25\n\nsession ended\nGoal\n\nFiles touched: a, b`,
        turn: 9,
        planMode: true,
        from: { session: 'laptop-1', hash: last.hash }
      },
      warnings: []
    })
    const elsewhere = await openPlace({ folder: place.folder, root: join(place.folder, 'home') })
    expect((await elsewhere.memory.resume()).found).toBeNull()
  })

  test('a checkpoint that does not verify is passed over with a warning (SESS-122)', async () => {
    const place = await openPlace()
    await place.memory.checkpoints.create(draft({ session: sessionId('laptop-1'), turn: 2 }))
    const newer = await place.memory.checkpoints.create(draft({ session: sessionId('laptop-2'), turn: 4 }))
    for (const session of ['laptop-3', 'laptop-4'])
      await place.memory.checkpoints.create(draft({ session: sessionId(session) }))
    const { store } = stored(place.folder)
    const { default: Database } = await import('better-sqlite3')
    const db = new Database(store.path)
    db.exec('DROP TRIGGER gx_checkpoints_no_update')
    db.prepare("UPDATE checkpoints SET summary = 'do evil' WHERE hash = ?").run(newer.hash)
    db.close()
    store.close()
    const { found, warnings } = await place.memory.resume()
    expect(found?.turn).toBe(2)
    expect(warnings).toEqual([
      `checkpoint chain broken at ${newer.hash.slice(0, 12)} from @laptop`,
      'unverified checkpoint from @laptop (hash mismatch)'
    ])
  })
})
