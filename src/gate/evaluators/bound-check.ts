import type { EvaluationContext } from '../../protocol/evaluation.ts'
import type { EvaluationResult } from '../../protocol/gate.ts'
import type { Binding, BindingProtocol } from '../../protocol/grid.ts'
import { textArg } from './args.ts'
import { type Report, reportOf } from './binding-report.ts'
import { runBinding } from './binding-run.ts'
import type { Machine } from './machine.ts'
import { type Details, evaluator, Undecided } from './result.ts'
import { conclude, type Scan } from './scan.ts'
import { listFiles } from './walk.ts'

/** A verdict over a report, before what was skipped is weighed in. */
export type Judged = { readonly fails: boolean; readonly vacuous?: boolean; readonly details: Details }

/** The files a bound concept speaks of; its binding reads them, here they are only counted (CONC-25). */
export async function scopeOf(context: EvaluationContext): Promise<Scan> {
  const { files, skipped } = await listFiles(context, textArg(context.args, 'scope'))
  return { fileCount: files.length, skipped }
}

/** The declared command, or `evaluator-error`: only no-orphan-symbol may do without one (CONC-55). */
export function commandOf({ command }: Binding): string {
  if (command === null) throw new Undecided('evaluator-error', 'the binding has no command')
  return command
}

/** The binding's protocol, if the concept knows it (CONC-21). */
export function protocolOf<Known extends BindingProtocol>({ protocol }: Binding, known: readonly Known[]): Known {
  const found = known.find((candidate) => candidate === protocol)
  if (found === undefined) throw new Undecided('evaluator-error', `protocol ${protocol} does not fit this concept`)
  return found
}

/**
 * The evaluator of a concept whose binding checks the files in scope by itself: without files the clause passes, vacuous and without a
 * run (CONC-41, CONC-44, CONC-45); else the command runs and `judge` reads its report.
 */
export function boundCheck(
  machine: Machine,
  binding: Binding,
  judge: (report: Report, context: EvaluationContext) => Judged | EvaluationResult
) {
  return evaluator(async (context) => {
    const scan = await scopeOf(context)
    if (scan.fileCount === 0) return withScannedFiles(conclude(scan, { fails: false, vacuous: true, details: {} }))
    const run = await runBinding(machine, context, {
      command: commandOf(binding),
      binding,
      timeoutMs: binding.timeoutMs
    })
    const report = reportOf(run, protocolOf(binding, ['auto', 'exit', 'json']))
    const judged = 'status' in report ? report : judge(report, context)
    if ('status' in judged)
      return withScannedFiles({ ...judged, details: { 'files-in-scope': scan.fileCount, ...judged.details } })
    return withScannedFiles(conclude(scan, { ...judged, vacuous: false }))
  })
}

/** The count under the name the checks of whole files use (CONC-40). */
function withScannedFiles(result: EvaluationResult): EvaluationResult {
  const { 'files-in-scope': count, ...details } = result.details
  return { ...result, details: { 'scanned-files': count, ...details } }
}
