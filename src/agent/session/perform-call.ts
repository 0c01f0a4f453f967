import { assert } from '../../lib/assert.ts'
import type { Waiting } from '../../protocol/event.ts'
import { attempt, type ReplySink } from './call-model.ts'
import { openReply, requestEntries } from './entries.ts'
import type { SessionState } from './state.ts'
import type { CallResult, StepOf } from './steps.ts'
import type { Surroundings } from './surroundings.ts'
import { usageOf } from './usage.ts'
import { showing } from './waiting.ts'

/** Characters of a reply per token, for the count on the waiting line alone. */
const charactersPerToken = 4

/** One attempt of a step: the request in the model's dialect, its reply told as it comes (SESS-063, SESS-064). */
export async function performCall(
  step: StepOf<'call-model'>,
  state: SessionState,
  { machine, ports, voice }: Surroundings
): Promise<CallResult> {
  const { model } = step
  const signal = machine.signal()
  const { family } = voice.facts(model)
  const { messages, tools, estimated } = voice.build(model, 'session', state.planMode, requestEntries(state))
  const id = ports.ids.entry()
  const waiting: Waiting = { what: 'model', label: model, since: ports.clock.now(), count: null }
  const sink: ReplySink = {
    opened: () => {
      const entry = openReply({ id, turn: state.turn, step: step.step, model, family })
      machine.record([{ kind: 'reply-opened', entry }])
    },
    updated: (soFar) => machine.record([{ kind: 'reply-updated', entry: id, ...soFar }]),
    shown(piece) {
      machine.record([
        piece.kind === 'reclassify'
          ? { kind: 'reply-reclassified', entry: id, count: piece.count }
          : { kind: 'reply-delta', entry: id, channel: piece.kind, text: piece.text }
      ])
    },
    counted(characters) {
      const count = Math.ceil(characters / charactersPerToken)
      machine.record([{ kind: 'waiting-changed', waiting: { ...waiting, count } }])
    }
  }
  const parts = { dialect: voice.dialect(model), origin: originOf(state), signal, sink }
  const tried = await showing(waiting, machine, () => attempt(ports, { model, messages, tools }, parts))

  const { isOpen, text, reasoning, outcome, finished } = tried
  const result = { aborted: signal.aborted, opened: id, isOpen, text, reasoning, jitter: ports.random() }
  if (outcome.kind === 'failure') {
    if (outcome.failure.contextTooLong) voice.rejected(model, estimated)
    return { ...result, end: outcome }
  }
  assert(finished !== null, 'a reply was read to its end')
  const { reply } = outcome
  if (reply.usage !== null && !reply.partial) voice.observe(model, reply.usage.prompt, estimated)
  const counter = voice.counter(model)
  const completion =
    counter.text(text + reasoning) + finished.calls.reduce((sum, call) => sum + counter.text(call.arguments), 0)
  const trip = { model, ...usageOf(reply.usage, { prompt: estimated, completion }) }
  const refused = finished.refusal?.reason ?? null
  const answerTokens = reply.usage?.completion ?? completion
  return { ...result, end: { kind: 'reply', reply, calls: finished.calls, refused, trip, answerTokens } }
}

/** Where ids made up for this response count on from (MODEL-074). */
function originOf(state: SessionState) {
  const callsSoFar = state.history.reduce(
    (sum, entry) => sum + (entry.kind === 'assistant' && entry.turn === state.turn ? entry.toolCalls.length : 0),
    0
  )
  return { turn: state.turn, callsSoFar }
}
