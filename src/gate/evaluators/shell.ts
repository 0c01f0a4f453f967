import type { ConfinedEnd } from '../../platform/confined.ts'
import type { EvaluationContext } from '../../protocol/evaluation.ts'
import { commandEnvironment } from './environment.ts'
import type { Machine } from './machine.ts'

/** Standard error kept of any command, in bytes (CONC-24). */
const stderrBytes = 32 * 1024

export type ShellRequest = {
  /** Run with `sh -c` in the project directory. */
  readonly command: string
  readonly timeoutMs: number
  readonly stdoutBytes: number
  /** Standard input; closed from the start without it. */
  readonly input?: string
  /** Names passed through beside the usual ones. */
  readonly env?: readonly string[]
  /** Instead of the evaluation's own; a restore must run after a cancellation too. */
  readonly signal?: AbortSignal
  /** May start or stop something that outlives it; its output is dropped. */
  readonly leavesChildren?: boolean
}

export type ShellOutcome = { readonly end: ConfinedEnd; readonly stdout: string; readonly stderr: string }

/** Runs a declared shell line for an evaluation, confined (CONC-19, CONC-20). Every way of ending is a value. */
export async function runShell(
  machine: Machine,
  { projectDir, signal }: Pick<EvaluationContext, 'projectDir' | 'signal'>,
  request: ShellRequest
): Promise<ShellOutcome> {
  const { end, stdout, stderr } = await machine.confine({
    file: 'sh',
    args: ['-c', request.command],
    cwd: projectDir,
    env: commandEnvironment(machine.env, projectDir, request.env),
    timeoutMs: request.timeoutMs,
    stdoutBytes: request.stdoutBytes,
    stderrBytes,
    signal: request.signal ?? signal,
    leavesChildren: request.leavesChildren ?? false,
    ...(request.input === undefined ? {} : { input: request.input }),
    ...(machine.graceMs === undefined ? {} : { graceMs: machine.graceMs })
  })
  return { end, stdout: stdout.bytes.toString(), stderr: stderr.bytes.toString() }
}

/** One word for `sh`, whatever letters it holds (CONC-80). */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
