import type { Embedder, VectorSearch } from './ports.ts'
import type { VaultLink } from './vault-link.ts'

/** What ranking by meaning needs; there once the embedder is loaded. */
export type Meaning = { readonly embedder: Embedder; readonly vectors: VectorSearch; readonly vault: VaultLink | null }
