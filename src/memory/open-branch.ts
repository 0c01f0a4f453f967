import type { Environment } from '../config/index.ts'
import type { Clock } from '../lib/clock.ts'
import { sha256Hex } from '../lib/hash.ts'
import { findProgram } from '../platform/find-program.ts'
import { type BranchContext, branchRef, trackingRef } from './branch/context.ts'
import { type GitRunner, gitIn } from './branch/git.ts'
import { keyPath } from './branch/layout.ts'
import { remoteUrl } from './branch/refs.ts'
import { type BranchSync, openBranchSync } from './branch/sync.ts'
import type { Identity } from './identity.ts'
import type { Log } from './log.ts'
import type { MemoryStore } from './store.ts'
import type { Trust } from './trust.ts'

/**
 * Git in the repository at `root`, apart from the terminal's interrupts where the system has `setsid` (MEM-070); null outside of a
 * repository and where git is missing (MEM-071).
 */
export async function gitFor(root: string, isRepository: boolean, env: Environment): Promise<GitRunner | null> {
  if (!isRepository || (await findProgram('git', { ...env })) === null) return null
  return gitIn(root, { env, apart: (await findProgram('setsid', { ...env })) !== null })
}

export type BranchOptions = {
  readonly git: GitRunner
  readonly branch: string
  readonly identity: Identity
  readonly store: MemoryStore
  readonly trust: Trust
  readonly clock: Clock
  readonly history: BranchContext['history']
  readonly network: boolean
  /** Cuts the set-up short. */
  readonly signal: AbortSignal
  tell(level: 'info' | 'warning', text: string): void
  readonly log: Log
}

/** The sync of the repository's memory branch (INIT step 9). Throws `MemoryFailure` `sync`. */
export async function openSync(options: BranchOptions): Promise<BranchSync> {
  const { git, branch, identity, store, trust, clock, history, network, signal, tell, log } = options
  const { key, repo } = identity
  const context: BranchContext = {
    git,
    branch,
    device: key.device,
    publicPem: key.publicPem,
    repo,
    repoHash: sha256Hex(repo),
    hasRemote: (await remoteUrl(git)) !== null,
    history,
    store,
    trust,
    clock,
    tell,
    log
  }
  return openBranchSync(context, { network, signal })
}

/** The key a device publishes on the local branch, or failing that on what was last fetched; null when neither has one (MEM-056). */
export async function publishedKey(git: GitRunner, branch: string, device: string): Promise<string | null> {
  for (const ref of [branchRef({ branch }), trackingRef({ branch })]) {
    const text = await git.try(['show', `${ref}:${keyPath(device)}`])
    if (text !== null) return text
  }
  return null
}
