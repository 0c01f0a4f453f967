import type { AssistantEntry, ContextEntry, HistoryEntry } from '../../protocol/entry.ts'
import { activeContext } from '../context/index.ts'
import type { SessionState } from './state.ts'

/**
 * The entries of the next request: the active context (SESS-052), or, for the rest of a turn on a fallback that had to shorten
 * it, the copy and whatever was added since (MODEL-062).
 */
export function requestEntries(state: SessionState): readonly ContextEntry[] {
  const active = activeContext(state.history)
  const { copy } = state.run
  if (copy === null || state.current === null) return active
  return [...copy.entries, ...active.filter((entry) => !copy.covers.has(entry.id))]
}

/** The row a reply gets at its first output (SESS-050). */
export function openReply(row: Pick<AssistantEntry, 'id' | 'turn' | 'step' | 'model' | 'family'>): AssistantEntry {
  return { kind: 'assistant', ...row, text: '', reasoning: '', toolCalls: [], status: 'open' }
}

/** The first thing the operator ever said in this session. */
export function goalOf(history: readonly HistoryEntry[]): string | null {
  const first = history.find((entry) => entry.kind === 'user')
  return first?.kind === 'user' ? first.text : null
}
