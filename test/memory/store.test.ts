import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { publicPemOf } from '../../src/memory/key-files.ts'
import { type Checkpoint, zeroHash } from '../../src/memory/record.ts'
import { blobOf, vectorOf } from '../../src/memory/rows.ts'
import { privateKeyOf } from '../../src/memory/sign.ts'
import { type MemoryStore, openMemoryStore } from '../../src/memory/store.ts'
import { createTrust } from '../../src/memory/trust.ts'
import { distrust } from '../../src/memory/verify.ts'
import { signedRecord, vector1, vector2, vector3, vector3b, vectorKey } from './support.ts'

function place(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ghyll-memory-store-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'home', 'memory.db')
}

function open(path = place()): MemoryStore {
  const store = openMemoryStore(path, { busyTimeoutMs: 100 })
  onTestFinished(() => store.close())
  return store
}

const chain = { device: 'dev-1', repo: vector1.repo }

/** Appends to the chain as a session does. */
function append(store: MemoryStore, fields: Partial<Checkpoint> = {}, nowNs = 1000n): Checkpoint {
  return store.append(chain, nowNs, (next) => signedRecord({ v: 2, ...fields, ...next }))
}

/** What a program that knows no rules does to the file. */
function tamper(path: string, sql: string): void {
  const db = new Database(path)
  db.exec('DROP TRIGGER gx_checkpoints_no_update; DROP TRIGGER gx_checkpoints_no_delete')
  db.exec(sql)
  db.close()
}

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

describe('trust is decided with the keys known now (MEM-045, MEM-055)', () => {
  async function verdicts(store: MemoryStore): Promise<unknown[]> {
    const trust = createTrust(store)
    return Promise.all(
      [...store.records(chain)].map(async (record) => {
        const verdict = await trust.verdictOn(record)
        return verdict.trusted ? 'ok' : verdict.reason
      })
    )
  }

  test('a tampered summary is found, and what follows is not trusted until a new segment', async () => {
    const path = place()
    const store = open(path)
    store.keys.pin('dev-1', publicPemOf(vectorKey), 0)
    const made = Array.from({ length: 5 }, (_, n) => append(store, { turn: n }))
    const segment = signedRecord({ v: 2, parent: zeroHash, ts: 9000n })
    store.importAll([{ record: segment, verified: true }], 0)
    expect(await verdicts(store)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', 'ok'])
    tamper(path, `UPDATE checkpoints SET summary = 'forged' WHERE hash = '${made[2]?.hash}'`)
    expect(await verdicts(store)).toEqual(['ok', 'ok', 'hash_mismatch', 'broken_chain', 'broken_chain', 'ok'])
  })

  test.each([
    ['nothing known', null, 'unknown_key'],
    ['another key', privateKeyOf(new Uint8Array(32)), 'bad_signature']
  ])('%s', async (_, key, reason) => {
    const store = open()
    append(store)
    if (key !== null) store.keys.pin('dev-1', publicPemOf(key), 0)
    expect(await verdicts(store)).toEqual([reason])
  })

  test('damaged columns make a record untrusted, not unreadable', async () => {
    const path = place()
    const store = open(path)
    store.keys.pin('dev-1', publicPemOf(vectorKey), 0)
    const { hash } = append(store)
    tamper(path, `UPDATE checkpoints SET files = '{broken', resumed_from = '[]' WHERE hash = '${hash}'`)
    expect(await verdicts(store)).toEqual(['hash_mismatch'])
  })
})

describe('keys (MEM-056)', () => {
  const [first, second] = [vectorKey, privateKeyOf(new Uint8Array(32).fill(9))].map(publicPemOf) as [string, string]

  test('the first one seen stays until the operator says otherwise', () => {
    const { keys } = open()
    expect([keys.pin('laptop', first, 1), keys.pin('laptop', first, 2), keys.pin('laptop', second, 3)]).toEqual([
      'new',
      'known',
      'changed'
    ])
    expect(keys.pemFor('laptop')).toBe(first)
    keys.trust('laptop', second, 4)
    expect([keys.pin('laptop', second, 5), keys.pin('laptop', first, 6)]).toEqual(['known', 'changed'])
    expect(keys.keyFor('stranger')).toBeNull()
  })
})

describe('searching text', () => {
  test('any word, best match first, of one repository or all', () => {
    const store = open()
    const a = append(store, { summary: 'Fixed the auth race in the login handler' })
    const b = append(store, { summary: 'Login page: typography' })
    const c = append(store, { summary: 'Größe der Fenster, 日本語テキスト' })
    store.importAll([{ record: signedRecord({ v: 2, repo: '/other', summary: 'auth auth' }), verified: true }], 0)
    const { fullText } = store
    expect(fullText.search('AUTH logins', vector1.repo, 10)).toEqual([a.hash, b.hash])
    expect(fullText.search('grosse groesse größe', vector1.repo, 10)).toEqual([c.hash])
    expect(fullText.search('日本', vector1.repo, 10)).toEqual([c.hash])
    expect(fullText.search('auth', null, 10)).toHaveLength(2)
    expect(fullText.search('nowhere', null, 10)).toEqual([])
  })

  test.each(['"', 'AND', 'NEAR(', 'a OR', "'; DROP TABLE checkpoints", 'summary:x', '*', '', '\0', '-'])(
    'an operator of the query language is an ordinary word: %j',
    (query) => {
      const store = open()
      append(store)
      expect(() => store.fullText.search(query, null, 10)).not.toThrow()
    }
  )

  test('rows that another program added are found too', () => {
    const path = place()
    const store = open(path)
    append(store, { summary: 'first' })
    tamper(
      path,
      `INSERT INTO checkpoints (hash, parent, device, author, ts, session, turn, model, summary, sig)
       VALUES ('${'b'.repeat(64)}', '${zeroHash}', 'x', 'x', 1, 's', 1, 'm', 'foreign words', 's')`
    )
    expect(store.fullText.search('foreign', null, 10)).toEqual(['b'.repeat(64)])
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
