import type { AssistantEntry } from '../../protocol/entry.ts'
import type { DurableEvent } from '../../protocol/event.ts'
import type { EntryId, SessionId } from '../../protocol/ids.ts'
import { evolve } from './evolve.ts'
import type { Rules } from './rules.ts'
import { initialState, type SessionState, unsettledCalls } from './state.ts'
import { settlements } from './tool-results.ts'

/** What closes a session whose process died: rows to end, calls to answer, and whether a checkpoint is owed (SESS-102). */
export type CrashSettlement = {
  readonly state: SessionState
  /** To be recorded in one transaction, before `session-closed`. */
  readonly events: readonly DurableEvent[]
  /** A turn was completed after the last checkpoint: one with `session ended (recovered)` is due. */
  readonly owesCheckpoint: boolean
}

/**
 * Decides from the loaded events alone what a crash left to settle. Deciding again over the settled events yields nothing, so
 * a crash in the middle of recovery does no harm (SESS-104). No tool is executed again (SESS-101).
 */
export function settleCrash(
  session: SessionId,
  rules: Rules,
  loaded: readonly DurableEvent[],
  at: number,
  ids: { entry(): EntryId }
): CrashSettlement {
  const found = loaded.reduce<SessionState>(evolve, initialState(session, rules))
  const open = found.history.filter(
    (entry): entry is AssistantEntry => entry.kind === 'assistant' && entry.status === 'open'
  )
  const rows = open.map(({ id, text, reasoning }): DurableEvent => {
    const settled = { kind: 'reply-settled', entry: id, status: 'partial', text, reasoning, toolCalls: [] } as const
    return { ...settled, session, at }
  })
  const calls = settlements(unsettledCalls(found.history), 'stale', found.turn, { ids })
  const answers = calls.map((entry): DurableEvent => ({ kind: 'tool-ended', entry, session, at }))
  const step = found.current?.step ?? null
  const events: readonly DurableEvent[] = [
    ...rows,
    ...answers,
    ...(step === null ? [] : [{ kind: 'step-ended', step: step.id, outcome: 'interrupted', session, at } as const]),
    ...(found.current === null
      ? []
      : ([{ kind: 'turn-ended', turn: found.turn, outcome: 'interrupted', code: 'interrupted', session, at }] as const))
  ]
  const state = events.reduce<SessionState>(evolve, found)
  return { state, events, owesCheckpoint: state.checkpoints.turnsSince > 0 }
}
