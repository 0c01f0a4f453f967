import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { processesOf, statFields } from '../../src/platform/process-list.ts'

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

/** Resolves once nothing of the group runs any more; the test's own limit is the bound. */
export async function groupGone(leader: number): Promise<void> {
  while (processesOf(leader).length > 0) await sleep(10)
}
