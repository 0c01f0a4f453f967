import { Agent } from 'undici'
import type { ModelConfig } from '../../config/types.ts'
import { assert } from '../../lib/assert.ts'
import type { Clock } from '../../lib/clock.ts'
import { type ModelOutcome, type ModelPort, modelFailure } from '../../protocol/model.ts'
import { type AttemptOutcome, attempt, isRefusal } from './attempt.ts'
import { type TimeLimits, timeLimits } from './limits.ts'
import { completionsUrl, encodeRequest, requestHeaders } from './request.ts'

export type ModelClientOptions = {
  readonly models: Readonly<Record<string, ModelConfig>>
  /** The API key for a model, or null; asked for every request, of the model that is called (MODEL-065). */
  keyFor(model: ModelConfig): string | null
  readonly clock: Clock
  /** One line for the log file; holds no key. */
  log(line: string): void
  readonly limits?: TimeLimits
}

/** A model port with connections to give back. */
export type ModelClient = ModelPort & {
  /** Ends every connection; requests under way end as if the network had failed. */
  close(): Promise<void>
}

/**
 * Talks to the configured chat-completion endpoints, one attempt per request: retries, fallback and
 * waiting are the session's. The one exception is a request repeated at once because the endpoint refused `stream_options`, which
 * is remembered for that endpoint (MODEL-021). Redirects are not followed, so a key reaches only the address it is meant for.
 */
export function createModelClient(options: ModelClientOptions): ModelClient {
  const { models, keyFor, clock, log, limits = timeLimits } = options
  // The watchdog of an attempt replaces undici's own limits, which know nothing of events.
  const dispatcher = new Agent({ connect: { timeout: limits.connectMs }, headersTimeout: 0, bodyTimeout: 0 })
  const wire = { dispatcher, clock, limits, log }
  const refusesUsage = new Set<string>()

  return {
    async request(request, signal, onDelta) {
      const model = Object.hasOwn(models, request.model) ? models[request.model] : undefined
      assert(model !== undefined, `model ${request.model} is not configured`)
      const key = keyFor(model)
      const url = completionsUrl(model)

      const send = async (withUsage: boolean): Promise<AttemptOutcome> => {
        const body = encodeRequest(model, request, withUsage)
        if (model.maxRequestBytes > 0 && body.length > model.maxRequestBytes) return tooLarge(body.length, model)
        const secrets = key === null ? [] : [key]
        return attempt(
          { url, headers: requestHeaders(key), body, asksForUsage: withUsage, secrets },
          wire,
          signal,
          onDelta
        )
      }

      const outcome = await send(!refusesUsage.has(url))
      if (outcome.kind !== 'refused-usage') return outcome
      const again = await send(false)
      assert(again.kind !== 'refused-usage', 'usage was not asked for')
      // Refused without the field as well: then the field was only mentioned.
      const wasTheField = again.kind === 'reply' || !isRefusal(again.failure.statusCode)
      if (wasTheField) {
        refusesUsage.add(url)
        log(`model ${model.name}: the endpoint refuses stream_options; usage will be estimated`)
      }
      return again
    },
    close: () => dispatcher.destroy()
  }
}

/** MODEL-027: nothing is sent that is known to be too large. */
function tooLarge(size: number, model: ModelConfig): ModelOutcome {
  const message = `request body of ${size} bytes exceeds max_request_bytes ${model.maxRequestBytes}`
  return { kind: 'failure', failure: modelFailure(message, { contextTooLong: true }) }
}
