import { z } from 'zod'

// What the scripted endpoint says. A script is a list of scenes; the first one that recognises the conversation answers it. A
// scene sees the conversation as any model would (what was said last, which tools were called since, what they brought), so
// its answers depend on what really happened and not on a fixed sequence. To add a scene, write one beside its kin in
// `scenes/` and put it into that file's list.

/** One exchange of a tool: the call as the model made it and what came back. */
export type Exchange = { readonly tool: string; readonly args: string; readonly result: string }

/** A chat-completion request, read the way a scene needs it. */
export type Conversation = {
  /** The `model` field of the request. */
  readonly model: string
  /** The last thing the operator said, trimmed. */
  readonly said: string
  /** Answers given since then: 0 for the first reply, 1 after its tool calls were carried out, and so on. */
  readonly step: number
  /** Tool calls with their results since then, in order. */
  readonly exchanges: readonly Exchange[]
  /** Names of the tools the request offers; empty for a compaction and other calls that want text only. */
  readonly tools: ReadonlySet<string>
  readonly system: string
  /** Tool calls in the whole request, which is where the next id of the numbering families continues (MODEL-029). */
  readonly callCount: number
}

/** Text to stream: a string is cut into tokens of about a word, an iterable gives the tokens themselves. */
export type Text = string | Iterable<string>

export type ScriptedCall = { readonly tool: string; readonly args: Readonly<Record<string, unknown>> | string }

/** How a reply ends when not in order. `afterTokens` counts reasoning and text together. */
export type Ending =
  /** The answer is an HTTP error; nothing is streamed. */
  | {
      readonly kind: 'status'
      readonly status: number
      readonly message: string
      readonly headers?: Readonly<Record<string, string>>
    }
  /** The connection breaks. */
  | { readonly kind: 'cut'; readonly afterTokens: number }
  /** Nothing more comes, the connection stays. */
  | { readonly kind: 'silence'; readonly afterTokens: number }
  /** An event that carries an error object, then the end of the stream (MODEL-033). */
  | { readonly kind: 'error-event'; readonly afterTokens: number; readonly message: string }
  /** These bytes are the whole answer, written piece by piece, whatever they are; `cut` breaks the connection after them. */
  | {
      readonly kind: 'raw'
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly body: Iterable<string | Uint8Array>
      readonly cut?: boolean
    }
  /** `finish_reason: "length"` (MODEL-043). */
  | { readonly kind: 'length' }

export type Reply = {
  readonly reasoning?: Text
  readonly text?: Text
  readonly calls?: readonly ScriptedCall[]
  /** Tokens a second; 0 sends as fast as they are read. Default 60. */
  readonly pace?: number
  readonly firstTokenMs?: number
  readonly ending?: Ending
}

export type Scene = {
  readonly name: string
  /** What a visitor can type to see it; scenes that answer the program itself have none. */
  readonly invite?: string
  /** The reply, or null when the conversation is not this scene's. */
  play(conversation: Conversation): Reply | null
}

export type Script = { readonly scenes: readonly Scene[]; readonly otherwise: (conversation: Conversation) => Reply }

/** The reply of the first scene that recognises the conversation. */
export function answer(script: Script, conversation: Conversation): { readonly scene: string; readonly reply: Reply } {
  for (const scene of script.scenes) {
    const reply = scene.play(conversation)
    if (reply !== null) return { scene: scene.name, reply }
  }
  return { scene: 'otherwise', reply: script.otherwise(conversation) }
}

/** A scene's `play` for what the operator says: `reply` gets the match. */
export function whenSaid(
  pattern: RegExp,
  reply: (conversation: Conversation, match: RegExpExecArray) => Reply
): Scene['play'] {
  return (conversation) => {
    const match = conversation.tools.size === 0 ? null : pattern.exec(conversation.said)
    return match === null ? null : reply(conversation, match)
  }
}

/** The result of the latest call of `tool` since the operator spoke, or the empty text. */
export function resultOf(conversation: Conversation, tool: string): string {
  return conversation.exchanges.findLast((exchange) => exchange.tool === tool)?.result ?? ''
}

const toolCall = z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) })

const message = z.discriminatedUnion('role', [
  z.object({ role: z.literal('system'), content: z.string() }),
  z.object({ role: z.literal('user'), content: z.string() }),
  z.object({ role: z.literal('assistant'), content: z.string().nullable(), tool_calls: z.array(toolCall).optional() }),
  z.object({ role: z.literal('tool'), content: z.string(), tool_call_id: z.string() })
])

/** The fields of a chat-completion request that the endpoint reads. */
export const chatRequest = z.object({
  model: z.string(),
  messages: z.array(message).min(1),
  stream: z.boolean().default(false),
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })).optional(),
  stream_options: z.object({ include_usage: z.boolean() }).partial().optional()
})

export type ChatRequest = z.infer<typeof chatRequest>

/** Reads a request as a scene sees it. */
export function readConversation(request: ChatRequest): Conversation {
  const lastUser = request.messages.findLastIndex((each) => each.role === 'user')
  const exchanges: Exchange[] = []
  let said = ''
  let system = ''
  let step = 0
  let callCount = 0
  const open = new Map<string, { tool: string; args: string }>()
  for (const [index, each] of request.messages.entries()) {
    if (each.role === 'system') system += each.content
    else if (each.role === 'user') said = each.content.trim()
    else if (each.role === 'assistant') {
      if (index > lastUser) step += 1
      for (const call of each.tool_calls ?? []) {
        callCount += 1
        open.set(call.id, { tool: call.function.name, args: call.function.arguments })
      }
    } else if (index > lastUser) {
      const call = open.get(each.tool_call_id)
      if (call !== undefined) exchanges.push({ ...call, result: each.content })
    }
  }
  const tools = new Set((request.tools ?? []).map((tool) => tool.function.name))
  return { model: request.model, said, step, exchanges, tools, system, callCount }
}
