import type { ChatRequest, Conversation, Reply, ScriptedCall } from './script.ts'
import { numbersItsCalls } from './strict.ts'
import { estimateTokens, tokensOf } from './tokens.ts'

// A scripted reply in the two forms the chat-completions API has: a stream of `data:` events, or one object.

/** One event of the stream; `token` marks those that the pace of a reply counts. */
export type StreamPart = { readonly data: string; readonly token: boolean }

/** The whole stream of an orderly reply, `[DONE]` included. An ending is the server's affair: it stops reading this early. */
export function* streamParts(
  reply: Reply,
  request: ChatRequest,
  conversation: Conversation,
  created: number
): Generator<StreamPart> {
  const envelope = envelopeOf(request, created)
  const part = (delta: object, finish: string | null = null): string =>
    JSON.stringify({
      ...envelope,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: finish }]
    })
  let completion = 0

  yield { data: part({ role: 'assistant', content: '' }), token: false }
  for (const token of tokensOf(reply.reasoning ?? '')) {
    completion += 1
    yield { data: part({ reasoning_content: token }), token: true }
  }
  for (const token of tokensOf(reply.text ?? '')) {
    completion += 1
    yield { data: part({ content: token }), token: true }
  }
  for (const [index, call] of (reply.calls ?? []).entries()) {
    const { id, name, args } = wireCall(call, index, conversation)
    yield {
      data: part({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
      token: false
    }
    for (const token of tokensOf(args)) {
      completion += 1
      yield { data: part({ tool_calls: [{ index, function: { arguments: token } }] }), token: true }
    }
  }
  yield { data: part({}, finishReason(reply)), token: false }
  if (request.stream_options?.include_usage) {
    const usage = usageOf(request, completion)
    yield { data: JSON.stringify({ ...envelope, object: 'chat.completion.chunk', choices: [], usage }), token: false }
  }
  yield { data: '[DONE]', token: false }
}

/** The reply as one object, for a request without `stream` (MODEL-028). */
export function wholeReply(reply: Reply, request: ChatRequest, conversation: Conversation, created: number): object {
  const content = [...tokensOf(reply.text ?? '')]
  const reasoning = [...tokensOf(reply.reasoning ?? '')]
  const calls = (reply.calls ?? []).map((call, index) => {
    const { id, name, args } = wireCall(call, index, conversation)
    return { id, type: 'function', function: { name, arguments: args } }
  })
  const message = {
    role: 'assistant',
    content: content.length === 0 && calls.length > 0 ? null : content.join(''),
    ...(reasoning.length > 0 && { reasoning_content: reasoning.join('') }),
    ...(calls.length > 0 && { tool_calls: calls })
  }
  return {
    ...envelopeOf(request, created),
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: finishReason(reply) }],
    usage: usageOf(request, content.length + reasoning.length)
  }
}

function envelopeOf(request: ChatRequest, created: number) {
  return { id: `scripted-${created}`, created, model: request.model }
}

function finishReason(reply: Reply): string {
  if (reply.ending?.kind === 'length') return 'length'
  return (reply.calls ?? []).length > 0 ? 'tool_calls' : 'stop'
}

function wireCall(call: ScriptedCall, index: number, { model, callCount }: Conversation) {
  const number = callCount + index
  return {
    id: numbersItsCalls(model) ? `functions.${call.tool}:${number}` : `call_${number + 1}`,
    name: call.tool,
    args: typeof call.args === 'string' ? call.args : JSON.stringify(call.args)
  }
}

function usageOf(request: ChatRequest, completion: number) {
  const prompt = estimateTokens(JSON.stringify(request.messages).length)
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
}
