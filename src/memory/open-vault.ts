import type { VaultConfig } from '../config/index.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from './log.ts'
import type { Embedder } from './ports.ts'
import type { MemoryStore } from './store.ts'
import type { Trust } from './trust.ts'
import { createVaultClient, vaultAccess } from './vault-client.ts'
import { createVaultLink, type VaultLink } from './vault-link.ts'

export type VaultParts = {
  readonly store: MemoryStore
  readonly trust: Trust
  /** The embedder as soon as there is one. */
  embedder(): Embedder | null
  readonly clock: Clock
  /** A line for the operator, without glyph. */
  tell(level: 'info' | 'warning', text: string): void
  readonly log: Log
}

/** The team's vault as configured; null where there is none to talk to, and where one was meant that is told (MEM-099). */
export function openVault(config: VaultConfig | null, { tell, log, ...parts }: VaultParts): VaultLink | null {
  const access = vaultAccess(config)
  if (access.kind === 'off') {
    if (access.warning !== null) tell('warning', access.warning)
    return null
  }
  return createVaultLink({
    ...parts,
    client: createVaultClient(access.address),
    onOutage: (text) => tell('info', text),
    onFailure: (failure) => log(`memory: ${failure.message}`, 'warning')
  })
}
