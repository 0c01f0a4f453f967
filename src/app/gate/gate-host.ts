import type { ConversationHost } from '../../agent/session/index.ts'
import type { Children } from '../../platform/children.ts'
import type { Started } from '../start.ts'
import { closedHost } from './closed-host.ts'
import type { Asking, GateHost, GateSay } from './host.ts'
import { createIdentity } from './op-id.ts'
import { openGate } from './open-gate.ts'
import { type LateBindings, openHost } from './open-host.ts'

export type GateHostOptions = {
  readonly started: Started
  readonly children: Children
  /** Holds the gate's own conversations with models (RUN-621). */
  readonly models: ConversationHost
  readonly say: GateSay
  readonly asking: Asking
  /** The session is on its way out: what it interrupts now ends as `manual-stop` (RUN-236). */
  readonly isLeaving: () => boolean
}

/** Opens the gate of a project, or stands in for it where there is none or it cannot be opened (PERS-400, PERS-401). */
export async function openGateHost(options: GateHostOptions): Promise<GateHost> {
  const { started, children, models, say, asking } = options
  const canAsk = asking !== 'nobody'
  const bindings: LateBindings = { prompt: null }
  const opened = await openGate({
    started,
    children,
    models,
    canAsk,
    bindingPrompt: canAsk ? { declare: async (...asked) => (await bindings.prompt?.declare(...asked)) === true } : null,
    warnFull: (text) => say({ kind: 'command-output', command: 'verdicts', lines: [text] })
  })
  const identity = createIdentity((opId) => say({ kind: 'header-changed', header: { opId } }))
  return opened.kind === 'closed'
    ? closedHost(opened, identity, say)
    : openHost({ ...options, opened, identity, bindings })
}
