import type { ContextEntry } from '../../protocol/entry.ts'
import type { DurableEvent, GhyllEvent, TransientEvent } from '../../protocol/event.ts'
import type { EntryId, SessionId } from '../../protocol/ids.ts'
import type { RoutingDecision } from '../dialects/index.ts'
import type { Errand } from './line.ts'
import type { Ending } from './state.ts'

/** What steers the process under way and nobody else needs to hear: neither kept nor told. */
export type Fact =
  | { readonly fact: 'made-ready' }
  | { readonly fact: 'interrupt-asked' }
  | { readonly fact: 'leave-asked'; readonly signal: boolean }
  | { readonly fact: 'farewell-done'; readonly isStored: boolean }
  | { readonly fact: 'errand-asked'; readonly errand: Errand }
  | { readonly fact: 'errand-done' }
  | { readonly fact: 'retry-asked' }
  | { readonly fact: 'reroute-asked'; readonly deescalate: boolean }
  | { readonly fact: 'preface-added'; readonly text: string }
  | { readonly fact: 'preface-used' }
  | { readonly fact: 'verdicts-drained' }
  | { readonly fact: 'routed'; readonly decision: RoutingDecision; readonly floor: number }
  /** The predecessor's inputs that were never sent (SESS-103). */
  | { readonly fact: 'unsent-found'; readonly session: SessionId }
  /** The checkpoint this session goes on from; its first one names it (SESS-125). */
  | { readonly fact: 'reroute-done' }
  | { readonly fact: 'compaction-tried'; readonly model: string }
  | {
      readonly fact: 'copy-compacted'
      readonly covers: ReadonlySet<EntryId>
      readonly entries: readonly ContextEntry[]
    }
  | { readonly fact: 'overflowed' }
  | { readonly fact: 'overflow-over' }
  | { readonly fact: 'retry-planned'; readonly delayMs: number }
  | { readonly fact: 'wait-over' }
  | { readonly fact: 'fallback-planned'; readonly to: string }
  | { readonly fact: 'turn-failing'; readonly ending: Ending }
  | { readonly fact: 'summary-saved' }
  | { readonly fact: 'checkpoint-checked'; readonly turn: number }
  | { readonly fact: 'drift-checked'; readonly turn: number; readonly backfilled: boolean }
  /** Backfill found more than fits; a compaction is to make room, and was tried (CTX-048). */
  | { readonly fact: 'room-wanted' }
  | { readonly fact: 'room-tried' }
  | { readonly fact: 'context-stale' }
  | { readonly fact: 'composition-warned'; readonly warnings: string }

/** Everything the state is folded from. */
export type Folded = GhyllEvent | Fact

type Body<T> = T extends unknown ? Omit<T, 'session' | 'at'> : never
/** An event before the loop stamps session and time on it. */
export type EventBody = Body<DurableEvent> | Body<TransientEvent>
/** What a decision yields, in the order in which it happened. */
export type Item = EventBody | Fact

/** Whether something folded, or about to be, is a fact and no event. */
export const isFact = (item: Folded | Item): item is Fact => 'fact' in item

/** One operator message; the level decides the glyph. */
export function notice(level: Extract<TransientEvent, { kind: 'notice' }>['level'], text: string, hint?: string): Item {
  return { kind: 'notice', level, text, ...(hint === undefined ? {} : { hint }) }
}
