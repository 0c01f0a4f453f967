import { assert } from '../../lib/assert.ts'
import type { DriftReason } from '../../protocol/drift.ts'
import { type AssistantEntry, type ContextEntry, callKey, type HistoryEntry } from '../../protocol/entry.ts'
import type { InboxRow, SessionPhase, TurnOutcome, UsagePurpose } from '../../protocol/event.ts'
import type { EntryId, SessionId, StepId } from '../../protocol/ids.ts'
import type { ToolCall } from '../../protocol/tool.ts'
import type { RoutingDecision } from '../dialects/index.ts'
import type { Errand } from './line.ts'
import type { ModelFacts, Rules } from './rules.ts'

/**
 * One session as one value. Everything outside `run` is the fold of durable events, so a replay rebuilds it; `run` holds what
 * steers the process under way and dies with it.
 */
export type SessionState = {
  readonly session: SessionId
  readonly rules: Rules
  readonly workdir: string
  readonly lifecycle: 'new' | 'open' | 'closed'
  /** The model of the routing state; a fallback of one turn does not change it (MODEL-061). */
  readonly model: string
  readonly planMode: boolean
  readonly deepOverride: boolean
  readonly held: boolean
  /** Number of the last started turn, 0 before the first (SESS-071). */
  readonly turn: number
  /** Calls executed since the last user input (SESS-036). */
  readonly toolDepth: number
  /** Depth after a compaction on the deep model, until a step consumes it (ROUTE-008a). */
  readonly compactedBelow: number | null
  readonly inbox: readonly InboxRow[]
  readonly history: readonly HistoryEntry[]
  readonly current: Turn | null
  readonly lastTurn: { readonly turn: number; readonly outcome: TurnOutcome; readonly code: string | null } | null
  readonly checkpoints: {
    readonly count: number
    readonly last: { readonly hash: string; readonly index: number; readonly turn: number } | null
    /** How many history entries the last one covers. */
    readonly covers: number
    /** Completed turns it does not cover (SESS-102). */
    readonly turnsSince: number
  }
  /** Tokens by purpose, then model (WB-041). */
  readonly usage: readonly UsageTotal[]
  readonly run: Run
}

export type UsageTotal = {
  readonly model: string
  readonly purpose: UsagePurpose
  readonly prompt: number
  readonly completion: number
  readonly total: number
}

/** A turn under way. */
export type Turn = {
  readonly turn: number
  readonly step: StepState | null
  /** Its last step ended without tool calls and nothing waits to steer it (SESS-043). */
  readonly finishing: boolean
  /** The alternate that serves the rest of this turn (MODEL-061). */
  readonly fallback: string | null
}

/** One logical model call under way (SESS-045). */
export type StepState = {
  readonly id: StepId
  readonly model: string
  readonly retriesUsed: number
  /** Its one reactive compaction was used (SESS-046). */
  readonly compacted: boolean
  /** Its one fallback was used. */
  readonly fellBack: boolean
  /** The reply row of the current attempt, from its first output on (SESS-050). */
  readonly reply: EntryId | null
}

export type Ending = { readonly outcome: Exclude<TurnOutcome, 'completed'>; readonly code: string }

/** What steers the process under way. Never stored. */
export type Run = {
  readonly ready: boolean
  readonly phase: SessionPhase
  readonly leaving: { readonly signal: boolean } | null
  /** What became of the final checkpoint. */
  readonly farewell: 'due' | 'stored' | 'failed'
  /** Commands of the operator that wait for the session to be idle. */
  readonly errands: readonly Errand[]
  /** `/retry` asked for the last turn again. */
  readonly retrying: boolean
  /** Put in front of the next message (`!!cmd`, TERM-47). */
  readonly preface: readonly string[]
  readonly interrupted: boolean
  /** The turn is over for this reason as soon as it is settled. */
  readonly ending: Ending | null
  readonly verdictsDrained: boolean
  /** Tokens of the next request, null when the context changed since they were counted. */
  readonly measured: number | null
  /** A compaction before the next request was tried, on this model. */
  readonly compactedFor: string | null
  /** The router's answer for the step about to open. */
  readonly routed: RoutingDecision | null
  /** The floor of the last evaluation, for a fallback of the same step (MODEL-060). */
  readonly gateFloor: number
  /** Whose unsent inputs `/restore` would queue (SESS-103). */
  readonly unsentFrom: SessionId | null
  /** `/deep` or `/fast` asked for an evaluation at once; `/fast` may fall back to the default model (SESS-111). */
  readonly rerouting: { readonly deescalate: boolean } | null
  /** The endpoint rejected the request as too long (SESS-007). */
  readonly overflow: boolean
  /** Wait this long before the next attempt. */
  readonly waitMs: number | null
  readonly fallingBackTo: string | null
  /** A shortened copy of the context for the rest of a turn on the alternate (MODEL-062), and the entries it stands for. */
  readonly copy: { readonly covers: ReadonlySet<EntryId>; readonly entries: readonly ContextEntry[] } | null
  /** A compaction was anchored and has no checkpoint yet; its summary (CTX-029). */
  readonly unsavedSummary: string | null
  readonly driftDue: DriftReason | null
  readonly backfilled: boolean
  /** A compaction is to make room for backfill (CTX-048). */
  readonly roomWanted: boolean
  /** Turns at which the two interval checks were last made; a turn that did not complete makes none (CTX-074). */
  readonly checked: { readonly checkpoint: number; readonly drift: number }
  /** Composition warnings already shown (CTX-107). */
  readonly warned: string
}

/** The state before the first event. */
export function initialState(session: SessionId, rules: Rules): SessionState {
  return {
    session,
    rules,
    workdir: '',
    lifecycle: 'new',
    model: '',
    planMode: false,
    deepOverride: false,
    held: false,
    turn: 0,
    toolDepth: 0,
    compactedBelow: null,
    inbox: [],
    history: [],
    current: null,
    lastTurn: null,
    checkpoints: { count: 0, last: null, covers: 0, turnsSince: 0 },
    usage: [],
    run: {
      ready: false,
      phase: 'init',
      leaving: null,
      farewell: 'due',
      errands: [],
      retrying: false,
      preface: [],
      ...freshTurn,
      driftDue: null,
      backfilled: false,
      roomWanted: false,
      checked: { checkpoint: 0, drift: 0 },
      unsavedSummary: null,
      rerouting: null,
      gateFloor: 0,
      unsentFrom: null,
      warned: ''
    }
  }
}

/** What a turn starts with. */
export const freshTurn = {
  interrupted: false,
  ending: null,
  verdictsDrained: false,
  measured: null,
  compactedFor: null,
  routed: null,
  overflow: false,
  waitMs: null,
  fallingBackTo: null,
  copy: null
} satisfies Partial<Run>

/** The model the next request goes to. */
export function servingModel(state: SessionState): ModelFacts {
  const name = state.current?.step?.model ?? state.current?.fallback ?? state.model
  const facts = state.rules.models[name]
  assert(facts !== undefined, `model ${name} is not configured`)
  return facts
}

/** The calls that have no result yet, in order, with the message they belong to (SESS-094, SESS-101). */
export function unsettledCalls(
  history: readonly HistoryEntry[]
): readonly { readonly message: AssistantEntry; readonly call: ToolCall }[] {
  const settled = new Set<string>()
  for (const entry of history) if (entry.kind === 'tool') settled.add(callKey(entry.message, entry.call.id))
  return history.flatMap((entry) =>
    entry.kind === 'assistant' && entry.status === 'done'
      ? entry.toolCalls
          .filter((call) => !settled.has(callKey(entry.id, call.id)))
          .map((call) => ({ message: entry, call }))
      : []
  )
}

/** The reply of the step under way; null before its first output (SESS-050). */
export function replyOf(state: SessionState): AssistantEntry | null {
  const id = state.current?.step?.reply ?? null
  if (id === null) return null
  const entry = state.history.findLast((candidate) => candidate.id === id)
  assert(entry?.kind === 'assistant', 'a step points to its reply')
  return entry
}
