import type { ChildProcess } from 'node:child_process'
import { longestTimerMs } from '../lib/clock.ts'
import { type Captured, createCapture } from './capture.ts'
import {
  type ChildEnd,
  type ChildRequest,
  endOf,
  type GroupListener,
  letGo,
  listen,
  type NotStarted,
  notStarted,
  pipeGraceMs,
  startChild
} from './child.ts'
import { createLiveTail } from './live-tail.ts'
import { familyOf } from './process-group.ts'

// Runs one program as leader of its own process group and waits for the group's output, not only for the leader. This stands
// directly on node:child_process: what is special here (signalling the group, a capture that counts on after its cap, pipes
// closed although somebody still holds them, the interrupt's grace) lies below what a wrapper such as execa offers, whose
// own timeout, kill and buffering would all have to be switched off.

/** Bytes kept of each stream unless the request says otherwise. */
const defaultCaptureBytes = 16 * 1024 * 1024
/** Between SIGTERM and SIGKILL when the operator interrupts (TOOL-014). */
const interruptGraceMs = 500

export type ProcessRequest = ChildRequest & {
  readonly timeoutMs: number
  /** Aborting is the operator's interrupt (TOOL-010). */
  readonly signal?: AbortSignal
  /** Cap of what is kept per stream, in bytes. */
  readonly captureBytes?: number
  /** Last lines of the live output (TOOL-125). */
  readonly onTail?: (tail: string) => void
}

/** How a program ended. `exited` includes a leader whose children had let go of the pipes (TOOL-015). */
export type ProcessEnd = ChildEnd | { readonly kind: 'timed-out' } | { readonly kind: 'interrupted' } | NotStarted

export type ProcessOutcome = {
  readonly end: ProcessEnd
  readonly stdout: Captured
  readonly stderr: Captured
  readonly durationMs: number
}

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
  const child = startChild(request)
  if ('kind' in child) return finish(child)
  for (const [name, capture] of [
    ['stdout', stdout],
    ['stderr', stderr]
  ] as const) {
    listen(child[name], (chunk) => {
      capture.add(chunk)
      tail?.add(name, chunk)
    })
  }
  if (child.pid !== undefined) onGroup?.(child.pid)
  return finish(await ended(child, request))
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
      letGo(child)
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

    timers.push(setTimeout(expire, Math.min(timeoutMs, longestTimerMs)))
    signal?.addEventListener('abort', interrupt, { once: true })
    child.on('error', (thrown) => {
      if (child.pid === undefined) settle(notStarted(thrown))
    })
    child.once('close', (code, exitSignal) => {
      // After an interrupt, members of the family that let go of the pipes still have the grace before SIGKILL.
      if (cut === 'interrupted' && family?.isAlive() === true) return
      settle(cut === null ? endOf(code, exitSignal) : { kind: cut })
    })
  })
}
