import type { AssistantEntry, ToolEntry } from '../../protocol/entry.ts'
import {
  type CheckedCall,
  type ToolAudience,
  type ToolCall,
  type ToolProgress,
  type ToolResult,
  toolFailed,
  toolResultText
} from '../../protocol/tool.ts'
import type { Item } from './facts.ts'
import type { Ports } from './ports.ts'
import { tooDeepText } from './rules.ts'
import type { PendingCall, SettlementCause } from './steps.ts'
import { withinTeardown } from './teardown.ts'
import type { Voice } from './voice.ts'

type EntryIds = { readonly ids: Pick<Ports['ids'], 'entry'> }

/** What a tool needs beside its call. */
export type ToolNeeds = {
  readonly ports: Pick<Ports, 'tools' | 'clock' | 'log'>
  readonly voice: Voice
  readonly signal: AbortSignal
  readonly record: (items: readonly Item[]) => void
}

/** What is around a tool call of a session. */
export type ToolSurroundings = ToolNeeds & { readonly ports: Ports }

/** Runs one of the nine tools of the tool port; refusals of name or arguments are results too (MODEL-074). */
export async function execute(
  call: ToolCall,
  audience: ToolAudience,
  model: string,
  around: ToolNeeds
): Promise<ToolResult> {
  const { ports, voice, signal } = around
  if (signal.aborted) return interruptedResult
  const checked = ports.tools.check(call, audience)
  if (!checked.ok) return failedResult(checked.error, checked.kind)
  return await performChecked(call, checked, voice.facts(model).stampLabel, around)
}

/** Runs a checked call, its progress told; never longer than five seconds beyond an abort (SESS-049). */
export async function performChecked(
  call: ToolCall,
  checked: Extract<CheckedCall, { ok: true }>,
  stamp: string,
  { ports, signal, record }: Omit<ToolNeeds, 'voice'>
): Promise<ToolResult> {
  const onProgress = (progress: ToolProgress) => record([{ kind: 'tool-progressed', call: call.id, progress }])
  const work = ports.tools.run(call, checked, { signal, stamp, onProgress })
  return await withinTeardown(ports, work, signal, `the tool ${call.name}`, interruptedResult)
}

/** Results of calls that never ran, in order. */
export function settlements(
  calls: readonly PendingCall[],
  why: SettlementCause,
  turn: number,
  ports: EntryIds
): readonly ToolEntry[] {
  return calls.map(({ message, call }) =>
    why === 'too-deep'
      ? toolEntry(message, call, failedResult(`${tooDeepText}, stopping`, 'failed'), turn, ports)
      : { ...toolEntry(message, call, interruptedResult, turn, ports), text: settlementText[why] }
  )
}

const settlementText = {
  interrupted: 'interrupted by operator',
  stale: 'tool call did not complete: the session was interrupted before a result was recorded'
}

/** The result of a call that worked. */
export const doneResult = (output: string): ToolResult => ({
  output,
  error: '',
  timedOut: false,
  durationMs: 0,
  meta: {}
})

/** The result of a call that did not, for this reason. */
export const failedResult = (error: string, kind: NonNullable<ToolResult['meta']['kind']>): ToolResult => ({
  output: '',
  error,
  timedOut: false,
  durationMs: 0,
  meta: { kind }
})

/** The result of a call that the operator stopped. */
export const interruptedResult = failedResult('interrupted by operator', 'interrupted')

/** The one recorded result of a call. */
export function toolEntry(
  message: AssistantEntry,
  call: ToolCall,
  result: ToolResult,
  turn: number,
  ports: EntryIds
): ToolEntry {
  const { durationMs, meta } = result
  const status = meta.kind === 'interrupted' ? 'interrupted' : toolFailed(result) ? 'failed' : 'done'
  const text = toolResultText(call.name, result)
  return { kind: 'tool', id: ports.ids.entry(), turn, message: message.id, call, text, status, durationMs, meta }
}
