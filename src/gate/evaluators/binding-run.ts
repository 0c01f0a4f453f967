import { formatDuration } from '../../lib/duration.ts'
import type { EvaluationContext } from '../../protocol/evaluation.ts'
import type { EvaluationResult } from '../../protocol/gate.ts'
import type { Binding } from '../../protocol/grid.ts'
import type { Machine } from './machine.ts'
import { masked, recordedText } from './mask.ts'
import { failed, unevaluated } from './result.ts'
import { runShell } from './shell.ts'

/** Largest standard output of a binding, in bytes (CONC-23). */
const stdoutBytes = 16 * 1024 * 1024

/** What a declared command said, or the result that the way it ended already is (CONC-23). */
export type BindingRun =
  | { readonly code: number; readonly stdout: string; readonly stderr: string }
  | { readonly settled: EvaluationResult }

/**
 * Runs a declared command in the project: one JSON object on standard input (CONC-18), the environment of CONC-19, its group ended as
 * CONC-20 says. Exit 126 and 127 are returned as they are; the protocol decides whether they count.
 */
export async function runBinding(
  machine: Machine,
  context: EvaluationContext,
  { command, binding, timeoutMs }: { readonly command: string; readonly binding: Binding; readonly timeoutMs: number }
): Promise<BindingRun> {
  if (command.trim() === '')
    return { settled: failed({ error: 'evaluator-spawn-failed', detail: 'the command is blank' }) }
  const { clauseId, passId, concept, args, projectDir } = context
  const input = { 'clause-id': clauseId, 'pass-id': passId, concept, args, 'project-dir': projectDir }
  const { end, stdout, stderr } = await runShell(machine, context, {
    command,
    timeoutMs,
    stdoutBytes,
    input: `${JSON.stringify(input)}\n`,
    env: binding.env
  })
  const kept = stderr === '' ? {} : { stderr: recordedText(stderr) }
  switch (end.kind) {
    case 'exited':
      return { code: end.code, stdout, stderr }
    case 'timed-out': {
      const after = { error: 'evaluator-timeout', 'timed-out-after': formatDuration(timeoutMs), ...kept }
      return { settled: unevaluated('evaluator-timeout', after) }
    }
    case 'interrupted':
      return { settled: unevaluated('evaluator-cancelled', { error: 'evaluator-cancelled', ...kept }) }
    case 'signalled':
      return { settled: failed({ error: 'evaluator-killed-by-signal', signal: end.signal, ...kept }) }
    case 'overflowed':
      return { settled: failed({ error: 'evaluator-output-oversized', 'stdout-oversize': true, ...kept }) }
    case 'not-started':
      return { settled: failed({ error: 'evaluator-spawn-failed', detail: masked(end.message) }) }
  }
}
