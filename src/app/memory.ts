import { existsSync, realpathSync } from 'node:fs'
import type { CliIo } from '../cli/io.ts'
import { type Config, ConfigFailure, homePaths, loadConfig, loadEmbedderConfig } from '../config/index.ts'
import { systemClock } from '../lib/clock.ts'
import { messageOf } from '../lib/error.ts'
import { visibleLine } from '../lib/safe-text.ts'
import {
  authorOf,
  type ChainFindings,
  createTrust,
  type DistrustReason,
  fetchModel,
  gitFor,
  type Identity,
  isSafeSegment,
  type Listing,
  loadOrCreateDeviceKey,
  MemoryFailure,
  type MemoryStore,
  openEmbedder,
  openMemoryStore,
  openVectorSearch,
  outcomeText,
  progressText,
  publishedKey,
  readPublicPem,
  repositoryIdentity,
  type Semantic,
  searchMemory,
  syncOnce
} from '../memory/index.ts'
import { acquireLock } from '../platform/lockfile.ts'
import { currentBranch, findRepository, lockPathOf, type Repository } from '../platform/repository.ts'
import { StartFailure } from './errors.ts'
import { deviceId } from './identity.ts'

// What the offline `ghyll memory` commands stand on. They open the store, the repository and nothing else.

export type { Listing }
export type LoggedCheckpoint = { readonly listing: Listing; readonly status: 'verified' | DistrustReason | null }

export type LogOptions = {
  /** One repository: an identity, or `here` for that of the current folder; null for all. */
  readonly repo: string | null
  readonly verify: boolean
}

/** Every checkpoint by time, each with its verdict when asked for; `notes` are what chains have to say (MEM-052, MEM-054). */
export async function* memoryLog(
  options: LogOptions,
  io: CliIo,
  note: (text: string) => void
): AsyncGenerator<LoggedCheckpoint> {
  const store = openExisting(io)
  if (store === null) return
  try {
    const repo = options.repo === 'here' ? await currentRepo(io) : options.repo
    const trust = createTrust(store)
    const chains = new Map<string, ChainFindings>()
    for (const chain of options.verify ? store.chains(repo) : []) {
      const findings = await trust.findings(chain)
      chains.set(chainKey(chain), findings)
      for (const hash of findings.restarts) note(`chain of @${chain.device} starts again at ${hash.slice(0, 12)}`)
      for (const hash of findings.forks) note(`chain of @${chain.device} forks at ${hash.slice(0, 12)}`)
    }
    for (const listing of [...store.list(repo)]) {
      const findings = chains.get(chainKey(listing))
      const record = findings === undefined ? null : store.get(listing.hash)
      const verdict = findings === undefined || record === null ? null : trust.judge(record, findings)
      yield { listing, status: verdict === null ? null : verdict.trusted ? 'verified' : verdict.reason }
    }
  } finally {
    store.close()
  }
}

const chainKey = ({ device, repo }: { readonly device: string; readonly repo: string }) =>
  JSON.stringify([device, repo])

/** The best matches of the current repository or, with `all`, of every one. */
export async function memorySearch(query: string, all: boolean, io: CliIo): Promise<readonly Listing[]> {
  const store = openExisting(io)
  if (store === null) return []
  const semantic = await openSemantic(store, io)
  try {
    return await searchMemory(query, all ? null : await currentRepo(io), store, semantic)
  } finally {
    await semantic?.vectors.close()
    await semantic?.embedder.close()
    store.close()
  }
}

/** `ghyll memory sync`; resolves to the exit code. Throws `StartFailure` while a session holds the lock. */
export async function memorySync(history: 'as-is' | 'shallow' | 'full', io: CliIo): Promise<number> {
  const config = loadConfig({ env: io.env })
  const outcome = acquireLock(lockPathOf(io.cwd))
  if (outcome.kind !== 'acquired') throw new StartFailure('session-active', outcome.text)
  const paths = homePaths(io.env)
  const abort = new AbortController()
  const stop = () => abort.abort()
  process.once('SIGINT', stop)
  try {
    const store = openMemoryStore(paths.memoryDb)
    try {
      return await syncStore(store, config, history, io, abort.signal)
    } finally {
      store.close()
    }
  } finally {
    process.off('SIGINT', stop)
    outcome.lock.release()
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
  if (branch?.fetched === 'failed') io.err(`ghyll: ${visibleLine(`fetch failed: ${branch.problem}`)}\n`)
  const problems = [
    branch !== null && ['failed', 'refused', 'conflict'].includes(branch.pushed) ? 'push failed' : null,
    vault === null || vault.failure === null ? null : vault.failure.message
  ].filter((problem) => problem !== null)
  for (const problem of problems) io.err(`ghyll: ${visibleLine(problem)}\n`)
  if (problems.length > 0) return 1
  io.out('sync complete\n')
  return 0
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

/** `ghyll memory fetch-embedder` (MEM-120…127); resolves to the exit code. */
export async function fetchEmbedder(force: boolean, io: CliIo): Promise<number> {
  const { modelUrl: url, modelPath: path, modelSha256: sha256 } = loadEmbedderConfig(io.env)
  const isTty = process.stdout.isTTY === true
  const abort = new AbortController()
  const stop = () => abort.abort()
  process.once('SIGINT', stop)
  try {
    const outcome = await fetchModel(
      { url, path, sha256, force },
      (progress) => io.out(progressText(progress, isTty)),
      abort.signal
    )
    io.out(outcomeText(outcome, path, isTty))
    return 0
  } catch (error) {
    if (!abort.signal.aborted) throw error
    io.err('ghyll: interrupted; nothing was installed\n')
    return 130
  } finally {
    process.off('SIGINT', stop)
  }
}

/** The store, or null where nothing was ever remembered: reading makes no files. */
function openExisting(io: CliIo): MemoryStore | null {
  const { memoryDb } = homePaths(io.env)
  return existsSync(memoryDb) ? openMemoryStore(memoryDb) : null
}

/** Embedder and vectors when there is a model; a search goes on without. */
async function openSemantic(store: MemoryStore, io: CliIo): Promise<Semantic | null> {
  try {
    const settings = loadEmbedderConfig(io.env)
    if (!existsSync(settings.modelPath)) return null
    const embedder = await openEmbedder(settings)
    return { embedder, vectors: openVectorSearch({ databasePath: store.path, embedder: embedder.tag }) }
  } catch (error) {
    if (!(error instanceof MemoryFailure || error instanceof ConfigFailure)) throw error
    io.err(`⚠ ${visibleLine(messageOf(error))}; searching words only\n`)
    return null
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
    branch: () => (repository === null ? '' : (currentBranch(repository) ?? ''))
  }
}

async function currentRepo(io: CliIo): Promise<string> {
  const { root, repository } = place(io)
  return repositoryIdentity(root, await gitFor(root, repository !== null, io.env))
}

function place(io: CliIo): { readonly root: string; readonly repository: Repository | null } {
  const repository = findRepository(io.cwd)
  return { root: repository?.root ?? realpathSync(io.cwd), repository }
}

/** These commands work before anything is configured (CFG-032). */
function memoryBranch(io: CliIo): string {
  try {
    return loadConfig({ env: io.env }).memory.branch
  } catch (error) {
    if (error instanceof ConfigFailure) return 'ghyll/memory'
    throw error
  }
}
