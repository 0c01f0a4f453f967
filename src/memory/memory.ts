import { existsSync } from 'node:fs'
import type { Environment, MemoryConfig, VaultConfig } from '../config/index.ts'
import { letBugsThrough } from '../lib/assert.ts'
import type { Clock } from '../lib/clock.ts'
import { messageOf } from '../lib/error.ts'
import type { CheckpointDraft, CheckpointReceipt } from '../protocol/checkpoint.ts'
import type { DriftAnswer, DriftAsk } from '../protocol/drift.ts'
import { startTickLoop, type TickLoop } from './branch/loop.ts'
import type { BranchSync } from './branch/sync.ts'
import { createCheckpoints } from './checkpoints.ts'
import { createDrift } from './drift.ts'
import { openEmbedder as openRealEmbedder } from './embedder/embedder.ts'
import { MemoryFailure } from './errors.ts'
import type { Identity } from './identity.ts'
import { loadOrCreateDeviceKey } from './key-files.ts'
import type { Log } from './log.ts'
import type { Meaning } from './meaning.ts'
import { gitFor, openSync } from './open-branch.ts'
import { openVault } from './open-vault.ts'
import type { Embedder, VectorSearch } from './ports.ts'
import { repositoryIdentity } from './repo.ts'
import { chooseResume, type ResumeAnswer } from './resume.ts'
import { createRound } from './round.ts'
import { openMemoryStore } from './store.ts'
import { createTrust } from './trust.ts'
import type { VaultLink } from './vault-link.ts'
import { openVectorSearch } from './vector-search.ts'

// The memory of a session's process: keys and store are there when it is opened (INIT steps 6 and 7), everything that may be missing or
// slow is set up behind (steps 8 to 11) and only narrows what the session can do.

export type MemoryOptions = {
  readonly device: string
  /** MEM-014 */
  readonly author: string
  /** Real path of the repository's top level, else of the working directory. */
  readonly root: string
  readonly isRepository: boolean
  /** The branch checked out now, empty when there is none. */
  branch(): string
  readonly databasePath: string
  readonly keysFolder: string
  readonly config: MemoryConfig
  readonly vault: VaultConfig | null
  readonly env: Environment
  readonly clock: Clock
  /** Cleans checkpoint text on its way into a context (MODEL-081). */
  clean(text: string): string
  /** A line for the operator, without glyph. */
  tell(level: 'info' | 'warning', text: string): void
  /** A mark that stays in the status line (CTX-040). */
  mark(name: string, text: string): void
  readonly log: Log
  /** Loads the embedder; the model of the configuration when omitted. */
  readonly openEmbedder?: () => Promise<Embedder>
}

export interface Memory {
  readonly identity: Identity
  readonly checkpoints: { create(draft: CheckpointDraft): Promise<CheckpointReceipt> }
  readonly drift: { check(ask: DriftAsk, signal: AbortSignal): Promise<DriftAnswer> }
  /** What `--resume` continues (SESS-120…126). Throws `MemoryFailure` when the store cannot be read. */
  resume(): Promise<ResumeAnswer>
  /** Resolves when embedder, branch and first sync are there or given up. Trouble is told, never thrown. */
  readonly ready: Promise<void>
  /**
   * Hands over what is not out yet, at most ten seconds long and only while `hurry` has not aborted, then closes everything
   * (SESS-140, SESS-142).
   */
  close(hurry?: AbortSignal): Promise<void>
}

/** MEM-078, INIT step 11 */
const firstSyncMs = 10_000
const lastSyncMs = 10_000

/** Key and store at once, the rest behind (SESS-020, SESS-021). Throws `MemoryFailure`: of the key, or a store that cannot be opened. */
export async function openMemory(options: MemoryOptions): Promise<Memory> {
  const { config, clock, tell, log } = options
  const key = await loadOrCreateDeviceKey(options.keysFolder, options.device)
  if (key.created) tell('info', `generated signing key for device ${options.device}`)
  const store = openMemoryStore(options.databasePath)
  store.keys.trust(key.device, key.publicPem, clock.now())
  const git = await gitFor(options.root, options.isRepository, options.env)
  const identity: Identity = {
    key,
    author: options.author,
    repo: await repositoryIdentity(options.root, git),
    branch: options.branch
  }
  const trust = createTrust(store)

  let embedder: Embedder | null = null
  let vectors: VectorSearch | null = null
  let vault: VaultLink | null = null
  let sync: BranchSync | null = null
  let loop: TickLoop | null = null
  let storedEarly = false
  const end = new AbortController()

  const meaning = (): Meaning | null => (embedder === null || vectors === null ? null : { embedder, vectors, vault })
  const tick = createRound({
    store,
    repo: identity.repo,
    autoSync: config.autoSync,
    sync: () => sync,
    vault: () => vault,
    embedder: () => embedder,
    tell,
    log
  })
  const { driftThreshold: threshold, driftCheckIntervalTurns: intervalTurns } = config
  const ready = setUp()
  ready.catch(() => undefined) // a bug, for `close` to tell

  return {
    identity,
    checkpoints: createCheckpoints({
      identity,
      store,
      clock,
      embedder: () => embedder,
      onStored() {
        void sync?.write()
        storedEarly ||= loop === null
        loop?.nudge()
      },
      log
    }),
    drift: createDrift({ identity, store, trust, threshold, intervalTurns, meaning, clean: options.clean, log }),
    resume: () => chooseResume(identity, store, trust, options.clean),
    ready,
    close
  }

  async function setUp(): Promise<void> {
    vault = openVault(options.vault, { store, trust, embedder: () => embedder, clock, tell, log })
    // A large model is not what a team's news waits for.
    await Promise.all([setUpEmbedder(), setUpExchange()])
  }

  async function setUpExchange(): Promise<void> {
    await setUpSync()
    if (end.signal.aborted) return
    await tick(AbortSignal.any([end.signal, AbortSignal.timeout(firstSyncMs)]), 'first')
    if (end.signal.aborted) return
    loop = startTickLoop((signal) => tick(signal, 'regular'), { clock, intervalMs: config.syncIntervalSeconds * 1000 })
    if (storedEarly) loop.nudge()
  }

  async function setUpEmbedder(): Promise<void> {
    const open =
      options.openEmbedder ?? (() => openRealEmbedder(config.embedder, { onTrouble: (f) => log(f.message, 'warning') }))
    try {
      const opened = await open()
      if (end.signal.aborted) return await opened.close()
      embedder = opened
      vectors = openVectorSearch({ databasePath: store.path, embedder: opened.tag })
    } catch (error) {
      if (!(error instanceof MemoryFailure)) throw error
      const { modelPath } = config.embedder
      // Nobody has to have a model; one that is there and does not work is trouble.
      log(`memory: ${error.message}`, existsSync(modelPath) ? 'warning' : undefined)
      tell('info', `embedding model not available, drift detection disabled (looked at ${modelPath})`)
      options.mark('drift', 'drift off')
    }
  }

  async function setUpSync(): Promise<void> {
    if (git === null) {
      tell('info', 'not a git repository, memory sync disabled')
      return
    }
    try {
      const opened = await openSync({
        git,
        branch: config.branch,
        identity,
        store,
        trust,
        clock,
        history: 'as-is',
        network: config.autoSync,
        signal: end.signal,
        tell,
        log
      })
      if (end.signal.aborted) return await opened.close()
      sync = opened
    } catch (error) {
      letBugsThrough(error)
      log(`memory: ${messageOf(error)}`, 'warning')
      if (end.signal.aborted) return
      tell('warning', `memory branch init failed: ${messageOf(error)}`)
    }
  }

  async function close(hurry?: AbortSignal): Promise<void> {
    const limit = AbortSignal.timeout(lastSyncMs)
    const last = hurry === undefined ? limit : AbortSignal.any([limit, hurry])
    // A set-up that hangs, such as a first sync without a network, has the same ten seconds.
    const cut = () => end.abort()
    last.addEventListener('abort', cut, { once: true })
    if (last.aborted) cut()
    // A model that is still being loaded is not waited for longer; it closes itself when it comes.
    await Promise.race([ready, aborted(end.signal)])
    await loop?.stop()
    if (!last.aborted) await tick(last, 'last')
    last.removeEventListener('abort', cut)
    end.abort()
    await vectors?.close()
    await embedder?.close()
    await sync?.close()
    store.close()
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
