import { abortPassCommand, type Gates, invalidateTold, type Told } from '../../gate/runner/index.ts'
import { unreachable } from '../../lib/assert.ts'
import type { GateCommand } from '../../protocol/command.ts'
import type { Asker } from './ask.ts'
import type { GateSay, PanelCommand } from './host.ts'
import { inspect } from './inspect.ts'
import type { Identity } from './op-id.ts'
import { readPlaces } from './places.ts'
import type { Presenter } from './presenter.ts'
import { replyOf } from './screen-surface.ts'
import type { GateParts } from './view.ts'

export type PanelCommandParts = {
  readonly projectDir: string
  readonly parts: () => GateParts
  readonly identity: Identity
  readonly presenter: Presenter
  readonly asker: Pick<Asker, 'answer'>
  readonly say: GateSay
  readonly print: (command: string, lines: readonly string[]) => void
  readonly changed: () => void
}

/** What panels and overlays ask of an open gate. A refusal is told beside the panel as well (OPUI-722). */
export function panelCommands(options: PanelCommandParts): (command: PanelCommand) => void {
  const { projectDir, parts, identity, presenter, asker, say, print, changed } = options
  const { gates } = parts()

  const tell = (command: string, { lines, refusal }: Told) => {
    print(command, lines)
    if (refusal !== null) refuse(refusal)
  }
  const refuse = (text: string) => say({ kind: 'gate-refused', text })

  return (command) => {
    switch (command.kind) {
      case 'attest':
      case 'answer-escalation':
      case 'answer-risk':
      case 'declare-arrow':
      case 'refuse-arrow':
      case 'settle-amendment':
      case 'bind':
      case 'skip-prompt':
      case 'cancel-prompt': {
        if (asker.answer(command)) return
        const reply = replyOf(command)
        if (reply === null) say({ kind: 'prompt-refused', item: command.item, text: 'this question is no longer open' })
        else presenter.answer(command.item, reply)
        return
      }
      case 'invalidate-arrow':
        return tell(
          'invalidate-arrow',
          invalidateTold(gates, { arrowId: command.arrow, reason: command.reason }, identity.current())
        )
      case 'abort-pass':
        return tell('abort-pass', abortPassCommand(gates, command.pass))
      case 'settle-finding': {
        const problem = settleFinding(gates, command, identity.current())
        return problem === null ? changed() : refuse(problem)
      }
      case 'present-verdicts':
        void (command.item === null ? presenter.drainNow() : presenter.present(command.item))
        return
      case 'skip-verdicts':
        return presenter.skipAll()
      case 'set-op-id':
        return say({ kind: 'op-id-answered', error: identity.set(command.opId) })
      case 'inspect':
        return say({ kind: 'inspected', request: command.request, inspection: inspect(parts(), command.subject) })
      case 'read-places': {
        const { request } = command
        void readPlaces(projectDir, command.places).then((places) => say({ kind: 'places-read', request, places }))
        return
      }
      default:
        unreachable(command)
    }
  }
}

/** The operator's own transitions of a finding (RUN-511); what is wrong with it, or null. */
function settleFinding(
  gates: Gates,
  { finding, to, reason }: Extract<GateCommand, { kind: 'settle-finding' }>,
  opId: string
): string | null {
  if (opId === '') return 'no op-id set; use /op-id <identity> first'
  const moved = gates.findings.transition({ id: finding, to, role: 'operator', opId, reason })
  return 'refused' in moved ? moved.refused.text : null
}
