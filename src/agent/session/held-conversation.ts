import type { ToolName, ToolPort } from '../../protocol/tool.ts'
import { type ConversationEnd, type ConversationLimits, type ConversationPorts, converse } from './conversation.ts'
import type { Item } from './facts.ts'
import type { Rules } from './rules.ts'
import { createVoice } from './voice.ts'

export type HeldConversation = {
  readonly model: string
  /** The whole system prompt. */
  readonly system: string
  readonly task: string
  /** Of those a sub-agent has. */
  readonly tools: ReadonlySet<ToolName>
  readonly limits: ConversationLimits
  readonly signal: AbortSignal
}

export type ConversationHost = {
  readonly ports: ConversationPorts
  readonly models: Rules['models']
  readonly workdir: string
  /** What it used, as events of the session; kept by whoever holds the session. */
  readonly record: (items: readonly Item[]) => void
}

/** Holds a conversation outside any session turn, with a prompt and a choice of tools of its own. */
export function holdConversation(host: ConversationHost, held: HeldConversation): Promise<ConversationEnd> {
  const { model, task, limits, signal, system } = held
  const tools = only(host.ports.tools, held.tools)
  const ports = { ...host.ports, tools }
  const compose = () => ({ prompt: system, warnings: [] })
  const voice = createVoice({ models: host.models }, host.workdir, { workflow: { compose }, tools, log: ports.log })
  return converse({ model, task, limits, turn: 0, ports, voice, signal, record: host.record, tell: () => undefined })
}

/** The tool port with these tools alone: others are neither offered nor run. */
function only(tools: ToolPort, allowed: ReadonlySet<ToolName>): ToolPort {
  return {
    specs: (audience) => tools.specs(audience).filter(({ name }) => allowed.has(name)),
    check(call, audience) {
      const checked = tools.check(call, audience)
      if (!checked.ok || allowed.has(checked.name)) return checked
      return { ok: false, kind: 'unknown-tool', error: `tool "${checked.name}" is not available here` }
    },
    run: (call, checked, run) => tools.run(call, checked, run)
  }
}
