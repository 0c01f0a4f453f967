import { createModelClient, type ModelClient, type TimeLimits, timeLimits } from '../../src/agent/stream/index.ts'
import type { ModelConfig } from '../../src/config/types.ts'
import { systemClock } from '../../src/lib/clock.ts'
import type { ModelDelta, ModelOutcome, ModelRequest } from '../../src/protocol/model.ts'

/** A client of one model `m`, what it told while streaming, and what it wrote to the log. */
export type ClientUnderTest = ModelClient & {
  readonly log: string[]
  readonly deltas: ModelDelta[]
  ask(request?: Partial<ModelRequest>, signal?: AbortSignal): Promise<ModelOutcome>
}

export function clientFor(
  endpoint: string,
  over: {
    readonly model?: Partial<ModelConfig>
    readonly key?: string | null
    readonly limits?: Partial<TimeLimits>
  } = {}
): ClientUnderTest {
  const log: string[] = []
  const deltas: ModelDelta[] = []
  const client = createModelClient({
    models: { m: { ...plainModel, endpoint, ...over.model } },
    keyFor: () => over.key ?? null,
    clock: systemClock(),
    log: (line) => log.push(line),
    limits: { ...timeLimits, ...over.limits }
  })
  return {
    ...client,
    log,
    deltas,
    ask: (request = {}, signal = new AbortController().signal) =>
      client.request({ model: 'm', messages: [{ role: 'user', content: 'hello' }], ...request }, signal, (delta) =>
        deltas.push(delta)
      )
  }
}

const plainModel: ModelConfig = {
  name: 'm',
  endpoint: '',
  dialect: 'glm5',
  family: 'glm',
  maxContext: 1000,
  model: null,
  apiKey: null,
  stampLabel: 'm',
  maxRequestBytes: 0,
  priceInput: null,
  priceOutput: null,
  priceCached: null
}
