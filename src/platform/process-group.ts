import { readdirSync } from 'node:fs'
import { processesOf } from './process-list.ts'

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
