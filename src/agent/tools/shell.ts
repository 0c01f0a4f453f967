import { setImmediate } from 'node:timers/promises'
import { unreachable } from '../../lib/assert.ts'
import { countText } from '../../lib/count-text.ts'
import { modelText } from '../../lib/safe-text.ts'
import type { Captured } from '../../platform/capture.ts'
import type { ProcessOutcome } from '../../platform/process.ts'
import { seconds } from './deadline.ts'
import { bomLength, bomOf, isBinary } from './file-text.ts'
import { countLines, type ToolHost, type ToolRun, type ToolYield } from './tool.ts'

/** What tools see of the environment: all of it, and nothing that waits for a person or paints a terminal (TOOL-016). */
export function toolEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, TERM: 'dumb', NO_COLOR: '1', PAGER: 'cat', GIT_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0' }
}

export type ShellCommand = {
  readonly file: string
  readonly args: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  readonly timeoutSeconds?: number
}

/** Runs a program in the working directory under the rules of TOOL-010…019, telling its live output (TOOL-009). */
export function runInWorkdir(host: ToolHost, run: ToolRun, command: ShellCommand): Promise<ProcessOutcome> {
  const startedAt = performance.now()
  return host.children.run({
    file: command.file,
    args: command.args,
    cwd: host.workdir,
    env: command.env ?? toolEnvironment(host.env),
    timeoutMs: (command.timeoutSeconds ?? host.config.bashTimeoutSeconds) * 1000,
    signal: run.signal,
    onTail: (tail) => run.onProgress({ tail: host.redact(tail), elapsedMs: performance.now() - startedAt })
  })
}

/** A program's end as a tool result (TOOL-019, TOOL-021). `subject` begins the timeout text, such as `command` or `git command`. */
export async function shellYield(outcome: ProcessOutcome, subject: string, limitSeconds: number): Promise<ToolYield> {
  const output = await outputText(outcome.stdout)
  const stderr = (await outputText(outcome.stderr)).trimEnd()
  const { end } = outcome
  const withDetail = (first: string) => (stderr === '' ? first : `${first}\n${stderr}`)
  switch (end.kind) {
    case 'exited':
      if (end.code === 0) {
        const summary = output === '' ? 'no output' : countText(countLines(output), 'line')
        return { output, error: stderr, cap: 'file', meta: { exitCode: 0, summary } }
      }
      return {
        output,
        error: `(exit ${end.code}) ${stderr === '' ? `exit status ${end.code}` : stderr}`,
        cap: 'file',
        meta: { kind: 'exit', exitCode: end.code, summary: `exit ${end.code}` }
      }
    case 'signalled':
      return {
        output,
        error: withDetail(`killed by ${end.signal}`),
        cap: 'file',
        meta: { kind: 'exit', summary: end.signal }
      }
    case 'timed-out':
      return {
        output,
        error: withDetail(`${subject} timed out after ${seconds(limitSeconds)}`),
        timedOut: true,
        cap: 'file',
        meta: { kind: 'timeout', summary: 'timed out' }
      }
    case 'interrupted':
      return {
        output,
        error: withDetail('interrupted by operator'),
        cap: 'file',
        meta: { kind: 'interrupted', summary: 'interrupted' }
      }
    case 'not-started': {
      const detail = startFaults[end.code]?.(subject) ?? end.message
      return { error: `not started: ${detail}`, meta: { kind: end.code === 'ENOENT' ? 'not-found' : 'failed' } }
    }
    default:
      return unreachable(end)
  }
}

/** Why a program was not started, where the system's own words help nobody. */
const startFaults: Readonly<Record<string, (subject: string) => string>> = {
  E2BIG: (subject) => `the ${subject} is longer than this system takes; put its text into a file`,
  ERR_INVALID_ARG_VALUE: (subject) => `the ${subject} contains a NUL byte`
}

/** Bytes cleaned at a stretch: what is typed meanwhile must not wait for a whole flood (TOOL-125). */
const stretchBytes = 512 * 1024
const newline = 0x0a

/** One captured stream as the model gets it (TOOL-017, TOOL-122). A line's text depends on that line alone, so it is made in pieces. */
async function outputText({ bytes, totalBytes }: Captured): Promise<string> {
  if (isBinary(bytes)) return `[binary output, ${totalBytes} bytes; not shown]`
  const bom = bomOf(bytes)
  const decoder = new TextDecoder(bom ?? 'utf-8', { ignoreBOM: true })
  const isWide = bom === 'utf-16le' || bom === 'utf-16be'
  const pieces: string[] = []
  for (let at = bomLength(bom); at < bytes.length; ) {
    if (pieces.length > 0) await setImmediate()
    const lineEnd = isWide ? -1 : bytes.indexOf(newline, at + stretchBytes)
    const end = lineEnd === -1 ? bytes.length : lineEnd + 1
    pieces.push(modelText(decoder.decode(bytes.subarray(at, end))))
    at = end
  }
  const lost = totalBytes - bytes.length
  const text = pieces.join('')
  return lost === 0 ? text : `${text}\n[… ${lost} more bytes were not captured …]\n`
}
