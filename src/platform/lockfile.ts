import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import { Failure, systemCodeOf } from '../lib/error.ts'
import { type Processes, systemProcesses } from './process-table.ts'
import { NoRegularFile, openRegular } from './regular-file.ts'

// One lock = one process per repository (SESS-136). The file is created exclusively, so that of two starters one wins; what a
// dead process left is moved aside before it is removed and put back should it turn out to be somebody's new lock.

export type Lock = {
  readonly path: string
  /** Process whose stale lock was removed, shown as `⚠ reclaimed stale lock (pid N)`; null when the lock was free. */
  readonly reclaimedFrom: number | 'unknown' | null
  /** Makes the file again if somebody removed it; false when it is another process's by now, or cannot be made. */
  renew(): boolean
  /** Removes the file if it still holds our process id (SESS-134). Safe to call at any time, again, and while exiting. */
  release(): void
}

export type LockOutcome =
  | { readonly kind: 'acquired'; readonly lock: Lock }
  /** Somebody holds it; `pid` is null while they are still writing their name. */
  | { readonly kind: 'active'; readonly pid: number | null; readonly text: string }

export type LockOptions = {
  readonly pid?: number
  /** Milliseconds since the epoch. */
  readonly now?: () => number
  readonly processes?: Processes
}

/**
 * Takes the lock at `path` or says who holds it (SESS-131…133). It is also released when the process exits, or is ended by a
 * signal that nobody else handles, without having called `release`. Throws the system's error when the folder does not let us create or read
 * the file, and `NotALock` when something else has its name.
 */
export function acquireLock(path: string, options: LockOptions = {}): LockOutcome {
  const { pid = process.pid, now = Date.now, processes = systemProcesses() } = options
  if (tryCreate(path, pid, now())) return acquired(path, pid, null)

  const found = readLock(path)
  if (found !== null) {
    if (!isStale(found, now(), processes)) return active(found.pid)
    if (!removeStale(path, found)) return active(readLock(path)?.pid ?? null)
  }
  if (tryCreate(path, pid, now())) return acquired(path, pid, found === null ? null : (found.pid ?? 'unknown'))
  return active(readLock(path)?.pid ?? null)
}

/** Whether a living process holds the lock at `path`, for commands that only refuse while it is held (PERS-603). */
export function lockHolder(path: string, options: LockOptions = {}): { readonly pid: number | null } | null {
  const found = readLock(path)
  if (found === null || isStale(found, (options.now ?? Date.now)(), options.processes ?? systemProcesses())) return null
  return { pid: found.pid }
}

type Found = {
  readonly content: string
  /** null: the content does not begin with an integer. */
  readonly pid: number | null
  /** When it was taken, milliseconds since the epoch. */
  readonly since: number
  /** Last change of the file, milliseconds since the epoch. */
  readonly changed: number
}

/** How long a lock without a readable process id may still be in the making. */
const writingMs = 10_000
/** The system tells start times to the second and against a wall clock that is now and then adjusted. */
const startToleranceMs = 2_000

function isStale(found: Found, now: number, processes: Processes): boolean {
  if (found.pid === null) return now - found.changed > writingMs
  if (!processes.isAlive(found.pid)) return true
  const started = processes.startedAt(found.pid)
  return started !== null && started > found.since + startToleranceMs
}

function tryCreate(path: string, pid: number, now: number): boolean {
  let descriptor: number
  try {
    descriptor = openSync(path, 'wx', 0o644)
  } catch (error) {
    if (systemCodeOf(error) === 'EEXIST') return false
    throw error
  }
  try {
    writeFileSync(descriptor, `${pid}\n${new Date(now).toISOString()}\n`)
  } finally {
    closeSync(descriptor)
  }
  return true
}

function readLock(path: string): Found | null {
  try {
    const { content, changed } = readStart(path)
    const [first = '', second = ''] = content.trim().split(/\s+/)
    const written = Date.parse(second)
    return {
      content,
      pid: /^\d{1,10}$/.test(first) && Number(first) > 0 ? Number(first) : null,
      since: Number.isNaN(written) ? changed : written,
      changed
    }
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return null
    throw error
  }
}

/** Something else has the name of the lock: a link, a folder or a device, as a foreign repository may bring it. */
class NotALock extends Failure {
  readonly code = 'lock-not-a-file'
  constructor(path: string, cause: unknown) {
    super(`${path} is not a regular file`, { hint: 'remove it', cause })
  }
}

/** A lock is two short lines; whatever else lies there is not read to its end. */
const maxLockBytes = 1024

function readStart(path: string): { readonly content: string; readonly changed: number } {
  const descriptor = openLock(path)
  try {
    const bytes = Buffer.alloc(maxLockBytes)
    const count = readSync(descriptor, bytes)
    return { content: bytes.toString('utf8', 0, count), changed: fstatSync(descriptor).mtimeMs }
  } finally {
    closeSync(descriptor)
  }
}

function openLock(path: string): number {
  try {
    return openRegular(path, constants.O_RDONLY)
  } catch (error) {
    throw error instanceof NoRegularFile ? new NotALock(path, error) : error
  }
}

/** Moves the stale file out of the way; false when what stood there by then was another process's new lock. */
function removeStale(path: string, stale: Found): boolean {
  const aside = `${path}.${randomBytes(6).toString('hex')}.stale`
  try {
    renameSync(path, aside)
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return true // another starter removed it first
    throw error
  }
  try {
    if (readStart(aside).content === stale.content) return true
    linkSync(aside, path)
  } catch (error) {
    if (systemCodeOf(error) !== 'EEXIST') throw error
  } finally {
    rmSync(aside, { force: true })
  }
  return false
}

const endingSignals = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const

function acquired(path: string, pid: number, reclaimedFrom: Lock['reclaimedFrom']): LockOutcome {
  const release = () => {
    process.off('exit', release)
    for (const signal of endingSignals) process.off(signal, onSignal)
    try {
      if (readLock(path)?.pid === pid) rmSync(path, { force: true })
    } catch {
      // Exiting: whoever comes next reclaims the lock of a dead process.
    }
  }
  // A signal nobody handles, as while the program is still being loaded, ends the process without an 'exit'.
  const onSignal = (signal: NodeJS.Signals) => {
    if (process.listenerCount(signal) > 1 + tidiers()) return
    release()
    process.kill(process.pid, signal)
  }
  process.once('exit', release)
  for (const signal of endingSignals) process.on(signal, onSignal)
  const renew = () => {
    try {
      return tryCreate(path, pid, Date.now()) || readLock(path)?.pid === pid
    } catch {
      // The folder is gone or full: the lock is not what is missing most.
      return false
    }
  }
  return { kind: 'acquired', lock: { path, reclaimedFrom, renew, release } }
}

/**
 * Listeners of the library by which running children are ended with the process. It answers no signal by itself: as long as any other
 * listener is there it leaves the ending to that one. Every copy of it counts itself here.
 */
function tidiers(): number {
  const emitter: unknown = Reflect.get(globalThis, Symbol.for('signal-exit emitter'))
  const count: unknown = typeof emitter === 'object' && emitter !== null ? Reflect.get(emitter, 'count') : 0
  return typeof count === 'number' ? count : 0
}

function active(pid: number | null): LockOutcome {
  return { kind: 'active', pid, text: `another ghyll session is active (pid ${pid ?? 'unknown'})` }
}
