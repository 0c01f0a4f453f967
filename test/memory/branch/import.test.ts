import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sha256Hex } from '../../../src/lib/hash.ts'
import { importBranch } from '../../../src/memory/branch/import.ts'
import { publicPemOf } from '../../../src/memory/key-files.ts'
import { type Checkpoint, zeroHash } from '../../../src/memory/record.ts'
import { chainLine, recordFile } from '../../../src/memory/record-file.ts'
import { privateKeyOf } from '../../../src/memory/sign.ts'
import { openMemoryStore } from '../../../src/memory/store.ts'
import { createTrust } from '../../../src/memory/trust.ts'
import { signedRecord, vector1, vectorKey } from '../support.ts'

const repo = vector1.repo
const repoHash = sha256Hex(repo)

/** A worktree as git would check it out, and somebody who imports it. */
function place() {
  const root = mkdtempSync(join(tmpdir(), 'ghyll-import-'))
  const store = openMemoryStore(join(root, 'memory.db'))
  onTestFinished(() => {
    store.close()
    rmSync(root, { recursive: true, force: true })
  })
  const folder = join(root, 'worktree')
  const told: string[] = []
  const logged: string[] = []
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const file = (hash: string) => `repos/${repoHash}/checkpoints/${hash}.json`
  return {
    folder,
    store,
    told,
    logged,
    write,
    file,
    key: (device = 'dev-1', key = vectorKey) => write(`devices/${device}.pub`, publicPemOf(key)),
    publish(records: readonly Checkpoint[], device = 'dev-1') {
      for (const record of records) write(file(record.hash), recordFile(record))
      write(`repos/${repoHash}/chains/${device}.jsonl`, records.map(chainLine).join(''))
    },
    import: () =>
      importBranch(
        {
          device: 'own',
          repo,
          repoHash,
          store,
          trust: createTrust(store),
          clock: { now: () => 1_000_000 },
          tell: (_: string, text: string) => void told.push(text),
          log: (line: string) => void logged.push(line)
        } as unknown as Parameters<typeof importBranch>[0],
        folder
      ),
    async verdicts() {
      const trust = createTrust(store)
      const verdicts: Record<string, string> = {}
      for (const chain of store.chains(repo))
        for (const record of store.records(chain)) {
          const verdict = await trust.verdictOn(record)
          verdicts[record.summary] = verdict.trusted ? 'trusted' : verdict.reason
        }
      return verdicts
    }
  }
}

function chain(length: number, key = vectorKey): Checkpoint[] {
  const records: Checkpoint[] = []
  for (let n = 0; n < length; n++) {
    const parent = records.at(-1)?.hash ?? zeroHash
    records.push(signedRecord({ v: 2, parent, ts: BigInt(n + 1), summary: `c${n}` }, key))
  }
  return records
}

/** What the import itself found (MEM-045). */
function verifiedOf({ path }: { readonly path: string }, hash: string): unknown {
  const db = new Database(path, { readonly: true })
  try {
    return db.prepare('SELECT verified FROM checkpoints WHERE hash = ?').pluck().get(hash)
  } finally {
    db.close()
  }
}

describe('taking over what others wrote', () => {
  test('everything is there and trusted; a second import takes nothing (MEM-081)', async () => {
    const at = place()
    at.key()
    at.publish(chain(3))
    expect(await at.import()).toEqual({ count: 3, authors: new Set(['alice']) })
    expect(await at.verdicts()).toEqual({ c0: 'trusted', c1: 'trusted', c2: 'trusted' })
    expect((await at.import()).count).toBe(0)
    expect(at.told).toEqual([])
  })

  test('lines out of turn are taken by time', async () => {
    const at = place()
    at.key()
    const records = chain(4)
    at.publish(records)
    at.write(`repos/${repoHash}/chains/dev-1.jsonl`, records.toReversed().map(chainLine).join(''))
    await at.import()
    expect(Object.values(await at.verdicts())).toEqual(Array(4).fill('trusted'))
  })

  test('an altered record is told and kept as unverified; what follows is not trusted, when it comes later neither (MEM-053, MEM-081)', async () => {
    const at = place()
    at.key()
    const records = chain(4)
    at.publish(records.slice(0, 3))
    const bad = records[1] as Checkpoint
    at.write(at.file(bad.hash), recordFile({ ...bad, summary: 'forged' }))
    expect((await at.import()).count).toBe(3)
    expect(await at.verdicts()).toEqual({ c0: 'trusted', forged: 'hash_mismatch', c2: 'broken_chain' })
    const brokenAt = `checkpoint chain broken at ${bad.hash.slice(0, 12)} from @dev-1`
    expect(at.told).toEqual([brokenAt, 'unverified checkpoint from @dev-1 (hash mismatch)'])
    expect(at.logged).toEqual([
      `memory: ${bad.hash.slice(0, 12)}: hash-mismatch: unverified checkpoint from @dev-1 (hash mismatch)`
    ])
    at.publish(records)
    await at.import()
    expect(await at.verdicts()).toMatchObject({ c3: 'broken_chain' })
    expect(records.map(({ hash }) => verifiedOf(at.store, hash))).toEqual([1, 0, 0, 0])
  })

  test('a record of a newer format that does not verify is left to a newer program (MEM-005)', async () => {
    const at = place()
    at.key()
    const newer = { ...(chain(1)[0] as Checkpoint), v: 3 }
    at.publish([newer])
    expect((await at.import()).count).toBe(0)
    expect(at.told).toEqual([])
    expect(at.logged.join()).toContain('unverifiable version')
  })

  test('a forged record with a right hash is kept as unverified', async () => {
    const at = place()
    at.key()
    at.publish([signedRecord({ v: 2, summary: 'forged' }, privateKeyOf(new Uint8Array(32)))])
    await at.import()
    expect(await at.verdicts()).toEqual({ forged: 'bad_signature' })
  })

  test('a broken link: the record behind it and its successors are not trusted (MEM-053)', async () => {
    const at = place()
    at.key()
    const records = chain(4)
    at.publish(records.filter((_, n) => n !== 1))
    await at.import()
    expect(await at.verdicts()).toEqual({ c0: 'trusted', c2: 'broken_chain', c3: 'broken_chain' })
  })

  test('a fork is told once and both sides stay usable (MEM-054)', async () => {
    const at = place()
    at.key()
    const records = chain(2)
    const twin = signedRecord({ v: 2, parent: records[0]?.hash as string, ts: 99n, summary: 'twin' })
    at.publish([...records, twin])
    await at.import()
    expect(await at.verdicts()).toEqual({ c0: 'trusted', c1: 'trusted', twin: 'trusted' })
    expect(at.told).toEqual([`checkpoint chain forks at ${records[0]?.hash.slice(0, 12)} from @dev-1`])
  })

  test('a fork is seen where its sides come far apart', async () => {
    const at = place()
    at.key()
    const records = chain(250)
    const twin = signedRecord({ v: 2, parent: records[0]?.hash as string, ts: 999n, summary: 'twin' })
    at.publish([...records, twin])
    expect((await at.import()).count).toBe(251)
    expect(at.told).toEqual([`checkpoint chain forks at ${records[0]?.hash.slice(0, 12)} from @dev-1`])
    expect(Object.values(await at.verdicts())).toEqual(Array(251).fill('trusted'))
    expect(verifiedOf(at.store, records[249]?.hash as string)).toBe(1)
  })

  test('a line twice is one checkpoint and no fork (MEM-065)', async () => {
    const at = place()
    at.key()
    const records = chain(2)
    at.publish(records)
    at.write(`repos/${repoHash}/chains/dev-1.jsonl`, [...records, ...records].map(chainLine).join('\r\n'))
    expect((await at.import()).count).toBe(2)
    expect(at.told).toEqual([])
  })

  test('a branch full of breaks does not flood the screen; the log has them all (MEM-053)', async () => {
    const at = place()
    at.key()
    const loose = Array.from({ length: 30 }, (_, n) =>
      signedRecord({ v: 2, parent: sha256Hex(`${n}`), ts: BigInt(n + 1), summary: `l${n}` })
    )
    at.publish(loose)
    await at.import()
    expect(at.told).toHaveLength(6)
    expect(at.told.at(-1)).toBe('more of this kind is in the log')
    expect([...at.told, ...at.logged].filter((line) => line.includes('chain broken'))).toHaveLength(30)
  })

  test('a file that is missing stops its chain, which goes on when it is there', async () => {
    const at = place()
    at.key()
    const records = chain(3)
    at.publish(records)
    rmSync(join(at.folder, at.file(records[1]?.hash as string)))
    expect((await at.import()).count).toBe(1)
    at.publish(records)
    expect((await at.import()).count).toBe(2)
    expect(Object.values(await at.verdicts())).toEqual(Array(3).fill('trusted'))
  })

  test('no key, no trust; a key that comes later is enough (MEM-084)', async () => {
    const at = place()
    at.publish(chain(1))
    await at.import()
    expect(await at.verdicts()).toEqual({ c0: 'unknown_key' })
    at.key()
    await at.import()
    expect(await at.verdicts()).toEqual({ c0: 'trusted' })
  })

  test('a key that changed is refused until the operator trusts it (MEM-056)', async () => {
    const at = place()
    at.key()
    at.publish(chain(1))
    await at.import()
    const other = privateKeyOf(new Uint8Array(32).fill(5))
    at.key('dev-1', other)
    at.publish([signedRecord({ v: 2, summary: 'new key' }, other)])
    await at.import()
    expect(at.told).toEqual(['public key of @dev-1 changed; ignoring'])
    expect(await at.verdicts()).toEqual({ c0: 'trusted', 'new key': 'bad_signature' })
    at.store.keys.trust('dev-1', publicPemOf(other), 1)
    expect(await at.verdicts()).toEqual({ c0: 'bad_signature', 'new key': 'trusted' })
  })

  test('the own chain and other repositories are left alone, strays come in unverified (MEM-081, MEM-082)', async () => {
    const at = place()
    at.key()
    at.store.keys.pin('own', publicPemOf(vectorKey), 0)
    at.publish([signedRecord({ v: 2, device: 'own', summary: 'mine' })], 'own')
    at.publish([signedRecord({ v: 2, repo: '/elsewhere', summary: 'elsewhere' })])
    const stray = signedRecord({ v: 2, summary: 'stray' })
    at.write(at.file(stray.hash), recordFile(stray))
    const ownStray = signedRecord({ v: 2, device: 'own', summary: 'mine too', ts: 7n })
    at.write(at.file(ownStray.hash), recordFile(ownStray))
    expect((await at.import()).count).toBe(1)
    expect([...at.store.list(null)].map(({ title }) => title)).toEqual(['stray'])
    expect(verifiedOf(at.store, stray.hash)).toBe(0)
  })
})

describe('files that are not what they should be are skipped with a log line, the rest is taken (MEM-065)', () => {
  const good = chain(1)[0] as Checkpoint

  test.each<[string, (at: ReturnType<typeof place>, hash: string) => void]>([
    ['truncated', (at, hash) => at.write(at.file(hash), recordFile(good).slice(0, 200))],
    ['empty', (at, hash) => at.write(at.file(hash), '')],
    ['another record', (at, hash) => at.write(at.file(hash), recordFile(good))],
    ['more than a MiB', (at, hash) => at.write(at.file(hash), recordFile(good).padEnd(1024 * 1024 + 1))],
    [
      'a link',
      (at, hash) => {
        at.write('elsewhere', recordFile(good))
        symlinkSync(join(at.folder, 'elsewhere'), join(at.folder, at.file(hash)))
      }
    ]
  ])('a checkpoint file: %s', async (_, damage) => {
    const at = place()
    at.key()
    const bad = signedRecord({ v: 2, parent: good.hash, ts: 2n, summary: 'bad' })
    at.publish([good])
    at.write(`repos/${repoHash}/chains/dev-1.jsonl`, chainLine(good) + chainLine(bad))
    damage(at, bad.hash)
    expect((await at.import()).count).toBe(1)
    expect(at.logged.some((line) => line.includes(bad.hash.slice(0, 12)))).toBe(true)
  })

  test('chain lines: altered, torn, too long', async () => {
    const at = place()
    at.key()
    at.publish([good])
    const altered = chainLine({ ...good, hash: 'f'.repeat(64), ts: 5n })
    const lines = ['no json\n', `${' '.repeat(1100)}{}\n`, chainLine(good), altered, chainLine(good).slice(0, 50)]
    at.write(`repos/${repoHash}/chains/dev-1.jsonl`, lines.join(''))
    expect((await at.import()).count).toBe(1)
    expect(at.logged.join()).toContain('3 malformed lines skipped')
  })

  test('a record in the chain of somebody else', async () => {
    const at = place()
    at.key()
    at.publish([good], 'mallory')
    expect((await at.import()).count).toBe(0)
  })

  test.each([
    ['no key', 'hello'],
    ['too large', publicPemOf(vectorKey).padEnd(5000)],
    ['16 bytes', '-----BEGIN ED25519 PUBLIC KEY-----\nAAECAwQFBgcICQoLDA0ODw==\n-----END ED25519 PUBLIC KEY-----\n']
  ])('a key file: %s', async (_, text) => {
    const at = place()
    at.write('devices/dev-1.pub', text)
    at.key('dev-2')
    at.publish([good])
    await at.import()
    expect(await at.verdicts()).toEqual({ c0: 'unknown_key' })
    expect(at.store.keys.pemFor('dev-2')).not.toBeNull()
  })
})
