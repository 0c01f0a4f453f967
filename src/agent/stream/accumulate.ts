import { z } from 'zod'
import { isRecord, stringOf } from '../../lib/json.ts'
import type { ModelDelta, ModelReply, Usage } from '../../protocol/model.ts'
import { sizeLimits } from './limits.ts'

// What one response has brought so far, gathered chunk by chunk (MODEL-034…037). Tool calls of an unexpected kind are kept for the
// dialect to refuse: running some of them would be guessing.

export type Accumulator = {
  /** One chunk of a stream; answers the text it brought. */
  add(chunk: Record<string, unknown>): readonly ModelDelta[]
  /** Any text, reasoning or part of a call arrived (MODEL-040). */
  readonly hasOutput: boolean
  /** A choice was there, with or without output. */
  readonly hasChoice: boolean
  /** The limit that was exceeded, as the text of the failure (MODEL-037), or null. */
  readonly exceeded: string | null
  readonly finishReason: string | null
  result(): Omit<ModelReply, 'partial' | 'requestId'>
}

/** An empty reply that grows chunk by chunk. */
export function newAccumulator(): Accumulator {
  const sizes = { content: 0, reasoning: 0, calls: 0 }
  const calls = new Map<number, GrowingCall>()
  let content = ''
  let reasoning = ''
  let malformed: unknown
  let usage: Usage | null = null
  let finishReason: string | null = null
  let hasChoice = false
  let exceeded: string | null = null

  const grow = (channel: ModelDelta['channel'], text: string): ModelDelta[] => {
    if (text === '') return []
    sizes[channel] += Buffer.byteLength(text)
    if (sizes[channel] > sizeLimits[channel]) {
      exceeded ??= `stream ${channel === 'content' ? 'content' : 'reasoning_content'} exceeds cap`
      return []
    }
    if (channel === 'content') content += text
    else reasoning += text
    return [{ channel, text }]
  }

  const addCalls = (list: unknown) => {
    if (list === undefined || list === null) return
    if (!Array.isArray(list) || !list.every(isRecord)) {
      malformed ??= list
      return
    }
    for (const [position, delta] of list.entries()) {
      const index = Number.isInteger(delta.index) ? (delta.index as number) : position
      const call = calls.get(index) ?? { id: '', name: '', arguments: '', bytes: 0 }
      // Calls without arguments take room as well.
      if (!calls.has(index)) sizes.calls += bytesOfCall
      calls.set(index, call)
      sizes.calls += growCall(call, delta)
      if (call.bytes > sizeLimits.arguments || sizes.calls > sizeLimits.content) {
        exceeded ??= 'tool call arguments exceed cap'
      }
    }
  }

  return {
    add(chunk) {
      usage = readUsage(chunk.usage) ?? usage
      const choice: unknown = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined
      if (!isRecord(choice)) return []
      hasChoice = true
      finishReason = stringOf(choice.finish_reason) || finishReason
      usage = readUsage(choice.usage) ?? usage
      const delta = isRecord(choice.delta) ? choice.delta : isRecord(choice.message) ? choice.message : {}
      const deltas = [
        ...grow('reasoning', stringOf(delta.reasoning_content) || stringOf(delta.reasoning)),
        ...grow('content', stringOf(delta.content))
      ]
      addCalls(delta.tool_calls)
      return deltas
    },
    get hasOutput() {
      return content !== '' || reasoning !== '' || calls.size > 0 || malformed !== undefined
    },
    get hasChoice() {
      return hasChoice
    },
    get exceeded() {
      return exceeded
    },
    get finishReason() {
      return finishReason
    },
    result() {
      const list = [...calls]
        .sort(([a], [b]) => a - b)
        .map(([, { id, name, arguments: args }]) => ({ id, name, arguments: args }))
      return {
        content,
        reasoningContent: reasoning,
        toolCalls: list,
        ...(malformed !== undefined && { malformedToolCalls: JSON.stringify(malformed) }),
        usage,
        finishReason
      }
    }
  }
}

/**
 * What a call is counted for before its arguments, so that endlessly many empty ones exceed the cap as well: its result, its row on
 * disk and on the screen are not free either, and no useful reply has thousands.
 */
const bytesOfCall = 4096

type GrowingCall = { id: string; name: string; arguments: string; bytes: number }

/** Merges one delta into its call (MODEL-036); answers by how many bytes the call grew. */
function growCall(call: GrowingCall, delta: Record<string, unknown>): number {
  const fn = isRecord(delta.function) ? delta.function : {}
  const more = isRecord(fn.arguments) ? JSON.stringify(fn.arguments) : stringOf(fn.arguments)
  const bytes = Buffer.byteLength(more)
  const before = Buffer.byteLength(call.id) + Buffer.byteLength(call.name)
  call.id = stringOf(delta.id) || call.id
  call.name = stringOf(fn.name) || call.name
  call.bytes += bytes
  call.arguments += more
  return bytes + Buffer.byteLength(call.id) + Buffer.byteLength(call.name) - before
}

const count = z.number().nonnegative().finite().transform(Math.round)
const usageShape = z.object({
  prompt_tokens: count.catch(0),
  completion_tokens: count.catch(0),
  total_tokens: count.optional().catch(undefined),
  prompt_tokens_details: z.object({ cached_tokens: count }).optional().catch(undefined),
  prompt_cache_hit_tokens: count.optional().catch(undefined),
  cached_tokens: count.optional().catch(undefined)
})

function readUsage(value: unknown): Usage | null {
  if (!isRecord(value)) return null
  const usage = usageShape.parse(value)
  const { prompt_tokens: prompt, completion_tokens: completion } = usage
  const cached = usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? usage.cached_tokens
  return {
    prompt,
    completion,
    total: usage.total_tokens ?? prompt + completion,
    ...(cached !== undefined && { cached })
  }
}
