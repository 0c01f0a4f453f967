import type { TurnOutcome } from '../../protocol/event.ts'
import { routingDetail } from '../dialects/index.ts'
import { type Item, notice } from './facts.ts'
import { isPending } from './inbox.ts'
import { tooDeepText } from './rules.ts'
import { settleCall } from './settle-call.ts'
import { contextMeasured, settleCompaction, tooLong } from './settle-compaction.ts'
import { type SessionState, servingModel } from './state.ts'
import type { CheckpointResult, Outcome, Results, StepOf } from './steps.ts'

/** What an outcome means: pure, in the order in which it is recorded and told. */
export function settle(state: SessionState, outcome: Outcome): readonly Item[] {
  switch (outcome.kind) {
    case 'open':
      return [...outcome.result.items, { fact: 'made-ready' }]
    case 'run-command':
      return [{ fact: 'errand-done' }, ...outcome.result.items]
    case 'take-input':
      return takeInput(state, outcome.step, outcome.result)
    case 'resume-turn':
      return [...release(state), { kind: 'turn-started', turn: outcome.step.turn }]
    case 'present-verdicts':
      return [{ fact: 'verdicts-drained' }]
    case 'measure':
      return measured(state, outcome.result)
    case 'route':
      return routed(state, outcome.result)
    case 'compact':
      return settleCompaction(state, outcome.step, outcome.result)
    case 'hand-off':
      return handedOff(state, outcome.step, outcome.result)
    case 'open-step':
      return [{ kind: 'step-opened', step: outcome.result.id, turn: state.turn, model: outcome.step.model }]
    case 'call-model':
      return settleCall(state, outcome.result)
    case 'wait':
      return [{ fact: 'wait-over' }]
    case 'fall-back': {
      const { from, to } = outcome.step
      return [
        notice('warning', `${from} unreachable, falling back to ${to}`),
        { kind: 'model-switched', from, to, reason: 'fallback', checkpoint: null }
      ]
    }
    case 'run-tool':
      return [...outcome.result.items, { kind: 'tool-ended', entry: outcome.result.entry }]
    case 'settle-calls':
      return settleCalls(outcome.step, outcome.result)
    case 'end-step':
      return [{ kind: 'step-ended', step: outcome.step.step, outcome: outcome.step.outcome }]
    case 'give-up':
      return giveUp(state)
    case 'checkpoint':
      return checkpointed(state, outcome.step, outcome.result)
    case 'measure-drift':
      return drifted(state, outcome.result)
    case 'end-turn': {
      const { ending } = outcome.step
      return endTurn(state, ending?.outcome ?? 'completed', ending?.code ?? null)
    }
    case 'close':
      return [{ kind: 'session-closed' }]
    case 'await':
    case 'end':
      return []
  }
}

/**
 * The batch that starts a turn counts it; rows that steer a running one do not (SESS-036, SESS-071). A row that was taken
 * back in the meantime stays out.
 */
function takeInput(state: SessionState, step: StepOf<'take-input'>, result: Results['take-input']): readonly Item[] {
  const taken = step.rows.map((row, index) => ({ seq: row.seq, entry: result.entries[index] }))
  const still = taken.filter(({ seq }) => isPending(state.inbox, seq))
  if (still.length === 0) return []
  const entries = still.flatMap(({ entry }) => entry ?? [])
  const promoted: Item = { kind: 'input-promoted', seqs: still.map(({ seq }) => seq), entries }
  return step.startsTurn ? [...release(state), { kind: 'turn-started', turn: step.turn }, promoted] : [promoted]
}

const release = (state: SessionState): readonly Item[] => (state.held ? [{ kind: 'hold-changed', held: false }] : [])

/** A turn that did not complete holds the queue (SESS-092). */
function endTurn(state: SessionState, outcome: TurnOutcome, code: string | null): readonly Item[] {
  const hold: readonly Item[] = outcome === 'completed' || state.held ? [] : [{ kind: 'hold-changed', held: true }]
  return [...hold, { kind: 'turn-ended', turn: state.turn, outcome, code }]
}

function measured(state: SessionState, { tokens, limit, warnings }: Results['measure']): readonly Item[] {
  const text = warnings.join('\n')
  const isNew = text !== state.run.warned
  return [
    ...(isNew ? warnings.map((warning) => notice('warning', warning)) : []),
    ...(isNew ? [{ fact: 'composition-warned', warnings: text } as const] : []),
    contextMeasured(state, tokens, limit)
  ]
}

/** An answer that must not dispatch ends the turn, the user message stays (SESS-073). Outside a turn nothing is waiting to be sent. */
function routed(state: SessionState, { decision, floor }: Results['route']): readonly Item[] {
  const isSwitch = decision.action === 'escalate' || decision.action === 'de_escalate'
  const told = gateRouted(state, decision, floor)
  if (state.current === null)
    return [...told, isSwitch ? { fact: 'routed', decision, floor } : { fact: 'reroute-done' }]
  if (isSwitch || decision.action === 'none') return [...told, { fact: 'routed', decision, floor }]
  // Whatever the router may learn to say later, an action nobody knows here never means "go on".
  const detail = routingDetail(decision) ?? `routing: unknown action ${decision.action}`
  const line = `[attestation-pending] reason=${decision.reason} action=${decision.action} detail=${detail}`
  return [
    ...told,
    { kind: 'command-output', command: 'routing', lines: [line] },
    { fact: 'turn-failing', ending: { outcome: 'failed', code: decision.reason } }
  ]
}

function gateRouted(state: SessionState, { reason }: Results['route']['decision'], floor: number): readonly Item[] {
  if (reason !== 'gate-floor' && reason !== 'gate-unsatisfiable' && reason !== 'gate-locked-conflict') return []
  return [{ kind: 'gate-routed', outcome: reason, requiredRank: floor, model: state.model }]
}

function giveUp(state: SessionState): readonly Item[] {
  const { maxContext } = servingModel(state)
  const tokens = state.run.measured ?? 0
  return tooLong(state, `context too long: ${tokens} of ${maxContext} tokens`)
}

/** SESS-083. */
function handedOff(state: SessionState, step: StepOf<'hand-off'>, result: Results['hand-off']): readonly Item[] {
  const from = state.model
  const { to, reason } = step
  const checkpoint = result.checkpoint?.stored?.receipt.index ?? null
  const isBack = to === state.rules.routing.defaultModel
  const line = `switched to ${to}${checkpoint === null ? '' : `, loaded from checkpoint ${checkpoint}`}`
  return [
    ...(result.checkpoint === null ? [] : stored(result.checkpoint)),
    { kind: 'anchored', entry: result.entry, tokens: result.tokens },
    { kind: 'model-switched', from, to, reason, checkpoint },
    notice('switch', isBack ? `${line} [${from}→${to}]` : line),
    contextMeasured(state, result.tokens, state.rules.models[to]?.maxContext ?? 0)
  ]
}

function settleCalls(step: StepOf<'settle-calls'>, result: Results['settle-calls']): readonly Item[] {
  const ended: readonly Item[] = result.entries.map((entry) => ({ kind: 'tool-ended', entry }))
  if (step.why !== 'too-deep') return ended
  return [
    ...ended,
    notice('error', `${tooDeepText}, stopping`),
    { fact: 'turn-failing', ending: { outcome: 'failed', code: 'tool-depth-exceeded' } }
  ]
}

function checkpointed(state: SessionState, step: StepOf<'checkpoint'>, result: Results['checkpoint']): readonly Item[] {
  const done: Item =
    step.why === 'interval'
      ? { fact: 'checkpoint-checked', turn: state.turn }
      : step.why === 'compaction'
        ? { fact: 'summary-saved' }
        : { fact: 'farewell-done', isStored: result.stored !== null }
  return [...stored(result), done]
}

function stored(result: CheckpointResult): readonly Item[] {
  if (result.stored === null) return result.items
  const { receipt, draft } = result.stored
  return [
    { kind: 'checkpoint-created', hash: receipt.hash, index: receipt.index, turn: draft.turn, summary: draft.summary },
    ...result.items
  ]
}

function drifted(state: SessionState, result: Results['measure-drift']): readonly Item[] {
  return [
    ...result.notes.map((entry): Item => ({ kind: 'note-added', entry })),
    { fact: 'drift-checked', turn: state.turn, backfilled: result.notes.length > 0 },
    ...(result.crowded ? [{ fact: 'room-wanted' } as const] : []),
    ...result.items
  ]
}
