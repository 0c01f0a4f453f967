import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { messageOf, systemCodeOf } from '../lib/error.ts'

// One program as leader of a process group of its own. What is done with it until its end is said by whoever starts it: `process.ts`
// for tools, `confined.ts` for checks.

/** Between the last signal and giving up on pipes that somebody outside the group holds open (TOOL-014). */
export const pipeGraceMs = 250

export type ChildRequest = {
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  /** The whole environment; the parent's when omitted. */
  readonly env?: NodeJS.ProcessEnv
  /** Written to stdin, which is closed afterwards; without it stdin is closed from the start (TOOL-013). */
  readonly input?: string
}

/** The program could not be started. `code` is the system's, such as ENOENT or EACCES. */
export type NotStarted = { readonly kind: 'not-started'; readonly code: string; readonly message: string }

/** How a program ended by itself. */
export type ChildEnd =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'signalled'; readonly signal: NodeJS.Signals }

/** Told when a group comes into being, so that it can be ended with the program (TOOL-018). */
export type GroupListener = (leader: number) => void

/** Starts the leader of a new group and hands it its input. A missing program is told by the event `error` of the child. */
export function startChild(request: ChildRequest, output: 'pipe' | 'ignore' = 'pipe'): ChildProcess | NotStarted {
  try {
    const child = spawn(request.file, request.args, {
      cwd: request.cwd,
      env: request.env ?? process.env,
      detached: true,
      stdio: [request.input === undefined ? 'ignore' : 'pipe', output, output]
    })
    feed(child, request.input)
    return child
  } catch (thrown) {
    // Bad arguments, such as a NUL byte, are thrown.
    return notStarted(thrown)
  }
}

/** Why there is no program, of what was thrown or told instead of it. */
export function notStarted(thrown: unknown): NotStarted {
  return { kind: 'not-started', code: systemCodeOf(thrown) ?? 'EINVAL', message: messageOf(thrown) }
}

/** How the leader ended, of the two values Node tells. */
export function endOf(code: number | null, signal: NodeJS.Signals | null): ChildEnd {
  return signal === null ? { kind: 'exited', code: code ?? 0 } : { kind: 'signalled', signal }
}

/** Hands on what arrives from one pipe. */
export function listen(pipe: Readable | null, take: (chunk: Buffer) => void): void {
  pipe?.on('data', take)
  // A pipe that breaks has nothing more to say; the exit tells what happened.
  pipe?.on('error', () => undefined)
}

/** Lets go of a program, whatever still holds its pipes. */
export function letGo(child: ChildProcess): void {
  child.stdout?.destroy()
  child.stderr?.destroy()
  child.stdin?.destroy()
  child.unref()
}

function feed(child: ChildProcess, input: string | undefined): void {
  // A program that ends without reading its input breaks this pipe, which is its right.
  child.stdin?.on('error', () => undefined)
  if (input !== undefined) child.stdin?.end(input)
}
