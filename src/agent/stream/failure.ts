import { systemCodeOf } from '../../lib/error.ts'
import { isRecord, parseJson, stringOf } from '../../lib/json.ts'
import { redact } from '../../lib/redact.ts'
import { safeText } from '../../lib/safe-text.ts'
import { type ModelFailure, modelFailure } from '../../protocol/model.ts'

// How an attempt failed, as fields (MODEL-050). Message text is for people: redacted, cleaned, cut (MODEL-052).

const maxMessage = 2048

/** What is known of an answer that is an error: a status, and for in-stream errors often not even that (MODEL-033). */
export type ErrorAnswer = {
  readonly status: number | null
  readonly body: string
  readonly requestId: string | null
  readonly retryAfterSeconds: number | null
}

/** An answer of the endpoint that says no. A missing status counts as trouble of the server. `secrets` are the keys sent with it. */
export function classify(answer: ErrorAnswer, secrets: readonly string[]): ModelFailure {
  const { status, requestId } = answer
  if (status === 401 || status === 403) return authFailure(status, requestId)

  const error = readError(answer.body)
  const bare = status === null ? 'the endpoint reported an error' : `HTTP ${status}`
  const page = pageTitle(answer.body)
  const message =
    page === null
      ? showable(error.message, secrets) || bare
      : showable(`${bare}, with a web page instead of an answer${page === '' ? '' : `: ${page}`}`, secrets)
  const base = modelFailure(message, { statusCode: status, requestId })
  if (status === 413) {
    const hint = 'request body too large for the gateway; lower max_context or set max_request_bytes'
    return { ...base, message: `${hint}: ${message}`, contextTooLong: true }
  }
  if (status === 429) {
    return { ...base, code: 'rate-limited', retryable: true, retryAfterSeconds: answer.retryAfterSeconds }
  }
  if ((status === null || status === 400 || status === 422 || status === 500) && error.isContextLength) {
    return { ...base, contextTooLong: true }
  }
  return { ...base, retryable: status === null || status === 408 || status === 425 || status >= 500 }
}

/** The body of a 401 or 403 is not looked at: it may echo the key. */
export function authFailure(statusCode: number, requestId: string | null): ModelFailure {
  const message = requestId === null ? 'authentication failed' : `authentication failed (request-id=${requestId})`
  return modelFailure(message, { code: 'auth-failed', statusCode, requestId })
}

/** No answer at all, or one that broke off before it brought anything. Retryable unless the request itself was impossible. */
export function transportFailure(thrown: unknown, requestId: string | null, secrets: readonly string[]): ModelFailure {
  const code = systemCodeOf(thrown)
  const isImpossible = code === 'UND_ERR_INVALID_ARG' || code === 'ERR_INVALID_URL'
  const message = showable(systemMessage(thrown), secrets) || 'connection failed'
  return modelFailure(message, { retryable: !isImpossible, requestId })
}

/** Redacted on both sides of the cleaning, which can join what an escape sequence had parted. */
export function showable(text: string, secrets: readonly string[]): string {
  const clean = redact(safeText(redact(text, secrets)), secrets).trim()
  return clean.length <= maxMessage ? clean : clean.slice(0, maxMessage).toWellFormed()
}

/** MODEL-051, in lower case. */
const contextLengthSigns = [
  'context_length_exceeded',
  'maximum context length',
  'context length',
  'exceeds the available context size',
  'prompt is too long',
  'longer than the maximum',
  'input is too long'
]

/** What an error body says, in any of the shapes in use; `message` falls back to the whole body. */
function readError(body: string): { readonly message: string; readonly isContextLength: boolean } {
  const json = parseJson(body)
  if (!isRecord(json)) return { message: body, isContextLength: hasContextLengthSign(body) }
  const error = isRecord(json.error) ? json.error : {}
  const own = stringOf(json.error) || stringOf(error.message)
  const places = [stringOf(error.code), stringOf(error.type), own, stringOf(json.message)]
  return { message: own || body, isContextLength: places.some(hasContextLengthSign) }
}

/** The title of an HTML page, '' when it has none, or null for any other body. A gateway's page says nothing more of use. */
function pageTitle(body: string): string | null {
  if (!/^\s*<(!doctype html|html|head|body)\b/i.test(body)) return null
  return /<title>([^<]{1,200})/i.exec(body)?.[1]?.replace(/\s+/g, ' ').trim() ?? ''
}

function hasContextLengthSign(text: string): boolean {
  const lower = text.toLowerCase()
  return contextLengthSigns.some((sign) => lower.includes(sign))
}

/** The status an in-stream error names in `code` or `status`, or null. */
export function namedStatus(body: string): number | null {
  const json = parseJson(body)
  if (!isRecord(json)) return null
  const error = isRecord(json.error) ? json.error : {}
  for (const value of [error.code, error.status, error.status_code, json.code, json.status]) {
    const status = Number(value)
    if (Number.isInteger(status) && status >= 400 && status <= 599) return status
  }
  return null
}

/** Connecting tries several addresses; the message of all of them together is empty. */
function systemMessage(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.message === '' && thrown.errors.length > 0) {
    return systemMessage(thrown.errors[0])
  }
  return thrown instanceof Error ? thrown.message : String(thrown)
}
