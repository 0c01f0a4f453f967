import type { BranchSync } from './branch/sync.ts'
import { MemoryFailure } from './errors.ts'
import type { Log } from './log.ts'
import type { Embedder } from './ports.ts'
import { embedMissing } from './reembed.ts'
import type { MemoryStore } from './store.ts'
import type { VaultLink } from './vault-link.ts'

export type RoundParts = {
  readonly store: MemoryStore
  readonly repo: string
  /** Talk to the remote (MEM-089). */
  readonly autoSync: boolean
  /** What may come late, or not at all. */
  sync(): BranchSync | null
  vault(): VaultLink | null
  embedder(): Embedder | null
  /** A line for the operator, without glyph. */
  tell(level: 'info' | 'warning', text: string): void
  readonly log: Log
}

/** Where in the life of a session a round is: what the first one brings is told, later ones only leave a log line (MEM-083). */
export type Which = 'first' | 'regular' | 'last'

/** Vectors that one round makes. */
const madePerRound = 200

/**
 * One round of everything that goes on behind a session: the branch both ways, what the vault lacks, vectors for what others wrote
 * (MEM-078, MEM-100, MEM-115). Trouble outside is told or logged, never thrown.
 */
export function createRound(parts: RoundParts): (signal: AbortSignal, which: Which) => Promise<void> {
  const { store, repo, tell, log } = parts
  return async (signal, which) => {
    const sync = parts.sync()
    if (sync !== null) await exchange(sync, signal, which)
    const vault = parts.vault()
    if (vault !== null && !signal.aborted) await drain(vault, signal)
    const embedder = parts.embedder()
    if (which === 'regular' && embedder !== null) await catchUp(embedder, signal)
  }

  async function exchange(sync: BranchSync, signal: AbortSignal, which: Which): Promise<void> {
    const { imported, fetched, pushed, problem } = await sync.tick({ network: parts.autoSync, signal })
    const text = `synced ${imported.count} checkpoints from ${imported.authors.size} developers`
    if (imported.count > 0 && which === 'first') tell('info', text)
    else if (imported.count > 0) log(`memory: ${text}`)
    if (which === 'first' && (fetched === 'failed' || pushed === 'failed'))
      tell('warning', `initial sync failed: ${problem}`)
  }

  async function drain(vault: VaultLink, signal: AbortSignal): Promise<void> {
    try {
      await vault.drain(signal)
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }

  async function catchUp(embedder: Embedder, signal: AbortSignal): Promise<void> {
    try {
      await embedMissing(store, embedder, repo, madePerRound, signal)
    } catch (error) {
      if (!(error instanceof MemoryFailure)) throw error
      log(`memory: ${error.message}`, 'warning')
    }
  }
}
