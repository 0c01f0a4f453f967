import { toolResultText } from '../../protocol/tool.ts'
import { type Item, notice } from './facts.ts'
import type { Errand } from './line.ts'
import { performChecked, type ToolSurroundings } from './tool-results.ts'
import { showing } from './waiting.ts'

/** A shell line of the operator, by the rules of the bash tool; no part of a turn (TERM-47). What it is at is told while it runs (TERM-25). */
export async function runShell(
  { command, attached }: Extract<Errand, { kind: 'shell' }>,
  stamp: string,
  around: ToolSurroundings
): Promise<readonly Item[]> {
  const { ports, record } = around
  const id = `shell-${ports.ids.entry()}`
  const call = { id, name: 'bash', arguments: JSON.stringify({ command }) }
  const checked = ports.tools.check(call, 'session')
  if (!checked.ok) return [notice('error', checked.error)]
  record([{ kind: 'shell-started', id, command }])
  const waiting = { what: 'tool', label: call.name, since: ports.clock.now(), count: null } as const
  const result = await showing(waiting, around, () => performChecked(call, checked, stamp, around))
  const { kind } = result.meta
  const text = toolResultText('bash', result)
  const status = kind === 'interrupted' ? 'interrupted' : kind === undefined ? 'done' : 'failed'
  const ended: Item = { kind: 'shell-ended', id, text, status, durationMs: result.durationMs }
  return attached ? [ended, { fact: 'preface-added', text: `$ ${command}\n${text}` }] : [ended]
}
