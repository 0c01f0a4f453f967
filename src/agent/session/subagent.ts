import { capResult } from '../../lib/cap-text.ts'
import type { ToolCall, ToolResult } from '../../protocol/tool.ts'
import { type ConversationEnd, converse } from './conversation.ts'
import type { SessionState } from './state.ts'
import { doneResult, failedResult, interruptedResult, type ToolSurroundings } from './tool-results.ts'

// A sub-agent is a conversation of its own inside one tool call of its parent: one task, nine tools. The parent
// waits for it.

/** Runs `task` to its end or to a limit and yields the result of the `agent` call. */
export async function runSubAgent(
  call: ToolCall,
  task: string,
  state: SessionState,
  around: ToolSurroundings
): Promise<ToolResult> {
  const { subAgent, models, maxResultBytes } = state.rules
  const { ports, voice, signal, record } = around
  if (task.trim() === '') return failedResult('the task must not be empty', 'invalid-args')
  if (models[subAgent.defaultModel] === undefined)
    return failedResult(`sub-agent model "${subAgent.defaultModel}" not configured`, 'failed')
  const began = ports.clock.now()
  const end = await converse({
    model: subAgent.defaultModel,
    task,
    limits: subAgent,
    turn: state.turn,
    ports,
    voice,
    signal,
    record,
    tell: (text) => record([{ kind: 'sub-agent-told', call: call.id, text }])
  })
  const durationMs = ports.clock.now() - began
  const result = resultOf(end)
  return { ...result, output: capResult(result.output, maxResultBytes), durationMs }
}

function resultOf(end: ConversationEnd): ToolResult {
  switch (end.kind) {
    case 'answered':
      return doneResult(end.lacks === null ? end.text : [end.text, `[${end.lacks}]`].filter(Boolean).join('\n\n'))
    case 'stopped':
      return doneResult(stopText(end))
    case 'unreachable': {
      const http = end.statusCode === null ? '' : ` (HTTP ${end.statusCode})`
      return failedResult(`sub-agent model unreachable${http}: ${end.message}`, 'http')
    }
    case 'refused':
      return failedResult(`tool call refused: ${end.reason}`, 'failed')
    case 'interrupted':
      return interruptedResult
  }
}

/** CTX-087. */
function stopText({ why, lastText, calls }: Extract<ConversationEnd, { kind: 'stopped' }>): string {
  const list = calls.map((call) => `- ${call.name} ${call.arguments}`).join('\n')
  return [`[sub-agent stopped: ${why}]`, lastText, list === '' ? '' : `Tool calls made:\n${list}`]
    .filter((part) => part !== '')
    .join('\n\n')
}
