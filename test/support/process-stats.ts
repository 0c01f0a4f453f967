import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { listProcesses, processesOf, statFields } from '../../src/platform/process-list.ts'

/** Ticks a second of the times in /proc, fixed on every architecture. */
const ticksPerSecond = 100

/** User and system time of a process with its threads, without its children, in seconds; in steps of 10 ms (TERM-74). Linux only. */
export function cpuSeconds(pid: number): number {
  const fields = statFields(pid)
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

/** Resident set of a process in MiB. Linux only. */
export function residentMiB(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  if (kib === undefined) throw new Error(`no VmRSS of process ${pid}`)
  return Number(kib) / 1024
}

/** Ids of all descendants of a process that exist now. */
export function descendantsOf(root: number): number[] {
  const all = listProcesses()
  const family = new Set([root])
  for (let size = 0; size !== family.size; ) {
    size = family.size
    for (const each of all) if (family.has(each.parent)) family.add(each.pid)
  }
  family.delete(root)
  return [...family]
}

/** Resolves once nothing of the group runs any more; the test's own limit is the bound. */
export async function groupGone(leader: number): Promise<void> {
  while (processesOf(leader).length > 0) await sleep(10)
}
