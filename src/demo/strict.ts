import { parseJson } from '../lib/json.ts'
import type { ChatRequest } from './script.ts'

/**
 * What a strict inference server would refuse in a request, as one line, or null: exactly one system message and that first
 * (MODEL-022), every call answered once, in order, before anything else is said (MODEL-026), arguments as JSON text
 * (MODEL-025), and for models of the kimi family ids of their own shape (MODEL-029).
 */
export function objection({ model, messages }: ChatRequest): string | null {
  if (messages[0]?.role !== 'system') return 'the first message must be the system message'
  let awaited: string[] = []
  for (const [index, message] of messages.entries()) {
    const where = `messages[${index}]`
    if (message.role === 'system' && index > 0) return `${where}: a second system message`
    if (message.role === 'tool') {
      const expected = awaited.shift()
      if (expected === undefined) return `${where}: a tool message without a call`
      if (expected !== message.tool_call_id) {
        return `${where}: the result of ${message.tool_call_id} where that of ${expected} is due`
      }
      continue
    }
    if (awaited.length > 0) return `${where}: ${message.role} message while the result of ${awaited[0]} is due`
    if (message.role !== 'assistant') continue
    const calls = message.tool_calls ?? []
    if (calls.length === 0 && message.content === null) return `${where}: an assistant message with nothing in it`
    for (const call of calls) {
      if (parseJson(call.function.arguments) === undefined) return `${where}: arguments of ${call.id} are not JSON`
      if (numbersItsCalls(model) && !numberedId.test(call.id))
        return `${where}: id ${call.id} is not functions.<name>:<n>`
    }
    awaited = calls.map((call) => call.id)
  }
  return awaited.length > 0 ? `the result of ${awaited[0]} is missing` : null
}

const numberedId = /^functions\.[A-Za-z_][A-Za-z0-9_-]*:\d+$/

/** Whether the wire model belongs to the family whose call ids are `functions.<name>:<n>`. */
export function numbersItsCalls(model: string): boolean {
  return /^(moonshotai\/)?kimi(-k?2|$)/i.test(model)
}
