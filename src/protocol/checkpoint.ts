import type { SessionId } from './ids.ts'

/** What a session asks to be remembered; the memory wing adds identity, chain link, time and signature. */
export type CheckpointDraft = {
  readonly session: SessionId
  readonly turn: number
  readonly model: string
  readonly planMode: boolean
  /** At most 8192 bytes, first line by reason (CTX-070). */
  readonly summary: string
  readonly files: readonly string[]
  readonly tools: readonly string[]
  readonly injections: readonly string[]
  readonly resumedFrom: { readonly session: string; readonly hash: string } | null
}

/** Where a stored checkpoint ended up: its hash and its 0-based index within the session (SESS-083). */
export type CheckpointReceipt = { readonly hash: string; readonly index: number }
