import { exceedsWindow, needsCompaction } from '../context/index.ts'
import { pendingCompaction, promotable } from './inbox.ts'
import { maxToolDepth } from './rules.ts'
import { replyOf, type SessionState, type StepState, servingModel, type Turn, unsettledCalls } from './state.ts'
import type { PendingCall, Step } from './steps.ts'

/**
 * What now? Reads nothing but the state. The order of the lines is the order of the work: settle, compact, take input, and
 * inside a turn verdicts, steering, count, compaction, routing, call, tools, checkpoint, drift.
 */
export function nextStep(state: SessionState): Step {
  if (state.lifecycle === 'closed') return { kind: 'end' }
  if (!state.run.ready && state.run.leaving === null) return { kind: 'open' }
  const pending = unsettledCalls(state.history)
  if (state.current !== null) return inTurn(state, state.current, pending)
  // Always before compaction and any model call, so that both read a well-formed history (SESS-042).
  if (pending.length > 0) return { kind: 'settle-calls', calls: pending, why: 'stale' }
  return whenIdle(state)
}

function whenIdle(state: SessionState): Step {
  const { run } = state
  if (run.leaving !== null) return farewell(state)
  const upkeep = afterCompaction(state)
  if (upkeep !== null) return upkeep
  if (run.rerouting !== null) return rerouting(state)
  const errand = run.errands[0]
  if (errand !== undefined) return { kind: 'run-command', errand }
  const barrier = pendingCompaction(state.inbox)
  if (barrier !== null) {
    if (run.measured === null) return { kind: 'measure' }
    const must = needsCompaction(run.measured, servingModel(state).maxContext)
    return { kind: 'compact', why: 'manual', must, row: barrier.seq }
  }
  if (run.retrying) return { kind: 'resume-turn', turn: state.turn }
  const rows = state.held ? [] : promotable(state.inbox, 'input')
  if (rows.length > 0) return { kind: 'take-input', rows, turn: state.turn + 1, startsTurn: true }
  return { kind: 'await' }
}

/** The final checkpoint needs at least one turn (SESS-140). */
function farewell(state: SessionState): Step {
  return state.turn === 0 || state.run.farewell !== 'due' ? { kind: 'close' } : { kind: 'checkpoint', why: 'shutdown' }
}

function inTurn(state: SessionState, turn: Turn, pending: readonly PendingCall[]): Step {
  const { run } = state
  if (run.interrupted || run.ending !== null) return windUp(state, turn, pending)
  if (turn.step !== null) return inStep(state, turn.step, pending)
  if (pending.length > 0) return { kind: 'settle-calls', calls: pending, why: 'stale' }
  return turn.finishing ? finish(state, turn) : beforeStep(state, turn)
}

/** Between steps: everything that precedes a request. */
function beforeStep(state: SessionState, turn: Turn): Step {
  const { run } = state
  if (!run.verdictsDrained) return { kind: 'present-verdicts' }
  const steering = promotable(state.inbox, 'steer')
  if (steering.length > 0) return { kind: 'take-input', rows: steering, turn: turn.turn, startsTurn: false }
  const upkeep = afterCompaction(state)
  if (upkeep !== null) return upkeep
  const fit = makeFit(state)
  if (fit !== null) return fit
  if (turn.fallback !== null) return { kind: 'open-step', model: turn.fallback }
  if (run.routed === null) return { kind: 'route' }
  const { action, needCompaction, targetModel, reason } = run.routed
  if ((action === 'escalate' || action === 'de_escalate') && targetModel !== state.model) {
    if (needCompaction && run.compactedFor !== state.model)
      return { kind: 'compact', why: 'hand-off', must: false, row: null }
    return { kind: 'hand-off', to: targetModel, reason }
  }
  return { kind: 'open-step', model: state.model }
}

/** Inside one logical step: attempts until a reply stands, then its tools in order. */
function inStep(state: SessionState, step: StepState, pending: readonly PendingCall[]): Step {
  const { run } = state
  if (replyOf(state)?.status === 'done') {
    const next = pending[0]
    if (next === undefined) return { kind: 'end-step', step: step.id, outcome: 'completed' }
    if (state.toolDepth >= maxToolDepth) return { kind: 'settle-calls', calls: pending, why: 'too-deep' }
    return { kind: 'run-tool', ...next }
  }
  if (run.overflow) return { kind: 'compact', why: 'reactive', must: true, row: null }
  const upkeep = afterCompaction(state)
  if (upkeep !== null) return upkeep
  if (run.waitMs !== null) return { kind: 'wait', delayMs: run.waitMs }
  if (run.fallingBackTo !== null) return { kind: 'fall-back', from: step.model, to: run.fallingBackTo }
  return makeFit(state) ?? { kind: 'call-model', step: step.id, model: step.model }
}

/** Counts when the context changed, compacts above 90 %, refuses above 95 % (CTX-011, CTX-012). Null when the request may go. */
function makeFit(state: SessionState): Step | null {
  const { measured, compactedFor } = state.run
  const { name, maxContext } = servingModel(state)
  if (measured === null) return { kind: 'measure' }
  if (needsCompaction(measured, maxContext) && compactedFor !== name)
    return { kind: 'compact', why: 'proactive', must: exceedsWindow(measured, maxContext), row: null }
  return exceedsWindow(measured, maxContext) ? { kind: 'give-up', why: 'context-too-long' } : null
}

/**
 * A compaction is followed by its checkpoint and a drift measurement before anything else reads the context (SESS-080); one that
 * backfill needs comes between two measurements (CTX-048).
 */
function afterCompaction(state: SessionState): Step | null {
  const { unsavedSummary, driftDue, roomWanted } = state.run
  if (unsavedSummary !== null) return { kind: 'checkpoint', why: 'compaction' }
  if (roomWanted) return { kind: 'compact', why: 'backfill', must: false, row: null }
  if (driftDue !== null && state.rules.measuresDrift)
    return state.run.measured === null ? { kind: 'measure' } : { kind: 'measure-drift', reason: driftDue }
  return null
}

/** The end of a completed turn (SESS-067…070). */
function finish(state: SessionState, turn: Turn): Step {
  const { checkpointIntervalTurns, driftCheckIntervalTurns, measuresDrift } = state.rules
  const { checked, unsavedSummary, measured } = state.run
  if (unsavedSummary !== null) return { kind: 'checkpoint', why: 'compaction' }
  if (isDue(turn.turn, checked.checkpoint, checkpointIntervalTurns)) return { kind: 'checkpoint', why: 'interval' }
  if (measured === null) return { kind: 'measure' }
  if (measuresDrift && isDue(turn.turn, checked.drift, driftCheckIntervalTurns))
    return { kind: 'measure-drift', reason: 'interval' }
  return { kind: 'end-turn', ending: null }
}

/** A multiple of `interval` was reached since `checked`; a turn that failed leaves it to the next one (CTX-074). */
function isDue(turn: number, checked: number, interval: number): boolean {
  return Math.floor(turn / interval) > Math.floor(checked / interval)
}

/** The turn is over early: every call answered, the step and the turn closed (SESS-091, SESS-094). */
function windUp(state: SessionState, turn: Turn, pending: readonly PendingCall[]): Step {
  if (pending.length > 0) return { kind: 'settle-calls', calls: pending, why: 'interrupted' }
  const ending = state.run.ending ?? ({ outcome: 'interrupted', code: 'interrupted' } as const)
  if (turn.step !== null) return { kind: 'end-step', step: turn.step.id, outcome: ending.outcome }
  return { kind: 'end-turn', ending }
}

/** `/deep` and `/fast` evaluate the table at once, without a model call (SESS-004). */
function rerouting(state: SessionState): Step {
  const { measured, routed } = state.run
  if (measured === null) return { kind: 'measure' }
  if (routed === null) return { kind: 'route' }
  return { kind: 'hand-off', to: routed.targetModel, reason: routed.reason }
}
