import { readdirSync } from 'node:fs'
import { listProcesses, processesOf } from './process-list.ts'

/** Signals every process of the group led by `leader`; false when there is none left (TOOL-014). */
export function signalGroup(leader: number, signal: NodeJS.Signals): boolean {
  return send(leader, signal)
}

/**
 * Whether any process of the group led by `leader` still runs. Where the system lists processes in /proc, one that is dead and only
 * waits to be reaped does not count: an init that reaps late must not hold up an interrupt (TERM-45).
 */
export function isGroupAlive(leader: number): boolean {
  if (!send(leader, 0)) return false
  return !hasProc || processesOf(leader).length > 0
}

const hasProc = process.platform === 'linux' && canList('/proc')

function canList(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0
  } catch {
    return false // a sandbox without /proc: signal 0 has to do
  }
}

function send(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-leader, signal)
    return true
  } catch {
    // ESRCH: nobody is left. EPERM: only foreign or dead processes are left, which come to the same for us.
    return false
  }
}

/** The processes that came of one program, whatever groups they made for themselves. */
export type Family = {
  /** Signals all of them, also those that have come since the last signal. */
  signal(signal: NodeJS.Signals): void
  /** Whether anything of what was found so far still runs. */
  isAlive(): boolean
}

/**
 * The family of a program that was started as leader of its own session and group. Its group alone is not all of it: `timeout`, a
 * shell with job control and `setsid` give what they run a group of its own, which an interrupt has to reach as well (TERM-45).
 */
export function familyOf(leader: number): Family {
  const groups = new Set<number>()
  return {
    signal(signal) {
      for (const group of groupsOf(leader)) groups.add(group)
      for (const group of groups) signalGroup(group, signal)
    },
    isAlive: () => [...groups].some(isGroupAlive)
  }
}

/**
 * Groups in which something lives of the session that `leader` began, or of what descends from it. Where processes cannot be listed, its
 * own group is all that is known. What has left the session and lost its parents is nobody's any more.
 */
export function groupsOf(leader: number): number[] {
  // Without /proc no session is told: of a leader that is gone with its group nothing can be found, and ps is not asked for nothing.
  if (!hasProc && !send(leader, 0)) return []
  if (process.platform === 'linux' && !hasProc) return [leader]
  const all = listProcesses()
  const family = new Set<number>()
  const groups = new Set<number>()
  for (let size = -1; size !== family.size; ) {
    size = family.size
    for (const { pid, parent, group, session } of all) {
      if (group !== leader && session !== leader && !family.has(parent)) continue
      family.add(pid)
      groups.add(group)
    }
  }
  return [...groups]
}
