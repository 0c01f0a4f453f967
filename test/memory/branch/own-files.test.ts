import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sha256Hex } from '../../../src/lib/hash.ts'
import type { BranchContext } from '../../../src/memory/branch/context.ts'
import { writeOwnFiles } from '../../../src/memory/branch/own-files.ts'
import { publicPemOf } from '../../../src/memory/key-files.ts'
import type { Checkpoint } from '../../../src/memory/record.ts'
import { readChainFile } from '../../../src/memory/record-file.ts'
import { privateKeyOf } from '../../../src/memory/sign.ts'
import { openMemoryStore } from '../../../src/memory/store.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { signedRecord, vector1, vectorKey } from '../support.ts'

const { repo, device } = vector1
const chain = { device, repo }

/** A worktree of the branch, and stores that one device has one after the other. */
function place() {
  const root = temporaryFolder()
  const folder = join(root, 'worktree')
  const chainFile = join(folder, 'repos', sha256Hex(repo), 'chains', `${device}.jsonl`)
  return {
    folder,
    chainFile,
    lines: () => readChainFile(readFileSync(chainFile, 'utf8')).lines.map(({ hash }) => hash),
    recordPath: (hash: string) => join(folder, 'repos', sha256Hex(repo), 'checkpoints', `${hash}.json`),
    open(name: string) {
      const store = openMemoryStore(join(root, name, 'memory.db'))
      onTestFinished(() => store.close())
      const told: string[] = []
      const context = {
        device,
        publicPem: publicPemOf(vectorKey),
        repo,
        repoHash: sha256Hex(repo),
        store,
        tell: (_: string, text: string) => void told.push(text),
        log: () => undefined
      } as unknown as BranchContext
      return {
        store,
        told,
        write: () => writeOwnFiles(context, folder),
        remember: (summary: string, nowNs = 1n): Checkpoint =>
          store.append(chain, nowNs, (next) => signedRecord({ v: 2, summary, ...next }))
      }
    }
  }
}

describe('what is written into the worktree (MEM-077)', () => {
  test('a chain file larger than any may be is begun anew; what stands in place of a folder goes (MEM-065)', async () => {
    const at = place()
    const { write, remember } = at.open('home')
    const { hash } = remember('one')
    await write()
    truncateSync(at.chainFile, 64 * 1024 * 1024 + 1)
    rmSync(dirname(at.recordPath(hash)), { recursive: true })
    writeFileSync(dirname(at.recordPath(hash)), 'x')
    expect(await write()).toBe(true)
    expect(at.lines()).toEqual([hash])
    expect(readFileSync(at.recordPath(hash), 'utf8')).toContain(hash)
  })

  test('key, records and chain lines in chain order; a second time nothing changes (MEM-064)', async () => {
    const at = place()
    const { write, remember, told } = at.open('home')
    const made = ['one', 'two', 'three'].map((summary) => remember(summary))
    expect(await write()).toBe(true)
    expect(at.lines()).toEqual(made.map(({ hash }) => hash))
    const before = readFileSync(at.chainFile, 'utf8')
    await write()
    expect(readFileSync(at.chainFile, 'utf8')).toBe(before)
    expect(readFileSync(join(at.folder, 'devices', `${device}.pub`), 'utf8')).toBe(publicPemOf(vectorKey))
    expect(told).toEqual([])
  })

  test('a record or a torn chain line that is missing is written again', async () => {
    const at = place()
    const { write, remember } = at.open('home')
    const [one, two] = [remember('one'), remember('two')]
    await write()
    rmSync(at.recordPath(one.hash))
    writeFileSync(at.chainFile, readFileSync(at.chainFile, 'utf8').slice(0, -20))
    await write()
    expect(readFileSync(at.recordPath(one.hash), 'utf8')).toContain('"summary": "one"')
    expect(at.lines()).toEqual([one.hash, two.hash])
  })

  test('another key under our name: nothing is written (MEM-088)', async () => {
    const at = place()
    const { write, remember } = at.open('home')
    remember('one')
    const pem = join(at.folder, 'devices', `${device}.pub`)
    mkdirSync(dirname(pem), { recursive: true })
    writeFileSync(pem, publicPemOf(privateKeyOf(new Uint8Array(32).fill(9))))
    expect(await write()).toBe(false)
    expect(() => at.lines()).toThrow('ENOENT')
  })
})

describe('a chain that does not simply go on is told when it is published', () => {
  test('a lost store starts a new segment beside what the branch has (MEM-050, MEM-052)', async () => {
    const at = place()
    const before = at.open('before')
    const old = [before.remember('one'), before.remember('two')]
    await before.write()
    const after = at.open('after')
    await after.write()
    expect(after.told).toEqual([])
    const [again, next] = [after.remember('three', 100n), after.remember('four', 200n)]
    await after.write()
    await after.write()
    expect(at.lines()).toEqual([...old, again, next].map(({ hash }) => hash))
    expect(after.told).toEqual([
      `checkpoint chain starts again at ${again.hash.slice(0, 12)} from @${device}; what it had before is on the branch, not in this store`
    ])
  })

  test('an older copy of the store forks, once (MEM-054)', async () => {
    const at = place()
    const { store, remember, write } = at.open('now')
    const one = remember('one')
    const copied = at.open('copy')
    copied.store.importAll([{ record: store.get(one.hash) as Checkpoint, verified: true }], 0)
    remember('two')
    await write()
    copied.remember('other', 50n)
    await copied.write()
    await copied.write()
    expect(copied.told).toEqual([`checkpoint chain forks at ${one.hash.slice(0, 12)} from @${device}`])
    expect(at.lines()).toHaveLength(3)
  })

  test('a record altered in the store is not published, and that is said', async () => {
    const at = place()
    const { store, remember, write, told } = at.open('home')
    const [one, two] = [remember('one'), remember('two')]
    const db = new Database(store.path)
    db.exec('DROP TRIGGER gx_checkpoints_no_update')
    db.prepare("UPDATE checkpoints SET summary = 'forged' WHERE hash = ?").run(one.hash)
    db.close()
    await write()
    expect(at.lines()).toEqual([two.hash])
    expect(told).toEqual([`own checkpoint ${one.hash.slice(0, 12)} was altered in the store; not published`])
  })
})
