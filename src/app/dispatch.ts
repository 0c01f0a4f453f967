import { busyText, type Session } from '../agent/session/index.ts'
import { type Command, isGateCommand } from '../protocol/command.ts'
import type { Say } from './bus.ts'
import type { GateHost } from './gate/host.ts'
import { isIdle } from './idle.ts'
import { answerRequest, type RequestSources } from './requests/answer.ts'

export type DispatchParts = {
  readonly session: Session
  readonly gate: Pick<GateHost, 'dispatch'>
  readonly sources: RequestSources
  readonly say: Say
  /** The session has ended, behind a screen that is still there. */
  isOver(): boolean
  leave(): void
}

/**
 * Where each command goes: to the gate at once, even while a model streams, to the session, or to whoever answers the screen's questions
 * about the world. Waits for nothing; what comes of it is told.
 */
export function createDispatch(parts: DispatchParts): (command: Command) => void {
  const { session, gate, sources, say } = parts
  return (command) => {
    if (parts.isOver() && needsSession(command)) {
      if (command.kind === 'submit')
        say({ kind: 'notice', level: 'info', text: 'the session has ended: nothing was sent' })
      return
    }
    if (command.kind === 'run-arrow') {
      runFromPanel(command.arrow)
      return
    }
    if (isGateCommand(command)) {
      gate.dispatch(command)
      return
    }
    switch (command.kind) {
      case 'submit':
        session.submit(command.text, command.delivery, 'operator')
        return
      case 'take-up':
        session.takeUp()
        return
      case 'take-back': {
        const { request, seq } = command
        say({ kind: 'input-taken-back', request, seq, text: session.takeBack(seq) })
        return
      }
      case 'interrupt':
        session.interrupt()
        return
      case 'leave':
        parts.leave()
        return
      default:
        void answerRequest(command, sources).then((answer) => answer !== null && say(answer))
    }
  }

  /** As if `/run-arrow` had been typed; that it cannot run now is told where the key was pressed (OPUI-720, OPUI-722). */
  function runFromPanel(arrow: string): void {
    if (!isIdle(session.state())) {
      say({ kind: 'gate-refused', text: busyText })
      return
    }
    const line = `/run-arrow ${arrow}`
    say({ kind: 'command-output', command: 'run-arrow', lines: [line], typed: true })
    session.submit(line, 'steer', 'operator')
  }
}

/** Everything but what the screen asks of the world, and leaving. */
function needsSession(command: Command): boolean {
  const { kind } = command
  return (
    isGateCommand(command) || kind === 'submit' || kind === 'take-up' || kind === 'take-back' || kind === 'interrupt'
  )
}
