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
  /** A compaction may raise the budget, and was not tried for this yet. */
  readonly canGrow: boolean
}

export type DriftAnswer = {
  readonly notes: readonly string[]
  readonly notices: readonly { readonly level: NoticeLevel; readonly text: string }[]
  /** More was found than fits, and room can be made: nothing is added yet (CTX-048). */
  readonly crowded?: boolean
}

/** What ranking by meaning needs; there once the embedder is loaded. */
export type Meaning = { readonly embedder: Embedder; readonly vectors: VectorSearch; readonly vault: VaultLink | null }
