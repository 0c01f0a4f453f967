import { isRecord, parseJson } from '../../lib/json.ts'
import { type ModelDelta, type ModelOutcome, modelFailure } from '../../protocol/model.ts'
import { type Accumulator, newAccumulator } from './accumulate.ts'
import { type Body, type Piece, readText } from './exchange.ts'
import { classify, namedStatus, transportFailure } from './failure.ts'
import { sizeLimits } from './limits.ts'
import { sseDecoder } from './sse.ts'
import type { Watchdog } from './watchdog.ts'

/** A successful answer about to be read. */
export type Answer = {
  readonly body: Body
  readonly requestId: string | null
  readonly secrets: readonly string[]
  readonly dog: Watchdog
  /** The caller's wish to stop. */
  readonly signal: AbortSignal
  onDelta(delta: ModelDelta): void
  log(line: string): void
}

/**
 * Reads a stream of chunks. It is complete with `[DONE]`, or with the end after a `finish_reason`; whatever else ends it after some
 * output leaves a partial reply, and before any output a failure worth a retry (MODEL-040).
 */
export async function readStream(answer: Answer): Promise<ModelOutcome> {
  const reply = newAccumulator()
  const decoder = sseDecoder()
  for (;;) {
    const piece = await answer.body.next()
    const events = piece.kind === 'bytes' ? decoder.feed(piece.bytes) : decoder.end()
    for (const data of events) {
      if (data.trim() === '[DONE]') return completed(reply, answer)
      answer.dog.feed()
      const ended = takeEvent(data, reply, answer)
      if (ended !== null) return ended
    }
    if (decoder.overflowed) return fail(answer, 'stream line exceeds cap')
    if (piece.kind !== 'bytes') return brokenOff(piece, reply, answer)
  }
}

/** Reads an answer that came in one piece, as some servers send it whatever was asked (MODEL-028). */
export async function readWhole(answer: Answer): Promise<ModelOutcome> {
  const reply = newAccumulator()
  const body = await readText(answer.body, sizeLimits.json)
  if (body.how === 'too-large') return fail(answer, 'stream content exceeds cap')
  if (body.how === 'broken') return brokenOff({ kind: 'broken', cause: body.cause }, reply, answer)
  const ended = takeEvent(body.text, reply, answer)
  if (ended !== null) return ended
  return reply.hasChoice ? completed(reply, answer) : brokenOff({ kind: 'end' }, reply, answer)
}

/** Takes one event's data in; an outcome when it ends the response. */
function takeEvent(data: string, reply: Accumulator, answer: Answer): ModelOutcome | null {
  const chunk = parseJson(data)
  if (!isRecord(chunk)) {
    answer.log(`skipped ${data.length} characters of a model's response that are no JSON object`)
    return null
  }
  if (isRecord(chunk.error) || (typeof chunk.error === 'string' && chunk.error !== '')) {
    return errorReported(data, reply, answer)
  }
  for (const delta of reply.add(chunk)) answer.onDelta(delta)
  return reply.exceeded === null ? null : fail(answer, reply.exceeded)
}

/** An error in place of a chunk is classified like an error answer (MODEL-033), unless there is output to keep. */
function errorReported(data: string, reply: Accumulator, answer: Answer): ModelOutcome {
  const { requestId, secrets } = answer
  const reason = classify({ status: namedStatus(data), body: data, requestId, retryAfterSeconds: null }, secrets)
  if (!reply.hasOutput) return { kind: 'failure', failure: reason }
  answer.log(`the model's response ended with an error: ${reason.message}`)
  return partial(reply, answer)
}

function brokenOff(piece: Exclude<Piece, { kind: 'bytes' }>, reply: Accumulator, answer: Answer): ModelOutcome {
  if (reply.finishReason !== null) return completed(reply, answer)
  if (reply.hasOutput) return partial(reply, answer)
  if (answer.signal.aborted) return fail(answer, 'interrupted', { code: 'interrupted' })
  if (answer.dog.expired !== null) return fail(answer, answer.dog.expired, { retryable: true })
  if (piece.kind === 'end') return fail(answer, 'the response ended before it brought anything', { retryable: true })
  return { kind: 'failure', failure: transportFailure(piece.cause, answer.requestId, answer.secrets) }
}

function completed(reply: Accumulator, { requestId }: Answer): ModelOutcome {
  return { kind: 'reply', reply: { ...reply.result(), partial: false, requestId } }
}

/** Half a call is no call: a partial reply has none (MODEL-042). */
function partial(reply: Accumulator, { requestId }: Answer): ModelOutcome {
  const { malformedToolCalls: _, ...result } = reply.result()
  return { kind: 'reply', reply: { ...result, toolCalls: [], partial: true, requestId } }
}

function fail({ requestId }: Answer, message: string, over: Parameters<typeof modelFailure>[1] = {}): ModelOutcome {
  return { kind: 'failure', failure: modelFailure(message, { requestId, ...over }) }
}
