import type { ConversationEnd, ConversationHost } from '../../../agent/session/index.ts'
import { holdConversation } from '../../../agent/session/index.ts'
import type { SubAgentConfig } from '../../../config/types.ts'
import type { HookAnswer } from '../../../gate/runner/adversary/index.ts'
import type { ToolName } from '../../../protocol/tool.ts'

/** One conversation of its own with a model, from a fresh start to its last words (RUN-621). */
export type Converse = (ask: {
  readonly model: string
  readonly system: string
  readonly task: string
  readonly tools: 'read-only' | 'sub-agent'
  readonly signal: AbortSignal
}) => Promise<HookAnswer>

/** Who only looks has these; who works has what a sub-agent has (CTX-081). */
const toolsOf: Readonly<Record<'read-only' | 'sub-agent', ReadonlySet<ToolName>>> = {
  'read-only': new Set(['read_file', 'grep', 'glob']),
  'sub-agent': new Set([
    'bash',
    'read_file',
    'write_file',
    'edit_file',
    'git',
    'grep',
    'glob',
    'web_fetch',
    'web_search'
  ])
}

/** Conversations with the configured models, within the limits of sub-agents (RUN-621, CTX-084). */
export function createConverse(
  host: ConversationHost,
  limits: Pick<SubAgentConfig, 'maxTurns' | 'tokenBudget' | 'timeoutSeconds'>
): Converse {
  return async ({ model, system, task, tools, signal }) => {
    if (!Object.hasOwn(host.models, model))
      return { kind: 'unreachable', message: `model "${model}" is not configured` }
    const held = { model, system, task, tools: toolsOf[tools], limits, signal }
    return answerOf(await holdConversation(host, held))
  }
}

function answerOf(end: ConversationEnd): HookAnswer {
  switch (end.kind) {
    case 'answered':
      return { kind: 'text', text: end.text }
    case 'stopped':
      // Out of turns, tokens or time: what was said last may hold the answer, and otherwise is none.
      return { kind: 'text', text: end.lastText }
    case 'unreachable': {
      const http = end.statusCode === null ? '' : `HTTP ${end.statusCode}: `
      return { kind: 'unreachable', message: `${http}${end.message}` }
    }
    case 'refused':
    case 'interrupted':
      return { kind: 'text', text: '' }
  }
}

/**
 * Most bytes of file content in a first message: a fifth of what all turns together may use, four bytes counted as a token at most
 * (RUN-620, CTX-084).
 */
export function packetBytesFor(tokenBudget: number, maxContext: number): number {
  return Math.floor(Math.min(tokenBudget / 5, maxContext / 4)) * 3
}
