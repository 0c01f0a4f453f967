import { mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { onTestFinished } from 'vitest'
import type { Clock } from '../../../src/lib/clock.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { sha256Hex } from '../../../src/lib/hash.ts'
import type { BranchContext } from '../../../src/memory/branch/context.ts'
import { gitIn } from '../../../src/memory/branch/git.ts'
import { type BranchSync, openBranchSync } from '../../../src/memory/branch/sync.ts'
import { hashOf } from '../../../src/memory/canonical.ts'
import { type DeviceKey, loadOrCreateDeviceKey } from '../../../src/memory/key-files.ts'
import type { Checkpoint } from '../../../src/memory/record.ts'
import { signHash } from '../../../src/memory/sign.ts'
import { type MemoryStore, openMemoryStore } from '../../../src/memory/store.ts'
import { createTrust } from '../../../src/memory/trust.ts'
import { vector1 } from '../support.ts'

export const repo = 'https://example.com/team/app.git'
export const branch = 'ghyll/memory'

/** A bare remote on disk and clones of it, each with a home of its own. */
export async function makeTeam() {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'ghyll-team-')))
  const env = gitEnvironment(root)
  const remote = join(root, 'remote.git')
  const git = async (cwd: string, ...args: string[]) =>
    (await execa('git', args, { cwd, env, extendEnv: false })).stdout
  await git(root, 'init', '--quiet', '--bare', '--initial-branch=main', remote)
  const seed = join(root, 'seed')
  await git(root, 'clone', '--quiet', remote, seed)
  await git(seed, 'commit', '--quiet', '--allow-empty', '-m', 'Start')
  await git(seed, 'push', '--quiet', 'origin', 'HEAD:refs/heads/main')
  onTestFinished(() => rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }))

  return {
    root,
    env,
    remote,
    git,
    /** A clone with its own device. */
    async clone(device: string, options: { home?: string; folder?: string } = {}) {
      const folder = join(root, options.folder ?? `clone-${device}`)
      await git(root, 'clone', '--quiet', remote, folder)
      return openDevice({ device, folder, home: options.home ?? join(root, `home-${device}`), env })
    },
    commits: async () =>
      (await git(remote, 'log', '--format=%s', branch)).split('\n').filter((subject) => subject !== ''),
    files: async () => (await git(remote, 'ls-tree', '-r', '--name-only', branch)).split('\n')
  }
}

export type Device = Awaited<ReturnType<typeof openDevice>>

export async function openDevice(place: {
  device: string
  folder: string
  home: string
  env: Record<string, string>
  clock?: Clock
}) {
  const { device, folder, home, env, clock = systemClock() } = place
  await mkdir(home, { recursive: true })
  const key = await loadOrCreateDeviceKey(join(home, 'keys'), device)
  const store = openMemoryStore(join(home, 'memory.db'))
  onTestFinished(() => store.close())
  store.keys.pin(device, key.publicPem, 0)
  const told: string[] = []
  const logged: string[] = []
  return {
    device,
    folder,
    key,
    store,
    told,
    logged,
    async open(network = true, history: BranchContext['history'] = 'as-is'): Promise<BranchSync> {
      const context = {
        git: gitIn(folder, { env }),
        branch,
        device,
        publicPem: key.publicPem,
        repo,
        repoHash: sha256Hex(repo),
        hasRemote: true,
        history,
        store,
        trust: createTrust(store),
        clock,
        tell: (_: string, text: string) => void told.push(text),
        log: (line: string) => void logged.push(line)
      }
      const sync = await openBranchSync(context, { network, signal: new AbortController().signal })
      onTestFinished(() => sync.close())
      return sync
    },
    remember: (summary: string) => remember(store, key, summary),
    summaries: () => [...store.list(repo)].map(({ title }) => title).sort(),
    /** Everything of the user's that must stay as it was (MEM-072). */
    async untouched() {
      const run = async (...args: string[]) => (await execa('git', args, { cwd: folder, env, extendEnv: false })).stdout
      const bytes = async (name: string) => (await readFile(join(folder, '.git', name))).toString('base64')
      return {
        status: await run('status', '--porcelain=v2', '--branch', '--ignored'),
        head: await bytes('HEAD'),
        index: await bytes('index'),
        tree: await run('ls-files', '--stage'),
        branches: await run('for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads/main', 'refs/stash')
      }
    }
  }
}

function remember(store: MemoryStore, key: DeviceKey, summary: string): Checkpoint {
  return store.append({ device: key.device, repo }, BigInt(Date.now()) * 1_000_000n, (next) => {
    const record = { ...vector1, ...next, v: 2, device: key.device, author: key.device, session: key.device, summary }
    const hash = hashOf(record)
    return { ...record, hash, sig: signHash(key.privateKey, hash) }
  })
}

/** The machine's path and nothing of its user's git. */
function gitEnvironment(home: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: home,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Test',
    GIT_AUTHOR_EMAIL: 'test@example.com',
    GIT_COMMITTER_NAME: 'Test',
    GIT_COMMITTER_EMAIL: 'test@example.com'
  }
}
