import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { execa } from 'execa'
import { expect, onTestFinished } from 'vitest'
import { sha256Hex } from '../../src/lib/hash.ts'
import { zeroHash } from '../../src/memory/record.ts'
import { readChainFile } from '../../src/memory/record-file.ts'
import { openMemoryStore } from '../../src/memory/store.ts'
import { createTrust } from '../../src/memory/trust.ts'
import { openPlace } from './memory-place.ts'

const textModules = new URL('../support/embed-text.ts', import.meta.url).href
const program = fileURLToPath(new URL('../fixtures/programs/remember-loop.ts', import.meta.url))

/**
 * Kills a process that makes checkpoints `kills` times with SIGKILL, `random` milliseconds after a random announcement, and looks each
 * time and in the end at what is left (issue: nothing announced is lost, one line of descent, the branch catches up).
 */
export async function killAndLook(kills: number, random: (below: number) => number): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ghyll-kill-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }))
  const [root, home, remote] = ['project', 'home', 'remote.git'].map((name) => join(folder, name)) as [
    string,
    string,
    string
  ]
  mkdirSync(root)
  const git = async (cwd: string, ...args: string[]) => (await execa('git', args, { cwd })).stdout
  await git(folder, 'init', '--quiet', '--bare', remote)
  await git(root, 'init', '--quiet', '--initial-branch=main')
  await git(root, 'remote', 'add', 'origin', remote)
  const status = async () => [
    await git(root, 'status', '--porcelain=v2', '--branch'),
    await git(root, 'symbolic-ref', 'HEAD')
  ]
  const before = await status()

  const announced: string[] = []
  for (let kill = 0; kill < kills; kill++) {
    announced.push(...(await runAndKill([root, home], random(4), random(60))))
    lookAtStore(join(home, 'memory.db'), announced)
  }
  expect(announced.length).toBeGreaterThan(0)

  const left = await catchUp(folder, remote)
  const store = openMemoryStore(join(home, 'memory.db'))
  const [chain] = store.chains(null)
  expect(chain).toEqual({ device: 'laptop', repo: remote })
  const hashes = store.links({ device: 'laptop', repo: remote }).map(({ hash }) => hash)
  const trust = createTrust(store)
  const verdicts = await Promise.all(
    [...store.records({ device: 'laptop', repo: remote })].map((r) => trust.verdictOn(r))
  )
  expect(verdicts.every(({ trusted }) => trusted)).toBe(true)
  expect(left.pending).toBe(0)
  store.close()

  const at = `repos/${sha256Hex(remote)}`
  const lines = readChainFile(await git(remote, 'show', `ghyll/memory:${at}/chains/laptop.jsonl`)).lines
  expect(lines.map(({ hash }) => hash)).toEqual(hashes)
  const files = (await git(remote, 'ls-tree', '--name-only', `ghyll/memory:${at}/checkpoints`)).split('\n')
  expect(files).toEqual(hashes.map((hash) => `${hash}.json`).sort())
  expect(await status()).toEqual(before)
  expect(await git(root, 'worktree', 'list')).not.toContain('ghyll-memory-')
}

/** Resolves to the hashes that were announced before the kill. */
async function runAndKill(args: readonly string[], after: number, delayMs: number): Promise<readonly string[]> {
  const child = spawn(process.execPath, ['--import', textModules, program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let out = ''
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  child.stdout.on('data', (chunk) => {
    out += chunk
    if (out.split('\n').length > after) setTimeout(() => child.kill('SIGKILL'), delayMs)
  })
  const signal = await new Promise((resolve) => child.on('close', (_code, by) => resolve(by)))
  expect(signal, errors).toBe('SIGKILL')
  return out
    .split('\n')
    .slice(0, -1)
    .map((line) => line.slice(0, 64))
}

function lookAtStore(path: string, announced: readonly string[]): void {
  const db = new Database(path)
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
  const rows = db.prepare('SELECT hash, parent FROM checkpoints ORDER BY ts').all() as {
    hash: string
    parent: string
  }[]
  const queued = db.prepare('SELECT count(*) FROM gx_outbox').pluck().get()
  db.close()
  const hashes = new Set(rows.map(({ hash }) => hash))
  expect(announced.filter((hash) => !hashes.has(hash))).toEqual([])
  expect(rows.map(({ parent }) => parent)).toEqual([zeroHash, ...rows.slice(0, -1).map(({ hash }) => hash)])
  expect(queued).toBe(rows.length)
}

/** Starts and ends as any session would. What the last killed one had git do may still be running, so a second start may be needed. */
async function catchUp(folder: string, remote: string): Promise<{ readonly pending: number }> {
  for (let start = 1; ; start++) {
    const place = await openPlace({ folder, isRepository: true, embedder: null })
    await place.memory.ready
    await place.close()
    const store = openMemoryStore(join(folder, 'home', 'memory.db'))
    const pending = store.outbox.pendingCount('git', remote)
    store.close()
    if (pending === 0 || start === 5) return { pending }
  }
}
