import type { ModelConfig } from '../../config/types.ts'
import type { ModelRequest } from '../../protocol/model.ts'

/** Where a model's requests go (MODEL-020). */
export function completionsUrl(model: ModelConfig): string {
  return `${model.endpoint.replace(/\/+$/, '')}/chat/completions`
}

/** The header fields of a request; without a key there is no authorization (MODEL-020). */
export function requestHeaders(key: string | null): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    Accept: 'text/event-stream',
    ...(key !== null && { Authorization: `Bearer ${key}` })
  }
}

/** The encoded body (MODEL-021). `withUsage` asks for usage data; some servers refuse the very field. */
export function encodeRequest(model: ModelConfig, request: ModelRequest, withUsage: boolean): Buffer {
  const { tools } = request
  return Buffer.from(
    JSON.stringify({
      model: model.model ?? model.dialect ?? 'default',
      messages: request.messages,
      stream: true,
      ...(tools !== undefined && {
        tools: tools.map(({ name, description, parameters }) => ({
          type: 'function',
          function: { name, description, parameters }
        }))
      }),
      ...(withUsage && { stream_options: { include_usage: true } })
    })
  )
}
