import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { messageOf, systemCodeOf } from '../lib/error.ts'
import { type Captured, createCapture } from './capture.ts'
import { createLiveTail, type LiveTail } from './live-tail.ts'
import { familyOf } from './process-group.ts'

// Runs one program as leader of its own process group and waits for the group's output, not only for the leader. This stands
// directly on node:child_process: what is special here (signalling the group, a capture that counts on after its cap, pipes
// closed although somebody still holds them, the interrupt's grace) lies below what a wrapper such as execa offers, whose
// own timeout, kill and buffering would all have to be switched off.

/** Bytes kept of each stream unless the request says otherwise. */
const defaultCaptureBytes = 16 * 1024 * 1024
/** Between SIGTERM and SIGKILL when the operator interrupts (TOOL-014). */
const interruptGraceMs = 500
/** Between SIGKILL and giving up on pipes that somebody outside the group holds open (TOOL-014). */
export const pipeGraceMs = 250

export type ProcessRequest = {
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  /** The whole environment; the parent's when omitted. */
  readonly env?: NodeJS.ProcessEnv
  /** Written to stdin, which is closed afterwards; without it stdin is closed from the start (TOOL-013). */
  readonly input?: string
  readonly timeoutMs: number
  /** Aborting is the operator's interrupt (TOOL-010). */
  readonly signal?: AbortSignal
  /** Cap of what is kept per stream, in bytes. */
  readonly captureBytes?: number
  /** Last lines of the live output (TOOL-125). */
  readonly onTail?: (tail: string) => void
}

/** How a program ended. `exited` includes a leader whose children had let go of the pipes (TOOL-015). */
export type ProcessEnd =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'signalled'; readonly signal: NodeJS.Signals }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'interrupted' }
  /** `code` is the system's, such as ENOENT or EACCES. */
  | { readonly kind: 'not-started'; readonly code: string; readonly message: string }

export type ProcessOutcome = {
  readonly end: ProcessEnd
  readonly stdout: Captured
  readonly stderr: Captured
  readonly durationMs: number
}

/** Told when a group comes into being, so that it can be ended with the program (TOOL-018). */
export type GroupListener = (leader: number) => void

/** Runs a program to its end. Never rejects: every way of ending is a value. */
export async function runProcess(request: ProcessRequest, onGroup?: GroupListener): Promise<ProcessOutcome> {
  const startedAt = performance.now()
  const stdout = createCapture(request.captureBytes ?? defaultCaptureBytes)
  const stderr = createCapture(request.captureBytes ?? defaultCaptureBytes)
  const tail = request.onTail === undefined ? null : createLiveTail(request.onTail)
  const finish = (end: ProcessEnd): ProcessOutcome => {
    tail?.stop()
    return { end, stdout: stdout.captured(), stderr: stderr.captured(), durationMs: performance.now() - startedAt }
  }

  if (request.signal?.aborted) return finish({ kind: 'interrupted' })
  const child = start(request)
  if ('kind' in child) return finish(child)
  listen(child.stdout, 'stdout', stdout.add, tail)
  listen(child.stderr, 'stderr', stderr.add, tail)
  feed(child, request.input)
  if (child.pid !== undefined) onGroup?.(child.pid)
  return finish(await ended(child, request))
}

/** Starts the leader of a new group. Exported for the other way of ending one (confined.ts). */
export function start(
  request: Pick<ProcessRequest, 'file' | 'args' | 'cwd' | 'env' | 'input'>,
  output: 'pipe' | 'ignore' = 'pipe'
): ChildProcess | Extract<ProcessEnd, { kind: 'not-started' }> {
  try {
    return spawn(request.file, request.args, {
      cwd: request.cwd,
      env: request.env ?? process.env,
      detached: true,
      stdio: [request.input === undefined ? 'ignore' : 'pipe', output, output]
    })
  } catch (thrown) {
    // Bad arguments, such as a NUL byte, are thrown; a missing program arrives as an event instead.
    return { kind: 'not-started', code: systemCodeOf(thrown) ?? 'EINVAL', message: messageOf(thrown) }
  }
}

/** Hands on what arrives from one pipe. */
export function listen(
  pipe: Readable | null,
  name: 'stdout' | 'stderr',
  add: (chunk: Buffer) => void,
  tail: LiveTail | null
) {
  pipe?.on('data', (chunk: Buffer) => {
    add(chunk)
    tail?.add(name, chunk)
  })
  // A pipe that breaks has nothing more to say; the exit tells what happened.
  pipe?.on('error', () => undefined)
}

/** Writes the input, if any, and closes stdin behind it. */
export function feed(child: ChildProcess, input: string | undefined) {
  // A program that ends without reading its input breaks this pipe, which is its right.
  child.stdin?.on('error', () => undefined)
  if (input !== undefined) child.stdin?.end(input)
}

/** Waits for exit and closed pipes, and carries out time limit and interrupt on the way. */
function ended(child: ChildProcess, { timeoutMs, signal }: ProcessRequest): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    const timers: NodeJS.Timeout[] = []
    const family = child.pid === undefined ? null : familyOf(child.pid)
    let cut: 'timed-out' | 'interrupted' | null = null

    const settle = (end: ProcessEnd) => {
      for (const timer of timers) clearTimeout(timer)
      signal?.removeEventListener('abort', interrupt)
      child.stdout?.destroy()
      child.stderr?.destroy()
      child.stdin?.destroy()
      child.unref()
      resolve(end)
    }
    const kill = (kind: 'timed-out' | 'interrupted') => {
      family?.signal('SIGKILL')
      timers.push(setTimeout(() => settle({ kind }), pipeGraceMs))
    }
    const interrupt = () => {
      if (cut !== null) return
      cut = 'interrupted'
      family?.signal('SIGTERM')
      timers.push(setTimeout(() => kill('interrupted'), interruptGraceMs))
    }
    const expire = () => {
      if (cut !== null) return
      cut = 'timed-out'
      kill('timed-out')
    }

    timers.push(setTimeout(expire, timeoutMs))
    signal?.addEventListener('abort', interrupt, { once: true })
    child.on('error', (thrown) => {
      if (child.pid !== undefined) return
      settle({ kind: 'not-started', code: systemCodeOf(thrown) ?? 'EINVAL', message: messageOf(thrown) })
    })
    child.once('close', (code, exitSignal) => {
      // After an interrupt, members of the family that let go of the pipes still have the grace before SIGKILL.
      if (cut === 'interrupted' && family?.isAlive() === true) return
      if (cut !== null) settle({ kind: cut })
      else if (exitSignal !== null) settle({ kind: 'signalled', signal: exitSignal })
      else settle({ kind: 'exited', code: code ?? 0 })
    })
  })
}
