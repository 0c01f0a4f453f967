import type { ContextEntry } from './entry.ts'
import type { NoticeLevel } from './event.ts'
import type { SessionId } from './ids.ts'

/** What made somebody ask whether the conversation has left the last checkpoint behind (CTX-040). */
export type DriftReason = 'interval' | 'compaction' | 'switch'

export type DriftAsk = {
  readonly session: SessionId
  readonly turn: number
  readonly reason: DriftReason
  readonly entries: readonly ContextEntry[]
  /** Tokens of the context now, and what may be added to it (CTX-048). */
  readonly tokens: number
  readonly budget: number
  /** A compaction may raise the budget, and was not tried for this yet. */
  readonly canGrow: boolean
}

export type DriftAnswer = {
  /** Finished texts to put before the conversation (CTX-049); empty when nothing drifted. */
  readonly notes: readonly string[]
  /** The lines of CTX-046, CTX-050 and CTX-053. */
  readonly notices: readonly { readonly level: NoticeLevel; readonly text: string }[]
  /** Only where `canGrow` was said: there is more to add than fits, so compact and ask again (CTX-048). Nothing is added yet. */
  readonly crowded?: boolean
}
