import { readFileSync } from 'node:fs'
import { systemCodeOf } from '../lib/error.ts'
import { statFields } from './process-list.ts'

/** What can be asked about other processes, as a port so that a test needs no dead ones. */
export interface Processes {
  /** Whether a process of this id exists, also one that belongs to somebody else (SESS-132). */
  isAlive(pid: number): boolean
  /** When it was started, milliseconds since the epoch to about a second, or null where the system does not tell. */
  startedAt(pid: number): number | null
}

/** The machine's own process table; start times come from `/proc` and are unknown elsewhere. */
export function systemProcesses(): Processes {
  return { isAlive, startedAt }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return systemCodeOf(error) === 'EPERM'
  }
}

/** `/proc` counts in hundredths of a second on every architecture. */
const ticksPerSecond = 100

function startedAt(pid: number): number | null {
  try {
    const boot = /^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1]
    const ticks = statFields(pid)[19]
    if (boot === undefined || ticks === undefined) return null
    return (Number(boot) + Number(ticks) / ticksPerSecond) * 1000
  } catch {
    return null // no /proc here, or the process is gone
  }
}
