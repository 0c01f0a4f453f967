import { assert } from '../../lib/assert.ts'
import type { ModelFailure } from '../../protocol/model.ts'
import { openReply } from './entries.ts'
import { type Item, notice } from './facts.ts'
import { alternateFor, unreachable } from './fallback.ts'
import { judge } from './retry.ts'
import { shortfall } from './shortfall.ts'
import type { SessionState, StepState } from './state.ts'
import type { CallResult } from './steps.ts'
import { usageEvents } from './usage.ts'

/** What one attempt means for its step: the row's end, then a retry, a restart, a fallback, or the end of the turn. */
export function settleCall(state: SessionState, result: CallResult): readonly Item[] {
  const step = state.current?.step
  assert(step, 'an attempt belongs to an open step')
  if (result.end.kind === 'reply') return settleReply(state, step, result)
  if (result.aborted) return closeRow(result, 'partial')
  return settleFailure(state, step, result, result.end.failure)
}

function settleReply(state: SessionState, step: StepState, result: CallResult): readonly Item[] {
  assert(result.end.kind === 'reply', 'a reply')
  const { reply, calls, refused, trip, answerTokens } = result.end
  const trips = usageEvents([trip], 'turn')
  if (reply.partial || result.aborted) {
    const closed = [...closeRow(result, 'partial'), ...trips]
    if (result.aborted) return closed
    return [
      ...closed,
      notice('warning', `stream interrupted after ${answerTokens} tokens`),
      { fact: 'turn-failing', ending: { outcome: 'partial', code: 'stream-interrupted' } }
    ]
  }
  // A refused call is told below, and is not nothing.
  const asked = calls.length + (refused === null ? 0 : 1)
  const lacks = shortfall(reply, { text: result.text, reasoning: result.reasoning, calls: asked })
  const done: readonly Item[] = [
    ...openRow(state, step, result),
    {
      kind: 'reply-settled',
      entry: result.opened,
      status: 'done',
      text: result.text,
      reasoning: result.reasoning,
      toolCalls: calls
    },
    ...trips,
    ...(lacks === null ? [] : [notice('warning', lacks)])
  ]
  if (refused === null) return done
  const told = [...done, notice('warning', `tool call refused: ${refused}`)]
  // Whole calls beside a half one still run (MODEL-073); otherwise the turn ends here (MODEL-075).
  return calls.length > 0 ? told : [...told, failing('parse-refused')]
}

function settleFailure(
  state: SessionState,
  step: StepState,
  result: CallResult,
  failure: ModelFailure
): readonly Item[] {
  const verdict = judge(failure, step, result.jitter)
  switch (verdict.kind) {
    case 'restart':
      return [
        ...closeRow(result, 'superseded'),
        { kind: 'step-retried', step: step.id, retriesUsed: step.retriesUsed, compacted: true },
        // Which limit it was, and what to set, stands in these words alone (MODEL-027, MODEL-050).
        notice('info', failure.message),
        { fact: 'overflowed' }
      ]
    case 'retry':
      return [
        ...closeRow(result, 'superseded'),
        { kind: 'step-retried', step: step.id, retriesUsed: step.retriesUsed + 1, compacted: step.compacted },
        ...(verdict.rateLimited
          ? [notice('info', `rate limited, retrying in ${Math.ceil(verdict.delayMs / 1000)}s`)]
          : []),
        { fact: 'retry-planned', delayMs: verdict.delayMs }
      ]
    case 'exhausted': {
      const other = alternateFor(state, step, state.run.gateFloor)
      if (other !== null) return [...closeRow(result, 'superseded'), { fact: 'fallback-planned', to: other }]
      const { code, text } = unreachable(state, step)
      return [...closeRow(result, 'partial'), notice('error', text, failure.message), failing(code)]
    }
    case 'fail':
      return [...closeRow(result, 'partial'), notice('error', verdict.text), failing(verdict.code)]
  }
}

const failing = (code: string): Item => ({ fact: 'turn-failing', ending: { outcome: 'failed', code } })

/** The end of a row that holds no whole answer: kept as far as it came, or out of every later context (SESS-051, SESS-090). */
function closeRow(result: CallResult, status: 'partial' | 'superseded'): readonly Item[] {
  if (!result.isOpen) return []
  const { opened: entry, text, reasoning } = result
  return [{ kind: 'reply-settled', entry, status, text, reasoning, toolCalls: [] }]
}

/** A reply without any text, such as one of tool calls alone, is committed only now (SESS-050). */
function openRow(state: SessionState, step: StepState, result: CallResult): readonly Item[] {
  if (result.isOpen) return []
  const { id, model } = step
  const family = state.rules.models[model]?.family ?? ''
  return [{ kind: 'reply-opened', entry: openReply({ id: result.opened, turn: state.turn, step: id, model, family }) }]
}
