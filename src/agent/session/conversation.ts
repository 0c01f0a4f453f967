import type { AssistantEntry, ContextEntry } from '../../protocol/entry.ts'
import type { ToolCall } from '../../protocol/tool.ts'
import { exceedsWindow } from '../context/index.ts'
import { type Attempt, attempt, type ReplySink } from './call-model.ts'
import { openReply } from './entries.ts'
import type { Item } from './facts.ts'
import type { Ports } from './ports.ts'
import { judge } from './retry.ts'
import { maxToolDepth, type Rules, tooDeepText } from './rules.ts'
import { shortfall } from './shortfall.ts'
import { execute, failedResult, toolEntry } from './tool-results.ts'
import { usageEvents, usageOf } from './usage.ts'
import type { Voice } from './voice.ts'

// A conversation with one model on one task: its own entries, tools and limits, no routing, no compaction, no checkpoint, nothing
// durable but its usage. A sub-agent is one inside a tool call; the gate holds others with prompts of its own (`held-conversation.ts`).

/** How often the same call in a row is let through (CTX-089). */
const sameCallsAllowed = 3

export type ConversationPorts = Pick<Ports, 'clock' | 'ids' | 'model' | 'tools' | 'random' | 'log'>

export type ConversationLimits = Pick<Rules['subAgent'], 'maxTurns' | 'tokenBudget' | 'timeoutSeconds'>

export type ConversationOptions = {
  readonly model: string
  readonly task: string
  readonly limits: ConversationLimits
  /** Number its entries and usage carry; 0 outside a turn. */
  readonly turn: number
  readonly ports: ConversationPorts
  /** Speaks with the system prompt and the tools of this conversation. */
  readonly voice: Voice
  readonly signal: AbortSignal
  readonly record: (items: readonly Item[]) => void
  /** Text as it comes, tool calls included. */
  readonly tell: (text: string) => void
}

export type ConversationEnd =
  /** `lacks`: what the answer is short of, as the operator would read it, or null. */
  | { readonly kind: 'answered'; readonly text: string; readonly lacks: string | null }
  /** A limit ended it (CTX-084, CTX-087). */
  | {
      readonly kind: 'stopped'
      readonly why: string
      readonly lastText: string
      readonly calls: readonly ToolCall[]
    }
  /** The endpoint failed and its retries are spent (CTX-088). */
  | { readonly kind: 'unreachable'; readonly statusCode: number | null; readonly message: string }
  /** The model's tool calls could not be read. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'interrupted' }

/** Holds it to its end or to a limit. The wall clock also ends a model call or a tool under way (CTX-085). */
export async function converse(options: ConversationOptions): Promise<ConversationEnd> {
  const { clock } = options.ports
  const limit = new AbortController()
  const over = new AbortController()
  const timer = clock.sleep(options.limits.timeoutSeconds * 1000, over.signal).then(
    () => limit.abort(),
    // Ended in time.
    () => undefined
  )
  const end = await exchange({ ...options, signal: AbortSignal.any([options.signal, limit.signal]) })
  over.abort()
  await timer
  return options.signal.aborted ? { kind: 'interrupted' } : end
}

async function exchange(options: ConversationOptions): Promise<ConversationEnd> {
  const { model, task, limits, turn, ports, voice, signal, tell } = options
  const { maxContext } = voice.facts(model)
  const entries: ContextEntry[] = [{ kind: 'user', id: ports.ids.entry(), turn, text: task }]
  const calls: ToolCall[] = []
  let lastText = ''
  let tokens = 0
  const stopped = (why: string): ConversationEnd => ({ kind: 'stopped', why, lastText, calls })

  for (let turns = 0; ; turns++) {
    const after = `after ${turns} turns`
    if (signal.aborted) return stopped(`wall-clock timeout ${after}`)
    if (turns >= limits.maxTurns) return stopped(`turn limit ${after}`)
    if (tokens >= limits.tokenBudget) return stopped(`token budget ${after}, ${tokens} tokens`)
    if (exceedsWindow(voice.tokens(model, 'sub-agent', false, entries), maxContext))
      return stopped(`context overflow ${after}`)

    const reply = await request(options, entries, calls.length)
    if (reply.kind === 'overflow') return stopped(`context overflow ${after}`)
    if (signal.aborted) return stopped(`wall-clock timeout ${after}`)
    if (reply.kind === 'unreachable') return reply
    tokens += reply.tokens
    lastText = reply.message.text || lastText
    if (reply.refused !== null) return { kind: 'refused', reason: reply.refused }
    entries.push(reply.message)
    if (reply.message.toolCalls.length === 0) return { kind: 'answered', text: reply.message.text, lacks: reply.lacks }

    for (const call of reply.message.toolCalls) {
      if (calls.length >= maxToolDepth) return stopped(`${tooDeepText} after ${turns + 1} turns`)
      calls.push(call)
      // On a line of its own, whatever was said before it.
      tell(`\n⏵ ${call.name} ${call.arguments}\n`)
      const result = repeats(calls) > sameCallsAllowed ? repeated : await execute(call, 'sub-agent', model, options)
      entries.push(toolEntry(reply.message, call, result, turn, ports))
    }
  }
}

type Reply =
  | {
      readonly kind: 'reply'
      readonly message: AssistantEntry
      readonly refused: string | null
      readonly lacks: string | null
      readonly tokens: number
    }
  | { readonly kind: 'overflow' }
  | Extract<ConversationEnd, { kind: 'unreachable' }>

/** One model call with the retries of a step, and neither compaction nor fallback (CTX-082, CTX-091). */
async function request(
  { model, turn, ports, voice, signal, record, tell }: ConversationOptions,
  entries: readonly ContextEntry[],
  callsSoFar: number
): Promise<Reply> {
  const step = ports.ids.step()
  const id = ports.ids.entry()
  const { messages, tools, estimated } = voice.build(model, 'sub-agent', false, entries)
  const sink: ReplySink = {
    opened: () => undefined,
    updated: () => undefined,
    shown(piece) {
      if (piece.kind === 'text') tell(piece.text)
    },
    counted: () => undefined
  }
  for (let retriesUsed = 0; ; retriesUsed++) {
    const origin = { turn, callsSoFar }
    const parts = { dialect: voice.dialect(model), origin, signal, sink }
    const tried: Attempt = await attempt(ports, { model, messages, tools }, parts)
    if (tried.finished !== null && tried.outcome.kind === 'reply') {
      const { reply } = tried.outcome
      const completion = voice.counter(model).text(tried.text + tried.reasoning)
      const spent = usageOf(reply.usage, { prompt: estimated, completion })
      record(usageEvents([{ model, ...spent }], 'sub-agent'))
      if (reply.usage !== null) voice.observe(model, reply.usage.prompt, estimated)
      if (reply.partial) return unreachable(null, `stream interrupted after ${completion} tokens`)
      const { text, reasoning } = tried
      const { calls: toolCalls, refusal } = tried.finished
      const { family } = voice.facts(model)
      const row = openReply({ id, turn, step, model, family })
      const message: AssistantEntry = { ...row, text, reasoning, toolCalls, status: 'done' }
      const refused = toolCalls.length === 0 && refusal !== null ? refusal.reason : null
      const lacks = shortfall(reply, { text, reasoning, calls: toolCalls.length })
      return { kind: 'reply', message, refused, lacks, tokens: spent.usage.total }
    }
    if (tried.outcome.kind !== 'failure') return unreachable(null, 'no reply')
    const { failure: trouble } = tried.outcome
    if (trouble.contextTooLong) return { kind: 'overflow' }
    const budget = { id: step, model, retriesUsed, compacted: true, fellBack: true, reply: null }
    const verdict = judge(trouble, budget, ports.random())
    if (verdict.kind !== 'retry') return unreachable(trouble.statusCode, trouble.message)
    try {
      await ports.clock.sleep(verdict.delayMs, signal)
    } catch {
      // Aborted while it waited: the caller sees the signal.
      return unreachable(trouble.statusCode, trouble.message)
    }
  }
}

function unreachable(statusCode: number | null, message: string): Extract<ConversationEnd, { kind: 'unreachable' }> {
  return { kind: 'unreachable', statusCode, message }
}

/** How often the last call stands at the end of the list. */
function repeats(calls: readonly ToolCall[]): number {
  const last = calls.at(-1)
  const other = calls.findLastIndex((call) => call.name !== last?.name || call.arguments !== last?.arguments)
  return calls.length - 1 - other
}

const repeated = failedResult(
  'not executed: the same call with the same arguments was made four times in a row; change it, or finish with what you know',
  'failed'
)
