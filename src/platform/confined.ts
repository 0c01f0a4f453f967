import type { ChildProcess } from 'node:child_process'
import { longestTimerMs } from '../lib/clock.ts'
import { type Captured, createCapture } from './capture.ts'
import {
  type ChildRequest,
  endOf,
  type GroupListener,
  letGo,
  listen,
  notStarted,
  pipeGraceMs,
  startChild
} from './child.ts'
import type { ProcessEnd, ProcessRequest } from './process.ts'
import { type Family, familyOf } from './process-group.ts'

// Runs a command whose word counts and whose children must not stay (CONC-20): a flood of output ends it, every cut is polite first
// and hard after a grace, and whatever the leader leaves behind in its group is ended as well. Tools, which let a background child
// live on, run by `process.ts`.

/** Between SIGTERM and SIGKILL, unless the request says otherwise. */
const defaultGraceMs = 5000
/** A shorter grace is no grace (CONC-20). */
const minimumGraceMs = 100
/** What the leader left behind gets less, so that it is gone well within the five seconds of CONC-20. */
const leftoverGraceMs = 2000
const pollMs = 20

export type ConfinedRequest = ChildRequest &
  Pick<ProcessRequest, 'timeoutMs' | 'signal'> & {
    /** More than this on standard output ends the command. */
    readonly stdoutBytes: number
    /** Kept of standard error; more is counted and dropped. */
    readonly stderrBytes: number
    /** Default `defaultGraceMs`, never below `minimumGraceMs`. */
    readonly graceMs?: number
    /**
     * The command may leave something running on purpose, such as a server it starts: what it leaves lives on, and its output is not read,
     * so that nobody writes into a pipe that ends. A cut ends the group all the same.
     */
    readonly leavesChildren?: boolean
  }

export type ConfinedEnd = ProcessEnd | { readonly kind: 'overflowed' }

export type ConfinedOutcome = {
  readonly end: ConfinedEnd
  readonly stdout: Captured
  readonly stderr: Captured
}

/** Runs a command to its end and to the end of its group. Never rejects: every way of ending is a value. */
export async function runConfined(request: ConfinedRequest, onGroup?: GroupListener): Promise<ConfinedOutcome> {
  const stdout = createCapture(request.stdoutBytes)
  const stderr = createCapture(request.stderrBytes)
  const finish = (end: ConfinedEnd): ConfinedOutcome => ({ end, stdout: stdout.captured(), stderr: stderr.captured() })

  if (request.signal?.aborted) return finish({ kind: 'interrupted' })
  const child = startChild(request, request.leavesChildren === true ? 'ignore' : 'pipe')
  if ('kind' in child) return finish(child)
  listen(child.stderr, stderr.add)
  if (child.pid !== undefined) onGroup?.(child.pid)
  return finish(
    await ended(child, request, (overflow) => {
      let seen = 0
      listen(child.stdout, (chunk) => {
        stdout.add(chunk)
        seen += chunk.length
        if (seen > request.stdoutBytes) overflow()
      })
    })
  )
}

function ended(
  child: ChildProcess,
  { timeoutMs, signal, graceMs = defaultGraceMs, leavesChildren = false }: ConfinedRequest,
  watchOutput: (overflow: () => void) => void
): Promise<ConfinedEnd> {
  const grace = Math.max(graceMs, minimumGraceMs)
  return new Promise((resolve) => {
    const timers = new Set<NodeJS.Timeout>()
    let cut: 'timed-out' | 'interrupted' | 'overflowed' | null = null
    let leader: ProcessEnd | null = null
    let groupEnded = false
    let closed = false

    const later = (ms: number, act: () => void) => timers.add(setTimeout(act, ms))
    const settle = (end: ConfinedEnd) => {
      for (const timer of timers) clearTimeout(timer)
      signal?.removeEventListener('abort', interrupt)
      letGo(child)
      resolve(end)
    }
    const settleIfOver = () => {
      if (groupEnded && closed && leader !== null) settle(cut === null ? leader : { kind: cut })
    }
    /** The group is empty, or nothing more can be done about it; pipes held from outside of it get a moment. */
    const onGroupEnded = () => {
      groupEnded = true
      settleIfOver()
      later(pipeGraceMs, () =>
        settle(cut !== null ? { kind: cut } : (leader ?? { kind: 'signalled', signal: 'SIGKILL' }))
      )
    }
    // The family is watched from the first signal to the last, so that a number given to somebody else is never signalled.
    const awaitFamily = (family: Family, deadline: number, killed: boolean) => {
      if (!family.isAlive()) return onGroupEnded()
      if (performance.now() < deadline) return later(pollMs, () => awaitFamily(family, deadline, killed))
      if (killed) return onGroupEnded()
      family.signal('SIGKILL')
      awaitFamily(family, performance.now() + pipeGraceMs, true)
    }
    let ending = false
    const endGroup = (withinMs: number) => {
      if (ending || child.pid === undefined) return
      ending = true
      const family = familyOf(child.pid)
      family.signal('SIGTERM')
      awaitFamily(family, performance.now() + withinMs, false)
    }
    const cutShort = (kind: NonNullable<typeof cut>) => {
      if (cut !== null || leader !== null) return
      cut = kind
      endGroup(grace)
    }
    const interrupt = () => cutShort('interrupted')

    watchOutput(() => cutShort('overflowed'))
    later(Math.min(timeoutMs, longestTimerMs), () => cutShort('timed-out'))
    signal?.addEventListener('abort', interrupt, { once: true })
    if (signal?.aborted === true) interrupt()
    child.once('error', (thrown) => {
      if (child.pid === undefined) settle(notStarted(thrown))
    })
    child.once('exit', (code, exitSignal) => {
      leader = endOf(code, exitSignal)
      if (leavesChildren && cut === null) return settle(leader)
      endGroup(Math.min(grace, leftoverGraceMs))
      settleIfOver()
    })
    child.once('close', () => {
      closed = true
      settleIfOver()
    })
  })
}
