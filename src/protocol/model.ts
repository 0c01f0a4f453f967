import type { ToolCall, ToolSpec } from './tool.ts'

/** Model families with a dialect of their own, in the order in which they are listed to people (MODEL-003). */
export const dialectFamilies = ['minimax', 'glm', 'deepseek', 'qwen', 'kimi', 'kimi-code'] as const

export type DialectFamily = (typeof dialectFamilies)[number]

/** One message of a chat-completion request (MODEL-022…025). */
export type WireMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | {
      readonly role: 'assistant'
      readonly content: string | null
      readonly reasoning_content?: string
      readonly tool_calls?: readonly WireToolCall[]
    }
  | { readonly role: 'tool'; readonly content: string; readonly tool_call_id: string; readonly name: string }

export type WireToolCall = {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

export type Usage = {
  readonly prompt: number
  readonly completion: number
  readonly total: number
  readonly cached?: number
}

/** One HTTP request to one endpoint. Resolution of address and key is the client's (MODEL-065). */
export type ModelRequest = {
  /** Key of `[models.<name>]`. */
  readonly model: string
  readonly messages: readonly WireMessage[]
  /** Absent for compaction, titles and approvals (MODEL-021). */
  readonly tools?: readonly ToolSpec[]
}

/** Streamed text as it arrives, before any segmenter has seen it. */
export type ModelDelta = { readonly channel: 'content' | 'reasoning'; readonly text: string }

/** What one attempt brought, whole or partial. `toolCalls` are the envelope's, in index order. */
export type ModelReply = {
  readonly content: string
  readonly reasoningContent: string
  readonly toolCalls: readonly ToolCall[]
  /** JSON text of `tool_calls` that were no list of call objects; the dialect refuses it (MODEL-074). */
  readonly malformedToolCalls?: string
  readonly usage: Usage | null
  readonly finishReason: string | null
  readonly partial: boolean
  readonly requestId: string | null
}

/** How an attempt failed. Retry and fallback look at these fields only (MODEL-050, SESS-161). */
export type ModelFailure = {
  readonly code: 'stream-failed' | 'rate-limited' | 'auth-failed' | 'interrupted'
  /** Safe to show: redacted and cleaned (MODEL-052). */
  readonly message: string
  readonly statusCode: number | null
  readonly retryable: boolean
  readonly retryAfterSeconds: number | null
  readonly contextTooLong: boolean
  readonly requestId: string | null
}

/** A failure with everything at its quietest value but what is named. `message` must be safe to show. */
export function modelFailure(message: string, over: Partial<Omit<ModelFailure, 'message'>> = {}): ModelFailure {
  return {
    code: 'stream-failed',
    message,
    statusCode: null,
    retryable: false,
    retryAfterSeconds: null,
    contextTooLong: false,
    requestId: null,
    ...over
  }
}

export type ModelOutcome =
  | { readonly kind: 'reply'; readonly reply: ModelReply }
  | { readonly kind: 'failure'; readonly failure: ModelFailure }

/** One attempt at one endpoint: no retry, no fallback; those belong to the step. It never rejects. */
export interface ModelPort {
  request(request: ModelRequest, signal: AbortSignal, onDelta: (delta: ModelDelta) => void): Promise<ModelOutcome>
}
