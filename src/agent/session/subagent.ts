import { capResult } from '../../lib/cap-text.ts'
import type { AssistantEntry, ContextEntry } from '../../protocol/entry.ts'
import { type ToolCall, type ToolResult, toolResultText } from '../../protocol/tool.ts'
import { exceedsWindow } from '../context/index.ts'
import { type Attempt, attempt, openReply } from './call-model.ts'
import { maxToolDepth } from './options.ts'
import { judge } from './retry.ts'
import type { SessionState } from './state.ts'
import { execute, failure, interruptedResult, success, type ToolSurroundings } from './tool-results.ts'
import { counted, usageOf } from './usage.ts'

// A sub-agent is a conversation of its own inside one tool call of its parent (context.md section 7): one task, nine tools, no
// routing, no compaction, no checkpoint, nothing durable but its usage. The parent waits for it.

/** How often the same call in a row is let through (CTX-089). */
const sameCallsAllowed = 3

/** Runs `task` to its end or to a limit and yields the result of the `agent` call. */
export async function runSubAgent(
  call: ToolCall,
  task: string,
  state: SessionState,
  around: ToolSurroundings
): Promise<ToolResult> {
  const { subAgent, models, maxResultBytes } = state.rules
  const { clock } = around.ports
  if (task.trim() === '') return failure('the task must not be empty', 'invalid-args')
  if (models[subAgent.defaultModel] === undefined)
    return failure(`sub-agent model "${subAgent.defaultModel}" not configured`, 'failed')

  // The wall clock also ends a model call or a tool under way (CTX-085).
  const began = clock.now()
  const limit = new AbortController()
  const over = new AbortController()
  const timer = clock.sleep(subAgent.timeoutSeconds * 1000, over.signal).then(
    () => limit.abort(),
    // Ended in time.
    () => undefined
  )
  const signal = AbortSignal.any([around.signal, limit.signal])
  const result = await converse(call, task, state, { ...around, signal })
  over.abort()
  await timer
  const durationMs = clock.now() - began
  if (around.signal.aborted) return { ...interruptedResult, durationMs }
  return { ...result, output: capResult(result.output, maxResultBytes), durationMs }
}

async function converse(
  parentCall: ToolCall,
  task: string,
  state: SessionState,
  around: ToolSurroundings
): Promise<ToolResult> {
  const { ports, voice, signal, record } = around
  const { defaultModel: model, maxTurns, tokenBudget } = state.rules.subAgent
  const { maxContext } = voice.facts(model)
  const tell = (text: string) => record([{ kind: 'sub-agent-told', call: parentCall.id, text }])

  const entries: ContextEntry[] = [{ kind: 'user', id: ports.ids.entry(), turn: state.turn, text: task }]
  const calls: ToolCall[] = []
  let lastText = ''
  let tokens = 0
  const stopped = (why: string) => success(stopText(why, lastText, calls))

  for (let turns = 0; ; turns++) {
    const after = `after ${turns} turns`
    if (signal.aborted) return stopped(`wall-clock timeout ${after}`)
    if (turns >= maxTurns) return stopped(`turn limit ${after}`)
    if (tokens >= tokenBudget) return stopped(`token budget ${after}, ${tokens} tokens`)
    if (exceedsWindow(voice.tokens(model, 'sub-agent', false, entries), maxContext))
      return stopped(`context overflow ${after}`)

    const reply = await request(model, entries, calls.length, state, around, tell)
    if (reply.kind === 'overflow') return stopped(`context overflow ${after}`)
    if (signal.aborted) return stopped(`wall-clock timeout ${after}`)
    if (reply.kind === 'unreachable') return failure(reply.text, 'http')
    tokens += reply.tokens
    lastText = reply.message.text || lastText
    if (reply.refused !== null) return failure(`tool call refused: ${reply.refused}`, 'failed')
    entries.push(reply.message)
    if (reply.message.toolCalls.length === 0) return success(reply.message.text)

    for (const call of reply.message.toolCalls) {
      if (calls.length >= maxToolDepth) return stopped(`tool call depth exceeded (50) after ${turns + 1} turns`)
      calls.push(call)
      tell(`⏵ ${call.name} ${call.arguments}\n`)
      const result = repeats(calls) > sameCallsAllowed ? repeated : await execute(call, 'sub-agent', model, around)
      const status = result.meta.kind === undefined ? 'done' : 'failed'
      const { durationMs, meta } = result
      const text = toolResultText(call.name, result)
      const id = ports.ids.entry()
      entries.push({
        kind: 'tool',
        id,
        turn: state.turn,
        message: reply.message.id,
        call,
        text,
        status,
        durationMs,
        meta
      })
    }
  }
}

type Reply =
  | {
      readonly kind: 'reply'
      readonly message: AssistantEntry
      readonly refused: string | null
      readonly tokens: number
    }
  | { readonly kind: 'overflow' }
  | { readonly kind: 'unreachable'; readonly text: string }

/** One model call with the retries of a step, and neither compaction nor fallback (CTX-082, CTX-091). */
async function request(
  model: string,
  entries: readonly ContextEntry[],
  callsSoFar: number,
  state: SessionState,
  { ports, voice, signal, record }: ToolSurroundings,
  tell: (text: string) => void
): Promise<Reply> {
  const step = ports.ids.step()
  const id = ports.ids.entry()
  const { messages, tools, estimated } = voice.build(model, 'sub-agent', false, entries)
  const sink = {
    opened: () => undefined,
    updated: () => undefined,
    shown: (piece: Parameters<Parameters<typeof attempt>[2]['sink']['shown']>[0]) => {
      if (piece.kind === 'text') tell(piece.text)
    },
    counted: () => undefined
  }
  for (let retriesUsed = 0; ; retriesUsed++) {
    const origin = { turn: state.turn, callsSoFar }
    const parts = { dialect: voice.dialect(model), origin, signal, sink }
    const tried: Attempt = await attempt(ports, { model, messages, tools }, parts)
    if (tried.finished !== null && tried.outcome.kind === 'reply') {
      const { reply } = tried.outcome
      const completion = voice.counter(model).text(tried.text + tried.reasoning)
      const spent = usageOf(reply.usage, { prompt: estimated, completion })
      record(counted([{ model, ...spent }], 'sub-agent'))
      if (reply.usage !== null) voice.observe(model, reply.usage.prompt, estimated)
      if (reply.partial) return unreachable(null, `stream interrupted after ${completion} tokens`)
      const { text, reasoning } = tried
      const { calls: toolCalls, refusal } = tried.finished
      const { family } = voice.facts(model)
      const row = openReply({ id, turn: state.turn, step, model, family })
      const message: AssistantEntry = { ...row, text, reasoning, toolCalls, status: 'done' }
      const refused = toolCalls.length === 0 && refusal !== null ? refusal.reason : null
      return { kind: 'reply', message, refused, tokens: spent.usage.total }
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

function unreachable(statusCode: number | null, message: string): Reply {
  const http = statusCode === null ? '' : ` (HTTP ${statusCode})`
  return { kind: 'unreachable', text: `sub-agent model unreachable${http}: ${message}` }
}

/** How often the last call stands at the end of the list. */
function repeats(calls: readonly ToolCall[]): number {
  const last = calls.at(-1)
  const other = calls.findLastIndex((call) => call.name !== last?.name || call.arguments !== last?.arguments)
  return calls.length - 1 - other
}

const repeated = failure(
  'not executed: the same call with the same arguments was made four times in a row; change it, or finish with what you know',
  'failed'
)

/** CTX-087. */
function stopText(why: string, lastText: string, calls: readonly ToolCall[]): string {
  const list = calls.map((call) => `- ${call.name} ${call.arguments}`).join('\n')
  return [`[sub-agent stopped: ${why}]`, lastText, list === '' ? '' : `Tool calls made:\n${list}`]
    .filter((part) => part !== '')
    .join('\n\n')
}
