import type { Environment, VaultConfig } from '../config/index.ts'
import type { Clock } from '../lib/clock.ts'
import type { BranchContext } from './branch/context.ts'
import type { SyncOutcome } from './branch/sync.ts'
import type { Identity } from './identity.ts'
import type { Log } from './log.ts'
import { gitFor, openSync } from './open-branch.ts'
import { openVault } from './open-vault.ts'
import type { MemoryStore } from './store.ts'
import { createTrust } from './trust.ts'
import type { Drained } from './vault-link.ts'

export type SyncOnceOptions = {
  readonly root: string
  readonly isRepository: boolean
  readonly branch: string
  readonly identity: Identity
  readonly store: MemoryStore
  readonly vault: VaultConfig | null
  readonly history: BranchContext['history']
  readonly env: Environment
  readonly clock: Clock
  readonly signal: AbortSignal
  onPhase(phase: 'fetch' | 'push'): void
  tell(level: 'info' | 'warning', text: string): void
  readonly log: Log
}

export type SyncOnceOutcome = {
  /** null where there is no git to sync with (MEM-071). */
  readonly branch: SyncOutcome | null
  /** null without a vault. */
  readonly vault: Drained | null
}

/**
 * One whole sync on request (CLI-013): branch both ways, then the vault's outbox (MEM-078, MEM-100). The caller holds the lock. Throws
 * `MemoryFailure` `sync`.
 */
export async function syncOnce(options: SyncOnceOptions): Promise<SyncOnceOutcome> {
  return { branch: await syncBranch(options), vault: await drainVault(options) }
}

async function syncBranch(options: SyncOnceOptions): Promise<SyncOutcome | null> {
  const { root, isRepository, env, signal, onPhase } = options
  const git = await gitFor(root, isRepository, env)
  if (git === null) {
    options.tell('info', 'not a git repository, memory sync disabled')
    return null
  }
  const sync = await openSync({ ...options, git, trust: createTrust(options.store), network: true })
  try {
    return await sync.tick({ network: true, insist: true, signal, onPhase })
  } finally {
    await sync.close()
  }
}

async function drainVault(options: SyncOnceOptions): Promise<Drained | null> {
  const { vault, store, clock, signal, tell, log } = options
  const link = openVault(vault, { store, trust: createTrust(store), embedder: () => null, clock, tell, log })
  return link === null ? null : link.drain(signal, { force: true })
}
