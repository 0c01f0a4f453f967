import type { EvaluationContext } from '../../protocol/evaluation.ts'
import type { EvaluationResult } from '../../protocol/gate.ts'
import { mapArg, optionalText, textArg, textsArg } from './args.ts'
import type { Machine } from './machine.ts'
import { recordedTail } from './mask.ts'
import { evaluator, failed, passed, undecidedByCancel, unevaluated } from './result.ts'
import { runShell, type ShellOutcome } from './shell.ts'
import { listFiles } from './walk.ts'

const suiteTimeoutMs = 5 * 60_000
const switchTimeoutMs = 30_000
const outputBytes = 16 * 1024 * 1024

/** One dependency taken away, as it is recorded (CONC-67). Exits are null where the command did not end by itself. */
type DepResult = {
  readonly dep: string
  readonly killed: boolean
  readonly 'suite-failed': boolean
  readonly 'kill-exit': number | null
  readonly 'test-exit': number | null
  readonly 'restore-exit': number | null
}

/** The integration suite notices when a critical dependency is gone (CONC-64…68). */
export const killServerFailsIntegration = (machine: Machine) =>
  evaluator(async (context) => {
    const { args } = context
    const deps = textsArg(args, 'critical-deps')
    const kills = mapArg(args, 'kill-commands')
    const restores = mapArg(args, 'restore-commands')
    const command = optionalText(args, 'test-command')
    const suite = await listFiles(context, textArg(args, 'test-suite'))
    const scope = { 'files-in-scope': suite.files.length, 'kill-strategy': textArg(args, 'kill-strategy') }

    const withoutKill = deps.filter((dep) => (kills.get(dep) ?? '').trim() === '')
    if (command === null || deps.length === 0 || withoutKill.length > 0) {
      const missing = [...(command === null ? ['test-command'] : []), ...(deps.length === 0 ? ['critical-deps'] : [])]
      return unevaluated('args-unbound', { error: 'args-unbound', missing, 'missing-kill-cmds': withoutKill, ...scope })
    }
    const runSuite = () => runShell(machine, context, { command, timeoutMs: suiteTimeoutMs, stdoutBytes: outputBytes })

    const baseline = await runSuite()
    stopIfInterrupted(baseline)
    if (!succeeded(baseline))
      return unevaluated('baseline-failed', {
        error: 'baseline-failed',
        'suite-passes-with-deps': false,
        'test-exit': exitOf(baseline),
        output: recordedTail(`${baseline.stdout}${baseline.stderr}`),
        ...scope
      })

    const results: DepResult[] = []
    for (const dep of deps) {
      const commands = { kill: kills.get(dep) ?? '', restore: restores.get(dep) ?? null }
      results.push(await withoutDependency(machine, context, dep, commands, runSuite))
      // Whatever was interrupted or could not be restored: nothing further is taken away.
      if (context.signal.aborted || results.at(-1)?.['restore-exit'] !== 0) break
    }
    const final = context.signal.aborted ? null : await runSuite()
    return verdict(results, final, scope)
  })

/** Kill, run the suite, restore; the restore runs whatever happened before it, also after a cancellation (CONC-65). */
async function withoutDependency(
  machine: Machine,
  context: EvaluationContext,
  dep: string,
  commands: { readonly kill: string; readonly restore: string | null },
  runSuite: () => Promise<ShellOutcome>
): Promise<DepResult> {
  const uninterrupted = new AbortController().signal
  const switchBy = (command: string, signal?: AbortSignal) =>
    runShell(machine, context, {
      command,
      timeoutMs: switchTimeoutMs,
      stdoutBytes: outputBytes,
      leavesChildren: true,
      ...(signal === undefined ? {} : { signal })
    })
  let kill: ShellOutcome | null = null
  let suite: ShellOutcome | null = null
  let restore: ShellOutcome | null = null
  try {
    kill = await switchBy(commands.kill)
    if (kill.end.kind !== 'interrupted') suite = await runSuite()
  } finally {
    if (commands.restore !== null) restore = await switchBy(commands.restore, uninterrupted)
  }
  return {
    dep,
    killed: succeeded(kill),
    'suite-failed': suite !== null && suite.end.kind !== 'interrupted' && !succeeded(suite),
    'kill-exit': exitOf(kill),
    'test-exit': exitOf(suite),
    // Without a command there is nothing to bring back by hand; the final run tells whether that is true.
    'restore-exit': commands.restore === null ? 0 : exitOf(restore)
  }
}

/** `final` is null when the evaluation was cancelled; then only what could not be restored is worth a word. */
function verdict(
  results: readonly DepResult[],
  final: ShellOutcome | null,
  scope: Readonly<Record<string, unknown>>
): EvaluationResult {
  const mocked = results.filter((result) => result.killed && result['test-exit'] === 0)
  const details = {
    ...scope,
    'suite-passes-with-deps': succeeded(final),
    'dep-results': results,
    'mocked-deps': mocked.map(({ dep }) => dep)
  }
  const notRestored = results.filter((result) => result['restore-exit'] !== 0)
  if (notRestored.length > 0 || (final !== null && !succeeded(final)))
    return unevaluated('restore-failed', {
      error: 'restore-failed',
      'not-restored': notRestored.map(({ dep }) => dep),
      ...details
    })
  if (mocked.length > 0) return failed(details)
  const untouched = results.filter((result) => !result.killed && result['test-exit'] === 0)
  if (untouched.length > 0)
    return unevaluated('evaluator-error', {
      error: 'evaluator-error',
      detail: `nothing was removed: ${untouched.map(({ dep }) => dep).join(', ')}`,
      ...details
    })
  return passed(details)
}

function stopIfInterrupted({ end }: ShellOutcome): void {
  if (end.kind === 'interrupted') throw undecidedByCancel()
}

function succeeded(outcome: ShellOutcome | null): boolean {
  return exitOf(outcome) === 0
}

function exitOf(outcome: ShellOutcome | null): number | null {
  return outcome?.end.kind === 'exited' ? outcome.end.code : null
}
