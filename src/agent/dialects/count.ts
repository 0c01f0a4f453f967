import type { DialectFamily } from '../../protocol/model.ts'
import type { ToolCall } from '../../protocol/tool.ts'
import { renderNote } from './notes.ts'
import type { Countable } from './types.ts'

// The token estimate of MODEL-010. Lengths are code points; everything beyond ASCII counts one token each.

const perMessage = 4
const perCall = 10

/** Tokens of `messages` at `charsPerToken`. Reasoning counts where it is sent back: to the family it came from (MODEL-024). */
export function countTokens(messages: readonly Countable[], charsPerToken: number, family: DialectFamily): number {
  let total = 0
  for (const message of messages) total += perMessage + tokensWithin(message, charsPerToken, family)
  return total
}

function tokensWithin(message: Countable, charsPerToken: number, family: DialectFamily): number {
  if (message.kind === 'note') return textTokens(renderNote(message), charsPerToken)
  if (message.kind !== 'assistant') return textTokens(message.text, charsPerToken)
  const reasoning = message.family === family ? textTokens(message.reasoning, charsPerToken) : 0
  const calls = message.toolCalls.reduce((sum, call) => sum + callTokens(call, charsPerToken), 0)
  return textTokens(message.text, charsPerToken) + reasoning + calls
}

function textTokens(text: string, charsPerToken: number): number {
  const { ascii, total } = codePoints(text)
  return Math.floor(ascii / charsPerToken) + total - ascii
}

function callTokens(call: ToolCall, charsPerToken: number): number {
  const part = (text: string) => Math.floor(codePoints(text).total / charsPerToken)
  return part(call.name) + part(call.arguments) + perCall
}

function codePoints(text: string): { readonly ascii: number; readonly total: number } {
  let ascii = 0
  let total = 0
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    total += 1
    if (unit < 0x80) ascii += 1
    else if (isPair(unit, text.charCodeAt(at + 1))) at += 1
  }
  return { ascii, total }
}

const isPair = (high: number, low: number) => high >= 0xd800 && high < 0xdc00 && low >= 0xdc00 && low < 0xe000
