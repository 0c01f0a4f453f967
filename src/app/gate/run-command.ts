import { type DispatchRefusal, type Gates, outcomeTold, type RunArrowArgs, type Told } from '../../gate/runner/index.ts'
import { type ArrowRunOptions, runArrow } from './arrow-runs.ts'
import type { Declaring } from './declaring.ts'
import type { GateSay } from './host.ts'
import type { Interruptible } from './interruptible.ts'

export type RunCommandOptions = {
  readonly gates: Gates
  /** All but the part that says how far it is. */
  readonly runs: Omit<ArrowRunOptions, 'gates' | 'print' | 'progressed'>
  readonly declare: Declaring
  readonly interruptible: Interruptible
  readonly say: GateSay
  readonly print: (lines: readonly string[]) => void
  readonly refused: (refusal: DispatchRefusal) => void
  /** The pass waits for verdicts now (OPUI-403). */
  readonly parked: () => void
}

/** Carries out `/run-arrow` with what it declares first (OPUI-320…327). A refusal is told beside the panel as well (OPUI-722). */
export function createRunCommand(options: RunCommandOptions) {
  const { gates, runs, declare, interruptible, say, print, refused, parked } = options

  return async (ask: RunArrowArgs, interrupt: AbortSignal): Promise<Told> => {
    const told = await interruptible(interrupt, (signal) => run(ask, signal))
    if (told.refusal !== null) say({ kind: 'gate-refused', text: told.refusal })
    return told
  }

  async function run({ arrowId, context, define }: RunArrowArgs, signal: AbortSignal): Promise<Told> {
    if (define) {
      const declared = await declare(arrowId, signal)
      if (!declared.isDeclared) return declared
      print(declared.lines)
    }
    const progressed: ArrowRunOptions['progressed'] = (progress) => say({ kind: 'dispatch-progressed', progress })
    const outcome = await runArrow({ gates, ...runs, print, progressed }, { arrowId, context }, signal)
    if (outcome.kind === 'refused') refused(outcome.refusal)
    if (outcome.kind === 'dispatched' && outcome.result.isParked) parked()
    return outcomeTold(arrowId, outcome, gates.grid.current())
  }
}
