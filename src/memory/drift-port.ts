import type { ContextEntry } from '../protocol/entry.ts'
import type { NoticeLevel } from '../protocol/event.ts'
import type { SessionId } from '../protocol/ids.ts'
import type { Embedder, VectorSearch } from './ports.ts'
import type { VaultLink } from './vault-link.ts'

export type DriftAsk = {
  readonly session: SessionId
  readonly turn: number
  readonly reason: 'interval' | 'compaction' | 'switch'
  readonly entries: readonly ContextEntry[]
  /** Tokens of the context now, and what may be added to it (CTX-048). */
  readonly tokens: number
  readonly budget: number
}

export type DriftAnswer = {
  readonly notes: readonly string[]
  readonly notices: readonly { readonly level: NoticeLevel; readonly text: string }[]
}

/** What ranking by meaning needs; there once the embedder is loaded. */
export type Meaning = { readonly embedder: Embedder; readonly vectors: VectorSearch; readonly vault: VaultLink | null }
