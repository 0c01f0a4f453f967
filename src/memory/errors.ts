import { Failure } from '../lib/error.ts'

/** What can go wrong in the memory wing. Only the ones of the key and of a store that cannot be opened end a start (SESS-020). */
export type MemoryFailureCode =
  | 'hash-mismatch'
  | 'signature-invalid'
  | 'chain-broken'
  | 'unknown-key'
  | 'key-permissions'
  | 'key-invalid'
  | 'store-append-only'
  | 'store-locked'
  | 'store-corrupt'
  | 'store-unavailable'
  | 'embedder-unavailable'
  | 'sync'
  | 'vault-unauthorized'
  | 'vault-unavailable'
  | 'vault-rejected'

export type MemoryFacts = {
  readonly hash?: string
  readonly device?: string
  readonly path?: string
  /** What was being done: `fetch`, `push`, `pull`, `insert` … */
  readonly operation?: string
  /** 1-based. */
  readonly attempt?: number
  /** HTTP status of the vault's answer. */
  readonly status?: number
}

/** Trouble of the memory wing; `facts` say where. */
export class MemoryFailure extends Failure {
  override readonly code: MemoryFailureCode
  readonly facts: MemoryFacts

  constructor(
    code: MemoryFailureCode,
    message: string,
    facts: MemoryFacts = {},
    options: { readonly hint?: string | undefined; readonly cause?: unknown } = {}
  ) {
    super(message, options)
    this.code = code
    this.facts = facts
  }
}
