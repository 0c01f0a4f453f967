import { noGrid } from '../../gate/runner/index.ts'
import { closedGateCommands } from './closed-commands.ts'
import type { GateHost, GateSay } from './host.ts'
import type { Identity } from './op-id.ts'
import type { GateStart } from './open-gate.ts'
import { closedView } from './view.ts'

/** A session without gates (PERS-401): everything else works, and whatever asks for a gate hears why not. `reason` null: no grid. */
export function closedHost(
  { reason, hint }: Extract<GateStart, { kind: 'closed' }>,
  identity: Identity,
  say: GateSay
): GateHost {
  return {
    port: { floor: () => 0, drainVerdicts: async () => undefined },
    commands: closedGateCommands(reason, identity),
    questions: null,
    start() {
      if (reason !== null) {
        const text = `gates unavailable: ${reason}`
        say({ kind: 'notice', level: 'warning', text, ...(hint === undefined ? {} : { hint }) })
      }
      say({ kind: 'gate-viewed', view: { ...closedView, closedBy: reason } })
    },
    dispatch(command) {
      switch (command.kind) {
        case 'inspect': {
          const inspection = { kind: 'nothing', text: 'no gate is open' } as const
          return say({ kind: 'inspected', request: command.request, inspection })
        }
        case 'read-places':
          return say({ kind: 'places-read', request: command.request, places: [] })
        case 'set-op-id':
          return say({ kind: 'op-id-answered', error: identity.set(command.opId) })
        default:
          return say({ kind: 'gate-refused', text: reason ?? noGrid.text })
      }
    },
    follow: () => undefined,
    waiting: () => [],
    needed: () => [],
    isQuiet: () => true,
    close: async () => undefined
  }
}
