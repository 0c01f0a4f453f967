import { closeSync, openSync, statSync, writeFileSync, writeSync } from 'node:fs'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { type Checkpoint, zeroHash } from '../../src/memory/record.ts'
import { blobOf, vectorOf } from '../../src/memory/rows.ts'
import { openMemoryStore } from '../../src/memory/store.ts'
import { distrust } from '../../src/memory/verify.ts'
import { append, chain, open, place, tamper } from './store-place.ts'
import { signedRecord, vector1, vector2, vector3, vector3b, vectorKey } from './support.ts'

describe('keeping records', () => {
  test('MEM-040: mode 0600, WAL, all rules of the table', () => {
    const path = place()
    open(path)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const db = new Database(path)
    expect(db.pragma('journal_mode', { simple: true })).toBe('wal')
    db.close()
  })

  test.each([
    ['1', vector1],
    ['2', { ...vector2, emb: Float32Array.of(1, -0.5, 0.1) }],
    ['3', vector3],
    ['3b', vector3b],
    ['with a NUL and an astral character', signedRecord({ v: 2, summary: 'a\0b🚀', files: ['\0'] })]
  ])('vector %s comes back the same and verifies (MEM-016)', (_, record) => {
    const store = open()
    store.importAll([{ record, verified: true }], 0)
    expect(store.get(record.hash)).toEqual(record)
    expect(distrust(store.get(record.hash) as Checkpoint, () => vectorKey)).toBeNull()
  })

  test('MEM-043: lists and origin are compact JSON, what is empty or absent is NULL', () => {
    const path = place()
    const store = open(path)
    const rows = [vector2, vector3].map((record) => ({ record, verified: true }))
    store.importAll(rows, 0)
    const db = new Database(path, { readonly: true })
    const found = db.prepare('SELECT files, tools, injections, resumed_from FROM checkpoints ORDER BY rowid').all()
    db.close()
    expect(found).toEqual([
      {
        files: '["src/größe.ts"]',
        tools: '[]',
        injections: '["instruction_override","sensitive_path"]',
        resumed_from: `{"session":"dev-1-1713000000000000000","hash":"${'a'.repeat(64)}"}`
      },
      { files: '[]', tools: '[]', injections: null, resumed_from: null }
    ])
  })

  test('MEM-046: everything else that is ours begins with gx_', () => {
    const path = place()
    const store = open(path)
    append(store)
    const db = new Database(path, { readonly: true })
    const names = db
      .prepare("SELECT name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name")
      .pluck()
      .all()
    const columns = (table: string) => (db.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name)
    const found = [columns('gx_embedding'), columns('gx_outbox'), columns('gx_key')]
    db.close()
    const shared = ['checkpoints', 'idx_checkpoints_device', 'idx_checkpoints_repo', 'idx_checkpoints_session']
    expect(names.filter((name) => !String(name).startsWith('gx_'))).toEqual(shared)
    expect(found).toEqual([
      ['hash', 'embedder', 'vector'],
      ['hash', 'repo', 'queued_at', 'pushed_git', 'pushed_vault'],
      ['device', 'pem', 'first_seen']
    ])
  })

  test('MEM-042: the blob of the vectors, and blobs that are none', () => {
    expect(blobOf(Float32Array.of(1, -0.5, 0.1)).toString('hex')).toBe('0000803f000000bfcdcccc3d')
    expect(vectorOf(Buffer.alloc(0))).toBeNull()
    expect(vectorOf(Buffer.alloc(6))).toBeNull()
  })

  test('MEM-044: the same hash again changes nothing, and nobody updates or deletes', () => {
    const path = place()
    const store = open(path)
    expect(store.importAll([{ record: vector1, verified: true }], 5000)).toBe(1)
    expect(store.importAll([{ record: { ...vector1, summary: 'other' }, verified: false }], 9000)).toBe(0)
    expect(store.get(vector1.hash)?.summary).toBe(vector1.summary)
    const db = new Database(path)
    expect(db.prepare('SELECT verified, imported FROM checkpoints').get()).toEqual({ verified: 1, imported: 5 })
    expect(() => db.exec("UPDATE checkpoints SET summary = 'x'")).toThrow('never changed')
    expect(() => db.exec('DELETE FROM checkpoints')).toThrow('never deleted')
    db.close()
  })

  test('MEM-041: an older layout gets its columns, keeps its rows and its own columns', () => {
    const path = place()
    open(path).close()
    tamper(
      path,
      `ALTER TABLE checkpoints DROP COLUMN plan_mode; ALTER TABLE checkpoints DROP COLUMN resumed_from;
       ALTER TABLE checkpoints ADD COLUMN extra TEXT;
       INSERT INTO checkpoints (hash, parent, device, author, ts, repo, branch, session, turn, model, summary, files, tools, sig, extra)
       VALUES ('${vector1.hash}', '${zeroHash}', 'dev-1', 'alice', ${vector1.ts}, '${vector1.repo}', 'main', '${vector1.session}', 5,
         'm25', '${vector1.summary}', '[ "src/auth.ts",\n"src/auth.test.ts" ]', '["bash","edit_file"]', '${vector1.sig}', 'kept')`
    )
    const store = open(path)
    expect(store.get(vector1.hash)).toEqual(vector1)
    expect(append(store).parent).toBe(vector1.hash)
  })
})

describe('one chain per device and repository', () => {
  test('MEM-017, MEM-050: links follow each other, times strictly increase though the clock went back', () => {
    const store = open()
    const made = [1000n, 2000n, 1500n, 2000n, 5n].map((nowNs) => append(store, {}, nowNs))
    expect(made.map(({ parent }) => parent)).toEqual([zeroHash, ...made.slice(0, -1).map(({ hash }) => hash)])
    expect(made.map(({ ts }) => ts)).toEqual([1000n, 2000n, 2001n, 2002n, 2003n])
    expect(made.map((record) => store.indexInSession(record))).toEqual([0, 1, 2, 3, 4])
    expect(store.outbox.pending('git', vector1.repo, 10)).toEqual(made.map(({ hash }) => hash))
  })

  test('MEM-048: two openings of one file do not fork', () => {
    const path = place()
    const [one, two] = [open(path), open(path)]
    const made = Array.from({ length: 20 }, (_, n) => append(n % 2 === 0 ? one : two, { session: `s${n % 2}` }))
    expect(made.map(({ parent }) => parent)).toEqual([zeroHash, ...made.slice(0, -1).map(({ hash }) => hash)])
  })

  test('a maker that throws leaves no trace', () => {
    const store = open()
    const stop = () => {
      throw new Error('stop')
    }
    expect(() => store.append(chain, 1n, stop)).toThrow('stop')
    expect([...store.list(null)]).toEqual([])
  })
})

describe('trouble', () => {
  test('a file that is no database is refused and left alone', () => {
    const path = place()
    open(path).close()
    writeFileSync(path, 'not a database, not at all'.repeat(400))
    expect(() => openMemoryStore(path)).toThrow(
      expect.objectContaining({ code: 'store-corrupt', hint: expect.stringContaining('move') })
    )
    expect(statSync(path).size).toBe(26 * 400)
  })

  test('a list or a chain that meets damage on its way says so like every other reading', () => {
    const path = place()
    const writing = open(path)
    const summary = 'what was done '.repeat(400)
    for (let n = 0; n < 40; n += 1) append(writing, { summary: `${n} ${summary}` }, BigInt(n))
    writing.close()
    const store = open(path)
    const { size } = statSync(path)
    const file = openSync(path, 'r+')
    writeSync(file, Buffer.alloc(size / 2, 0xff), 0, size / 2, size / 2)
    closeSync(file)
    const damage = expect.objectContaining({ code: 'store-corrupt', hint: expect.stringContaining('move') })
    expect(() => [...store.list(null)]).toThrow(damage)
    expect(() => [...store.records(chain)]).toThrow(damage)
  })

  test('a list that is left early keeps nothing busy', () => {
    const store = open()
    for (let n = 0; n < 3; n += 1) append(store, {}, BigInt(n))
    for (const _ of store.list(null)) break
    append(store, {}, 10n)
    expect([...store.list(null)]).toHaveLength(4)
  })

  test('a database that another process holds is a clear failure after the wait', () => {
    const path = place()
    const store = open(path)
    const other = new Database(path)
    other.exec('BEGIN IMMEDIATE')
    expect(() => append(store)).toThrow(expect.objectContaining({ code: 'store-locked' }))
    other.exec('ROLLBACK')
    other.close()
    expect(append(store).parent).toBe(zeroHash)
  })
})
