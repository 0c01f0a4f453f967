import { unreachable } from '../../lib/assert.ts'
import type { AssistantEntry, HistoryEntry } from '../../protocol/entry.ts'
import { type DurableEvent, isDurable, type TransientEvent } from '../../protocol/event.ts'
import { hasDeepTier } from '../dialects/index.ts'
import { type Fact, type Folded, isFact } from './facts.ts'
import { promotable } from './inbox.ts'
import { freshTurn, type Run, type SessionState, type StepState, type Turn, type UsageTotal } from './state.ts'

/** The one fold of a session: live and replayed events go the same way. */
export function evolve(state: SessionState, item: Folded): SessionState {
  if (isFact(item)) return heed(state, item)
  if (isDurable(item)) return remember(state, item)
  return note(state, item)
}

/** Durable events. What they mean for `run` is said here too, so that no caller has to add it. */
function remember(state: SessionState, event: DurableEvent): SessionState {
  switch (event.kind) {
    case 'session-opened':
      return { ...state, lifecycle: 'open', workdir: event.workdir, model: event.model }
    case 'session-closed':
      return { ...state, lifecycle: 'closed' }
    case 'input-submitted':
      return { ...state, inbox: [...state.inbox, event.row] }
    case 'input-dropped':
      return { ...state, inbox: state.inbox.filter((row) => row.seq !== event.seq) }
    case 'input-promoted':
      return stale({
        ...state,
        inbox: state.inbox.filter((row) => !event.seqs.includes(row.seq)),
        history: [...state.history, ...event.entries],
        toolDepth: event.entries.length > 0 ? 0 : state.toolDepth
      })
    case 'hold-changed':
      return { ...state, held: event.held }
    case 'turn-started': {
      const current: Turn = { turn: event.turn, step: null, finishing: false, fallback: null }
      return running({ ...state, turn: event.turn, current }, { ...freshTurn, retrying: false })
    }
    case 'step-opened': {
      const { step: id, model } = event
      const step: StepState = { id, model, retriesUsed: 0, compacted: false, fellBack: false, reply: null }
      return running(withTurn({ ...state, compactedBelow: null }, { step, finishing: false }), { backfilled: false })
    }
    case 'step-retried': {
      const { retriesUsed, compacted } = event
      return withStep(state, { retriesUsed, compacted, reply: null })
    }
    case 'step-ended': {
      const calls = state.history.findLast((entry) => entry.id === state.current?.step?.reply)
      const steered = promotable(state.inbox, 'steer').length > 0
      const last = event.outcome === 'completed' && calls?.kind === 'assistant' && calls.toolCalls.length === 0
      return running(withTurn(state, { step: null, finishing: last && !steered }), { compactedFor: null, routed: null })
    }
    case 'turn-ended': {
      const { turn, outcome, code } = event
      const { checkpoints } = state
      // An interval's checkpoint is made inside the turn it ends, and covers it.
      const isUncovered = outcome === 'completed' && checkpoints.covers < state.history.length
      return running(
        {
          ...state,
          current: null,
          toolDepth: 0,
          lastTurn: { turn, outcome, code },
          checkpoints: { ...checkpoints, turnsSince: checkpoints.turnsSince + (isUncovered ? 1 : 0) }
        },
        freshTurn
      )
    }
    case 'reply-opened':
      return withStep({ ...state, history: [...state.history, event.entry] }, { reply: event.entry.id })
    case 'reply-updated':
      return withReply(state, event.entry, { text: event.text, reasoning: event.reasoning })
    case 'reply-settled': {
      const { entry, status, text, reasoning, toolCalls } = event
      return stale(withReply(state, entry, { status, text, reasoning, toolCalls }))
    }
    case 'tool-started':
      return { ...state, toolDepth: state.toolDepth + 1 }
    case 'tool-ended':
    case 'note-added':
      return stale({ ...state, history: [...state.history, event.entry] })
    case 'anchored': {
      const deep = event.entry.kind === 'compaction' && isDeep(state)
      const anchored = {
        ...state,
        history: [...state.history, event.entry],
        compactedBelow: deep ? event.tokens : state.compactedBelow
      }
      if (event.entry.kind === 'handoff') return stale(anchored)
      const summary = event.entry.notes.find((candidate) => candidate.sub === 'summary')?.text ?? ''
      return running(stale(anchored), { unsavedSummary: summary, driftDue: 'compaction' })
    }
    case 'model-switched':
      return switchModel(state, event)
    case 'plan-mode-changed':
      return stale({ ...state, planMode: event.on })
    case 'deep-override-changed':
      return { ...state, deepOverride: event.on }
    case 'checkpoint-created': {
      const { hash, index, turn } = event
      const checkpoints = {
        count: state.checkpoints.count + 1,
        last: { hash, index, turn },
        covers: state.history.length,
        turnsSince: 0
      }
      return { ...state, checkpoints }
    }
    case 'usage-counted':
      return { ...state, usage: addUsage(state.usage, event) }
    default:
      return unreachable(event)
  }
}

/** A fallback serves the turn and leaves the routing state alone (MODEL-061); everything else moves it. */
function switchModel(state: SessionState, event: Extract<DurableEvent, { kind: 'model-switched' }>): SessionState {
  if (event.reason === 'fallback') {
    const turned = withTurn(state, { fallback: event.to })
    const step = withStep(turned, { model: event.to, retriesUsed: 0, fellBack: true, reply: null })
    return running(stale(step), { fallingBackTo: null, compactedFor: null })
  }
  const switched = { ...state, model: event.to, compactedBelow: null }
  return running(stale(switched), { driftDue: 'switch', rerouting: null, compactedFor: null })
}

/** Transient events the state has a use for: where it is, and how large its context is. */
function note(state: SessionState, event: TransientEvent): SessionState {
  if (event.kind === 'phase-changed') return running(state, { phase: event.to })
  if (event.kind === 'context-measured') return running(state, { measured: event.tokens })
  return state
}

/** Facts touch nothing but `run`. */
function heed(state: SessionState, fact: Fact): SessionState {
  const { run } = state
  const set = (change: Partial<Run>) => running(state, change)
  switch (fact.fact) {
    case 'made-ready':
      return set({ ready: true })
    case 'interrupt-asked':
      return state.current === null ? state : set({ interrupted: true })
    case 'leave-asked':
      return set({ leaving: { signal: fact.signal } })
    case 'farewell-done':
      return set({ farewell: fact.isStored ? 'stored' : 'failed' })
    case 'errand-asked':
      return set({ errands: [...run.errands, fact.errand] })
    case 'errand-done':
      return set({ errands: run.errands.slice(1) })
    case 'retry-asked':
      return set({ retrying: true })
    case 'reroute-asked':
      return set({ rerouting: { deescalate: fact.deescalate }, measured: null, routed: null })
    case 'reroute-done':
      return set({ rerouting: null, routed: null })
    case 'preface-added':
      return set({ preface: [...run.preface, fact.text] })
    case 'preface-used':
      return set({ preface: [] })
    case 'verdicts-drained':
      return set({ verdictsDrained: true })
    case 'routed':
      return set({ routed: fact.decision, gateFloor: fact.floor })
    case 'unsent-found':
      return set({ unsentFrom: fact.session })
    case 'compaction-tried':
      return set({ compactedFor: fact.model })
    case 'copy-compacted':
      return set({ copy: { covers: fact.covers, entries: fact.entries }, measured: null })
    case 'overflowed':
      return set({ overflow: true })
    case 'overflow-over':
      return set({ overflow: false })
    case 'retry-planned':
      return set({ waitMs: fact.delayMs })
    case 'wait-over':
      return set({ waitMs: null })
    case 'fallback-planned':
      return set({ fallingBackTo: fact.to })
    case 'turn-failing':
      return set({ ending: run.ending ?? fact.ending })
    case 'summary-saved':
      return set({ unsavedSummary: null })
    case 'checkpoint-checked':
      return set({ checked: { ...run.checked, checkpoint: fact.turn } })
    case 'drift-checked':
      return set({
        checked: { ...run.checked, drift: fact.turn },
        driftDue: null,
        backfilled: run.backfilled || fact.backfilled
      })
    case 'room-wanted':
      return set({ roomWanted: true })
    case 'room-tried':
      return set({ roomWanted: false, driftDue: 'compaction' })
    case 'context-stale':
      return set({ measured: null })
    case 'composition-warned':
      return set({ warned: fact.warnings })
    default:
      return unreachable(fact)
  }
}

const running = (state: SessionState, change: Partial<Run>): SessionState => ({
  ...state,
  run: { ...state.run, ...change }
})

/** The context changed: what was counted no longer holds. */
const stale = (state: SessionState) => running(state, { measured: null })

function withTurn(state: SessionState, change: Partial<Turn>): SessionState {
  return state.current === null ? state : { ...state, current: { ...state.current, ...change } }
}

function withStep(state: SessionState, change: Partial<StepState>): SessionState {
  const step = state.current?.step
  return step ? withTurn(state, { step: { ...step, ...change } }) : state
}

function withReply(state: SessionState, id: string, change: Partial<AssistantEntry>): SessionState {
  const index = state.history.findLastIndex((entry) => entry.id === id)
  const entry: HistoryEntry | undefined = state.history[index]
  if (entry?.kind !== 'assistant') return state
  return { ...state, history: state.history.with(index, { ...entry, ...change }) }
}

function isDeep({ rules: { routing }, model }: SessionState): boolean {
  return hasDeepTier(routing) && model === routing.deepModel
}

function addUsage(
  totals: readonly UsageTotal[],
  { model, purpose, usage }: Extract<DurableEvent, { kind: 'usage-counted' }>
): readonly UsageTotal[] {
  const index = totals.findIndex((total) => total.model === model && total.purpose === purpose)
  const old = totals[index] ?? { prompt: 0, completion: 0, total: 0 }
  const sum: UsageTotal = {
    model,
    purpose,
    prompt: old.prompt + usage.prompt,
    completion: old.completion + usage.completion,
    total: old.total + usage.total
  }
  return index === -1 ? [...totals, sum] : totals.with(index, sum)
}
