import type { CliIo } from '../cli/io.ts'
import { printError } from '../cli/print.ts'
import { type Config, ConfigFailure, defaultMemoryBranch, homePaths, loadConfig } from '../config/index.ts'
import { systemClock } from '../lib/clock.ts'
import { visibleLine } from '../lib/safe-text.ts'
import {
  authorOf,
  gitFor,
  type Identity,
  isSafeSegment,
  loadOrCreateDeviceKey,
  MemoryFailure,
  type MemoryStore,
  openMemoryStore,
  publishedKey,
  readPublicPem,
  type SyncOutcome,
  syncOnce
} from '../memory/index.ts'
import { lockPathOf } from '../platform/repository.ts'
import { deviceId } from './identity.ts'
import { branchIn, currentRepo, place, untilInterrupted } from './memory-place.ts'
import { holdLock } from './session-lock.ts'

// What the offline commands that exchange with others stand on: `ghyll memory sync` and `trust`.

/** `ghyll memory sync` (CLI-013, SESS-136); resolves to the exit code. Throws `StartFailure` while a session holds the lock. */
export async function memorySync(history: 'as-is' | 'shallow' | 'full', io: CliIo): Promise<number> {
  const config = loadConfig({ env: io.env })
  const lock = holdLock(lockPathOf(io.cwd))
  try {
    const store = openMemoryStore(homePaths(io.env).memoryDb)
    try {
      return await untilInterrupted((signal) => syncStore(store, config, history, io, signal))
    } finally {
      store.close()
    }
  } finally {
    lock.release()
  }
}

async function syncStore(
  store: MemoryStore,
  config: Config,
  history: 'as-is' | 'shallow' | 'full',
  io: CliIo,
  signal: AbortSignal
): Promise<number> {
  const { root, repository } = place(io)
  const clock = systemClock()
  const phases = {
    fetch: 'fetching remote checkpoints...\n',
    push: 'pushing local checkpoints...\n'
  }
  const { branch, vault } = await syncOnce({
    root,
    isRepository: repository !== null,
    branch: config.memory.branch,
    identity: await ownIdentity(store, io),
    store,
    vault: config.vault,
    history,
    env: io.env,
    clock,
    signal,
    onPhase: (phase) => io.out(phases[phase]),
    tell: (level, text) => io.err(`${level === 'info' ? 'ℹ' : '⚠'} ${visibleLine(text)}\n`),
    log: () => undefined
  })
  if (branch?.fetched === 'failed') printError(io, `fetch failed: ${branch.problem}`)
  const problems = [
    branch === null ? null : pushProblem(branch),
    vault === null || vault.failure === null ? null : vault.failure.message
  ].filter((problem) => problem !== null)
  for (const problem of problems) printError(io, problem)
  if (problems.length > 0) return 1
  io.out('sync complete\n')
  return 0
}

/** What kept the checkpoints here; a remote that could not be asked was told already. */
function pushProblem({ pushed, fetched, problem }: SyncOutcome): string | null {
  if (pushed !== 'failed' && pushed !== 'refused' && pushed !== 'conflict') return null
  return problem === null || fetched === 'failed' ? 'push failed' : `push failed: ${problem}`
}

/** `ghyll memory trust <device>` (MEM-056); resolves to what was done. Throws `MemoryFailure` when the device publishes no key here. */
export async function memoryTrust(device: string, io: CliIo): Promise<'trusted' | 'known'> {
  const { root, repository } = place(io)
  const git = await gitFor(root, repository !== null, io.env)
  const text = git === null || !isSafeSegment(device) ? null : await publishedKey(git, memoryBranch(io), device)
  const found = readPublicPem(text ?? '')
  if ('problem' in found) {
    const why =
      text === null ? 'publishes no key on the memory branch here' : `publishes no usable key: ${found.problem}`
    const hint = 'run ghyll memory sync in a repository that it shares'
    throw new MemoryFailure('unknown-key', `@${device} ${why}`, { device }, { hint })
  }
  const store = openMemoryStore(homePaths(io.env).memoryDb)
  try {
    if (store.keys.pemFor(device) === found.pem) return 'known'
    store.keys.trust(device, found.pem, Date.now())
    return 'trusted'
  } finally {
    store.close()
  }
}

async function ownIdentity(store: MemoryStore, io: CliIo): Promise<Identity> {
  const device = deviceId(io.env)
  const key = await loadOrCreateDeviceKey(homePaths(io.env).keys, device)
  store.keys.trust(device, key.publicPem, Date.now())
  const { repository } = place(io)
  return {
    key,
    author: authorOf(io.env, device),
    repo: await currentRepo(io),
    branch: () => branchIn(repository)
  }
}

/** These commands work before anything is configured (CFG-032). */
function memoryBranch(io: CliIo): string {
  try {
    return loadConfig({ env: io.env }).memory.branch
  } catch (error) {
    if (error instanceof ConfigFailure) return defaultMemoryBranch
    throw error
  }
}
