import { type DispatchOutcome, dispatch, type Gates, outcomeTold, outdatedLine } from '../../gate/runner/index.ts'
import type { Clock } from '../../lib/clock.ts'
import type { OperatorEvent } from '../../protocol/gate.ts'
import type { DispatchProgress } from '../../protocol/gate-view.ts'
import type { EvaluationWatch } from './progress.ts'

export type RunAsk = { readonly arrowId: string; readonly context: string | undefined }

export type ArrowRunOptions = {
  readonly gates: Gates
  readonly evaluations: EvaluationWatch
  readonly clock: Pick<Clock, 'now'>
  readonly opId: () => string
  readonly print: (lines: readonly string[]) => void
  readonly progressed: (progress: DispatchProgress | null) => void
}

/** Runs an arrow: what comes first is told first, with its phase, round and clause as it goes (OPUI-320…327). */
export async function runArrow(
  { gates, evaluations, clock, opId, print, progressed }: ArrowRunOptions,
  { arrowId, context }: RunAsk,
  signal: AbortSignal
): Promise<DispatchOutcome> {
  const since = clock.now()
  let progress: DispatchProgress = { arrow: arrowId, pass: null, phase: 'checks', round: null, clause: null, since }
  const show = (changes: Partial<DispatchProgress>) => {
    progress = { ...progress, ...changes }
    progressed(progress)
  }
  const stop = gates.bus.subscribe((event) => {
    const changes = stageOf(event)
    if (changes !== null) show(changes)
  })
  evaluations.listen(({ arrowId: arrow, clauseId, passId }) => {
    const clauses = gates.grid.arrow(arrow)?.clauses ?? []
    const at = clauses.findIndex(({ id }) => id === clauseId) + 1
    // Others are those of a round of the cycle, or added by verification itself.
    if (at === 0) return
    const clause = { id: clauseId, at, of: clauses.length }
    show({ arrow, pass: passId, phase: 'verification', round: null, clause })
  })
  show({})
  try {
    return await dispatch(gates, {
      arrowId,
      context,
      opId: opId(),
      signal,
      onOutdated: (outdated) => print([outdatedLine(outdated)]),
      onPredecessor: (id, outcome) => print(outcomeTold(id, outcome, gates.grid.current()).lines)
    })
  } finally {
    stop()
    evaluations.listen(null)
    progressed(null)
  }
}

/** What an event says about how far it is. */
function stageOf({ kind, payload = {}, ...subject }: OperatorEvent): Partial<DispatchProgress> | null {
  switch (kind) {
    case 'adversarial-round-start':
      return {
        arrow: subject.arrow_id ?? '',
        pass: subject.pass_id ?? null,
        phase: 'adversarial',
        round: { at: Number(payload.round), of: Number(payload.rounds_max) },
        clause: null
      }
    case 'pass-opened':
      return {
        arrow: subject.arrow_id ?? '',
        pass: subject.pass_id ?? null,
        phase: 'checks',
        round: null,
        clause: null
      }
    case 'producer-fix-signal':
      // It belongs to the round that was told before it.
      return { phase: 'remediation', clause: null }
    default:
      return null
  }
}
