import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { InitFailure } from '../gate/bootstrap/index.ts'
import { openEventLog } from '../gate/engine/index.ts'
import { createStamps } from '../gate/runner/index.ts'
import { systemClock } from '../lib/clock.ts'
import { Failure } from '../lib/error.ts'
import { lockHolder } from '../platform/lockfile.ts'
import { listProcesses } from '../platform/process-list.ts'
import { lockPathOf } from '../platform/repository.ts'

// A model with a shell can call ghyll itself, to sign for its own work. The lock of the session keeps every such command out (INIT-81,
// PERS-604, SESS-132); here it leaves a line in the event log that says who tried (PERS-701).

/** A command that a running session kept out. */
export type KeptOut = {
  /** Without its free text: the log holds no prompt (PERS-703). */
  readonly command: string
  /** As given, or empty. */
  readonly opId: string
}

/** Leaves it on record when `thrown` is the lock of another session (PERS-701); anything else is nothing to write down. */
export function noteKeptOut(dir: string, { command, opId }: KeptOut, thrown: unknown): void {
  if (!isKeptOut(thrown)) return
  const { message: reason } = thrown
  try {
    const projectDir = realpathSync(dir)
    // A project without gates has no such log, and nothing to sign for.
    if (!existsSync(join(projectDir, '.ghyll/events.jsonl'))) return
    const holder = lockHolder(lockPathOf(projectDir))?.pid ?? null
    // The session goes on writing to the file as it is: whoever only leaves a line does not put it aside.
    const log = openEventLog({ projectDir, session: 'offline', rotateAt: Number.POSITIVE_INFINITY })
    try {
      log.record('command', {
        command,
        outcome: 'refused',
        reason,
        op_id: opId,
        role: isChildOf(holder) ? 'producer' : '',
        pid: `${process.pid}`,
        timestamp: createStamps(systemClock()).now()
      })
    } finally {
      log.close()
    }
  } catch {
    // The command is refused all the same; without the line nothing but its history is missing.
  }
}

function isKeptOut(thrown: unknown): thrown is Failure {
  if (thrown instanceof InitFailure) return thrown.kind === 'session-active'
  return thrown instanceof Failure && thrown.code === 'session-active'
}

/** Whether this process runs below that one: then a tool of that session called it. */
function isChildOf(holder: number | null): boolean {
  if (holder === null) return false
  const parents = new Map(listProcesses().map(({ pid, parent }) => [pid, parent]))
  const seen = new Set<number>()
  for (let at = process.ppid; at > 1 && !seen.has(at); at = parents.get(at) ?? 0) {
    if (at === holder) return true
    seen.add(at)
  }
  return false
}
