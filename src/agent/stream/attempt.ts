import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import type { Clock } from '../../lib/clock.ts'
import { redact } from '../../lib/redact.ts'
import { type ModelDelta, type ModelFailure, type ModelOutcome, modelFailure } from '../../protocol/model.ts'
import { type Body, exchange, type HttpRequest, type HttpResponse, readText } from './exchange.ts'
import { authFailure, classify, showable, transportFailure } from './failure.ts'
import { sizeLimits, type TimeLimits } from './limits.ts'
import { type Answer, readStream, readWhole } from './read.ts'
import { watchdog } from './watchdog.ts'

/** One encoded request on its way to one endpoint. */
export type Call = HttpRequest & {
  /** The body holds `stream_options`. */
  readonly asksForUsage: boolean
  /** Keys that must not appear in anything said about this call. */
  readonly secrets: readonly string[]
}

export type Wire = {
  readonly dispatcher: Dispatcher
  readonly clock: Clock
  readonly limits: TimeLimits
  log(line: string): void
}

/** `refused-usage`: the endpoint does not know the field `stream_options` (MODEL-021). */
export type AttemptOutcome = ModelOutcome | { readonly kind: 'refused-usage' }

/**
 * Sends one request and reads its answer. Whatever the network and the endpoint do becomes a value; only a bug throws. The body is
 * let go on every way out, which also ends the connection of an answer that was not read to its end.
 */
export async function attempt(
  call: Call,
  wire: Wire,
  signal: AbortSignal,
  onDelta: (delta: ModelDelta) => void
): Promise<AttemptOutcome> {
  if (signal.aborted) return interrupted()
  const dog = watchdog(wire.clock, wire.limits)
  const either = AbortSignal.any([signal, dog.signal])
  let body: Body | null = null
  try {
    const response = await exchange(call, wire.dispatcher, either)
    if ('thrown' in response) {
      if (signal.aborted) return interrupted()
      if (dog.expired !== null) return failed(modelFailure(dog.expired, { retryable: true }))
      return failed(transportFailure(response.thrown, null, call.secrets))
    }
    body = response.body
    return await settle(response, { call, wire, dog, signal, onDelta })
  } finally {
    dog.stop()
    body?.discard()
  }
}

type Reading = Pick<Answer, 'dog' | 'signal' | 'onDelta'> & { readonly call: Call; readonly wire: Wire }

async function settle({ status, headers, body }: HttpResponse, reading: Reading): Promise<AttemptOutcome> {
  const { call, wire, dog, signal, onDelta } = reading
  const requestId = requestIdOf(headers, call.secrets)
  if (status === 401 || status === 403) return failed(authFailure(status, requestId))
  if (status >= 300 && status < 400) {
    const message = `the endpoint redirects (HTTP ${status}); redirects are not followed`
    return failed(modelFailure(message, { statusCode: status, requestId }))
  }
  const encoding = first(headers['content-encoding'])?.trim() ?? ''
  const isEncoded = encoding !== '' && encoding.toLowerCase() !== 'identity'
  if (status >= 400) {
    // Compressed bytes say nothing to anybody.
    const text = isEncoded ? '' : (await readText(body, sizeLimits.errorBody)).text
    if (signal.aborted) return interrupted()
    if (isRefusal(status) && call.asksForUsage && text.includes('stream_options')) return { kind: 'refused-usage' }
    const retryAfterSeconds = retryAfter(first(headers['retry-after']), wire.clock.now())
    return failed(classify({ status, body: text, requestId, retryAfterSeconds }, call.secrets))
  }

  if (isEncoded) {
    const message = `the endpoint answers in content-encoding ${showable(encoding, call.secrets)}, which was not asked for; turn compression off`
    return failed(modelFailure(message, { statusCode: status, requestId }))
  }
  const type = (first(headers['content-type']) ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  if (type === 'text/html') {
    const message = 'the endpoint answered with a web page instead of a completion; check its address'
    return failed(modelFailure(message, { statusCode: status, requestId }))
  }
  const answer: Answer = { body, requestId, secrets: call.secrets, dog, signal, onDelta, log: wire.log }
  return type === 'application/json' ? readWhole(answer) : readStream(answer)
}

/** Statuses by which an endpoint refuses a request's form. */
export const isRefusal = (status: number | null) => status === 400 || status === 422

const interrupted = (): ModelOutcome => failed(modelFailure('interrupted', { code: 'interrupted' }))
const failed = (reason: ModelFailure): ModelOutcome => ({ kind: 'failure', failure: reason })

/** `X-Request-ID` if it looks like one (MODEL-050) and repeats no key: it is the one header that is shown (MODEL-066). */
function requestIdOf(headers: IncomingHttpHeaders, secrets: readonly string[]): string | null {
  const sent = first(headers['x-request-id']) ?? ''
  // Before it is cut, for the beginning of a long key is not for showing either.
  if (redact(sent, secrets) !== sent) return null
  const id = sent.slice(0, 64)
  return /^[A-Za-z0-9._:-]+$/.test(id) ? id : null
}

/** Seconds to wait, from a number or an HTTP date (MODEL-054); null for anything else. */
function retryAfter(value: string | undefined, now: number): number | null {
  if (value === undefined) return null
  if (/^\s*\d+\s*$/.test(value)) return Number(value)
  const at = Date.parse(value)
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1000))
}

const first = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value)
