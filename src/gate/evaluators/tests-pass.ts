import type { EvaluationResult } from '../../protocol/gate.ts'
import type { Binding } from '../../protocol/grid.ts'
import { durationArg } from './args.ts'
import { isMap, reportOf } from './binding-report.ts'
import { runBinding } from './binding-run.ts'
import { commandOf, protocolOf, scopeOf } from './bound-check.ts'
import type { Machine } from './machine.ts'
import { type Details, evaluator, failed } from './result.ts'
import { conclude } from './scan.ts'

const maxFailures = 50
const maxMessageCharacters = 2048

/** The tests run and none fails; no test at all is no success (CONC-62, CONC-63). */
export const testsPass = (machine: Machine, binding: Binding) =>
  evaluator(async (context) => {
    const scan = await scopeOf(context)
    if (scan.fileCount === 0) return conclude(scan, { fails: true, vacuous: false, details: { error: 'no-tests' } })
    const timeoutMs = durationArg(context.args, 'timeout')
    const run = await runBinding(machine, context, { command: commandOf(binding), binding, timeoutMs })
    if ('settled' in run && run.settled.reason === 'evaluator-timeout')
      return failed({ ...run.settled.details, 'files-in-scope': scan.fileCount, 'timed-out': true })
    const report = reportOf(run, protocolOf(binding, ['auto', 'exit', 'json']))
    if ('status' in report) return withFiles(report, scan.fileCount)

    const details = { 'timed-out': false, ...trimmed(report.details) }
    const { passed, failed: failures, 'timed-out': timedOut } = report.details
    if (typeof passed === 'number' && typeof failures === 'number' && passed + failures === 0)
      return conclude(scan, { fails: true, vacuous: false, details: { ...details, error: 'no-tests' } })
    // A binding cannot pass over tests that it reports as failed.
    const contradicted = (typeof failures === 'number' && failures > 0) || timedOut === true
    return conclude(scan, { fails: !report.pass || contradicted, vacuous: false, details })
  })

function withFiles(result: EvaluationResult, count: number): EvaluationResult {
  return { ...result, details: { 'files-in-scope': count, ...result.details } }
}

/** At most 50 failures, each with at most 2 KiB of message. */
function trimmed(details: Details): Details {
  const { failures, ...rest } = details
  if (!Array.isArray(failures)) return details
  const kept = failures.slice(0, maxFailures).map((failure) => {
    if (!isMap(failure) || typeof failure.message !== 'string') return failure
    return { ...failure, message: failure.message.slice(0, maxMessageCharacters).toWellFormed() }
  })
  return { ...rest, failures: kept, ...(failures.length > kept.length ? { 'failures-total': failures.length } : {}) }
}
