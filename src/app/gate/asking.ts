import type { Gates, VerdictQueue } from '../../gate/runner/index.ts'
import { type Asker, createAsker } from './ask.ts'
import { createAskLines } from './ask-lines.ts'
import type { Asking, GateSay } from './host.ts'
import { createLineSurface, type LineSurface } from './line-surface.ts'
import type { Identity } from './op-id.ts'
import { createPresenter, type Presenter } from './presenter.ts'
import { screenAskSurface, screenSurface } from './screen-surface.ts'

/** Everything that is asked of the operator: what waits in the queue, and decisions beside it. One question is open at a time. */
export type OperatorAsking = {
  readonly presenter: Presenter
  readonly asker: Asker
  /** Questions as typed lines; null unless it asks by lines. */
  readonly questions: Pick<LineSurface, 'asking' | 'enter' | 'cancel'> | null
}

export type OperatorAskingOptions = {
  readonly gates: Gates
  readonly queue: VerdictQueue
  readonly identity: Identity
  readonly asking: Asking
  readonly say: GateSay
  readonly print: (command: string, lines: readonly string[]) => void
  readonly settling: (work: Promise<unknown>) => void
}

/** By overlays, by typed lines, or of nobody (OPUI-800, OPUI-801). */
export function createAsking(options: OperatorAskingOptions): OperatorAsking {
  const { gates, queue, identity, asking, say, print, settling } = options
  const printed = (text: readonly string[]) => print('verdicts', text)
  const lines =
    asking === 'lines'
      ? createLineSurface({
          identity,
          residueMaxBytes: () => gates.grid.current()?.residueNoteMaxBytes,
          print: printed,
          answer: (key, reply) => presenter.answer(key, reply)
        })
      : null
  const presenter: Presenter = createPresenter({
    gates,
    queue,
    opId: identity.current,
    surface: asking === 'screen' ? screenSurface(gates, say) : lines,
    print: (text) => print('attest', text),
    settling
  })
  const askLines =
    asking === 'lines'
      ? createAskLines({ identity, print: printed, answer: (given) => void asker.answer(given) })
      : null
  const asker = createAsker(asking === 'screen' ? screenAskSurface(say) : askLines, presenter)
  if (lines === null || askLines === null) return { presenter, asker, questions: null }
  /** A decision beside the queue stands in front of it. */
  const front = () => (askLines.asking() === null ? lines : askLines)
  return {
    presenter,
    asker,
    questions: {
      asking: () => front().asking(),
      enter: (line) => front().enter(line),
      cancel: () => front().cancel()
    }
  }
}
