import { isRecord, parseJson } from '../../lib/json.ts'
import { type AssistantEntry, type ContextEntry, callKey, type ToolEntry } from '../../protocol/entry.ts'
import type { DialectFamily, WireMessage, WireToolCall } from '../../protocol/model.ts'
import type { ToolCall } from '../../protocol/tool.ts'
import { renderNote } from './notes.ts'
import type { BuiltMessages } from './types.ts'

/** How a family writes the id of a call on the wire; `position` counts the calls of the request from 0. */
export type WireId = (call: ToolCall, message: AssistantEntry, position: number) => string

/** Ids as they are stored. */
export const storedId: WireId = (call) => call.id

/**
 * The wire messages of one request: one system message with the notes behind the prompt (MODEL-022), then the conversation.
 *
 * Strict servers refuse a history in which a call has no answer, an answer stands elsewhere, or arguments are no JSON object; one
 * such entry would fail every later request. So results are placed by the call they belong to, whatever their order in `entries`:
 * a missing one is sent as `interrupted`, one without its call is left out, unreadable arguments are wrapped (MODEL-026).
 */
export function wireMessages(
  entries: readonly ContextEntry[],
  systemPrompt: string,
  family: DialectFamily,
  wireId: WireId
): BuiltMessages {
  const results = resultsByCall(entries)
  const sections = [systemPrompt, ...entries.flatMap((entry) => (entry.kind === 'note' ? [renderNote(entry)] : []))]
  const messages: WireMessage[] = [{ role: 'system', content: clean(sections.join('\n\n')) }]
  let calls = 0
  let placed = 0
  let repairs = 0

  for (const [at, entry] of entries.entries()) {
    if (entry.kind === 'user') messages.push({ role: 'user', content: clean(entry.text) })
    if (entry.kind !== 'assistant') continue

    const wireCalls: WireToolCall[] = []
    const answers: WireMessage[] = []
    let expectedAt = at + 1
    for (const call of entry.toolCalls) {
      const id = wireId(call, entry, calls++)
      const args = argumentsObject(call.arguments)
      const result = results.get(callKey(entry.id, call.id))
      const isInPlace = result !== undefined && entries[expectedAt] === result
      if (isInPlace) expectedAt += 1
      if (result !== undefined) placed += 1
      if (!isInPlace) repairs += 1
      if (args !== call.arguments) repairs += 1
      wireCalls.push({ id, type: 'function', function: { name: call.name, arguments: clean(args) } })
      answers.push({ role: 'tool', content: clean(result?.text ?? 'interrupted'), tool_call_id: id, name: call.name })
    }
    const message = assistantMessage(entry, family, wireCalls)
    if (message !== null) messages.push(message, ...answers)
  }
  return { messages, repairs: repairs + entries.filter(isResult).length - placed }
}

/** null when there is nothing to say: strict servers refuse an empty assistant message. */
function assistantMessage(
  entry: AssistantEntry,
  family: DialectFamily,
  calls: readonly WireToolCall[]
): WireMessage | null {
  const reasoning = entry.family === family ? clean(entry.reasoning) : ''
  if (entry.text === '' && reasoning === '' && calls.length === 0) return null
  return {
    role: 'assistant',
    content: entry.text === '' && calls.length > 0 ? null : clean(entry.text),
    ...(reasoning !== '' && { reasoning_content: reasoning }),
    ...(calls.length > 0 && { tool_calls: calls })
  }
}

/** The first recorded result of each call. */
function resultsByCall(entries: readonly ContextEntry[]): ReadonlyMap<string, ToolEntry> {
  const results = new Map<string, ToolEntry>()
  for (const entry of entries) {
    if (entry.kind !== 'tool') continue
    const key = callKey(entry.message, entry.call.id)
    if (!results.has(key)) results.set(key, entry)
  }
  return results
}

const isResult = (entry: ContextEntry) => entry.kind === 'tool'

/** Arguments the way every server can read them: the stored text if it is a JSON object, else one that holds the text. */
function argumentsObject(text: string): string {
  return isRecord(parseJson(text)) ? text : JSON.stringify({ unreadable_arguments: text })
}

/** Lone surrogates have no UTF-8 form; some servers fail on their escape. */
const clean = (text: string) => text.toWellFormed()
