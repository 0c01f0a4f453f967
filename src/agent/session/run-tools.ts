import type { ToolResult } from '../../protocol/tool.ts'
import type { Item } from './facts.ts'
import type { SessionState } from './state.ts'
import type { PendingCall, Results } from './steps.ts'
import { runSubAgent } from './subagent.ts'
import {
  doneResult,
  execute,
  failedResult,
  interruptedResult,
  type ToolSurroundings,
  toolEntry
} from './tool-results.ts'

/** Performs one call of a reply and yields its one result (SESS-066). The plan-mode tools and `agent` are the session's own. */
export async function runTool(
  { message, call }: PendingCall,
  state: SessionState,
  around: ToolSurroundings
): Promise<Results['run-tool']> {
  const { ports, signal } = around
  const answer = (result: ToolResult, items: readonly Item[] = []) => ({
    entry: toolEntry(message, call, result, state.turn, ports),
    items
  })
  if (signal.aborted) return answer(interruptedResult)
  const checked = ports.tools.check(call, 'session')
  if (!checked.ok) return answer(failedResult(checked.error, checked.kind))
  switch (checked.name) {
    case 'enter_plan_mode':
    case 'exit_plan_mode': {
      // Only the overlay of the system prompt changes; nothing is gated (SESS-113, SESS-116).
      const on = checked.name === 'enter_plan_mode'
      const items: readonly Item[] = state.planMode === on ? [] : [{ kind: 'plan-mode-changed', on }]
      return answer(doneResult(`plan mode ${on ? 'activated' : 'deactivated'}`), items)
    }
    case 'agent':
      return answer(await runSubAgent(call, String(checked.args.task ?? ''), state, around))
    default:
      return answer(await execute(call, 'session', message.model, around))
  }
}
