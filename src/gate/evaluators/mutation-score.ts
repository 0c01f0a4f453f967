import type { Binding } from '../../protocol/grid.ts'
import { numberArg, textArg } from './args.ts'
import { reportOf } from './binding-report.ts'
import { runBinding } from './binding-run.ts'
import { commandOf, protocolOf, scopeOf } from './bound-check.ts'
import type { Machine } from './machine.ts'
import { type Details, evaluator, failed } from './result.ts'
import { conclude } from './scan.ts'
import { listFiles } from './walk.ts'

/** The tests notice enough of the mutants; the score is computed here, from the counts (CONC-58…60). */
export const mutationScore = (machine: Machine, binding: Binding) =>
  evaluator(async (context) => {
    const threshold = numberArg(context.args, 'threshold')
    const scan = await scopeOf(context)
    const tests = await listFiles(context, textArg(context.args, 'test-scope'))
    const files = { 'files-in-scope': scan.fileCount, 'tests-in-scope': tests.files.length }
    protocolOf(binding, ['auto', 'json'])
    const run = await runBinding(machine, context, {
      command: commandOf(binding),
      binding,
      timeoutMs: binding.timeoutMs
    })
    const report = reportOf(run, 'json')
    if ('status' in report) return { ...report, details: { ...files, ...report.details } }

    const counts = countsOf(report.details)
    if (counts === null)
      return failed({
        ...files,
        ...report.details,
        error: 'evaluator-output-malformed',
        detail: 'killed and survived are counts'
      })
    const { killed, survived } = counts
    const total = killed + survived
    const score = total === 0 ? null : killed / total
    const passes = score === null || score >= threshold
    const details = {
      ...report.details,
      ...counts,
      'tests-in-scope': tests.files.length,
      score,
      threshold,
      ...(report.pass === passes ? {} : { note: `the binding said pass: ${report.pass}, its counts say otherwise` })
    }
    return conclude(scan, { fails: !passes, vacuous: total === 0, details })
  })

function countsOf(
  details: Details
): Readonly<Record<'killed' | 'survived' | 'timed-out' | 'equivalent', number>> | null {
  const { killed, survived, 'timed-out': timedOut = 0, equivalent = 0 } = details
  if (!isCount(killed) || !isCount(survived) || !isCount(timedOut) || !isCount(equivalent)) return null
  return { killed, survived, 'timed-out': timedOut, equivalent }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
