import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

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

/** Ids of all processes in the group led by `leader`, zombies left out. */
export function processesOf(leader: number): number[] {
  return processes()
    .filter((each) => each.group === leader)
    .map((each) => each.pid)
}

/** Ids of all descendants of a process that exist now, zombies left out. */
export function descendantsOf(root: number): number[] {
  const all = processes()
  const family = new Set([root])
  for (let size = 0; size !== family.size; ) {
    size = family.size
    for (const each of all) if (family.has(each.parent)) family.add(each.pid)
  }
  family.delete(root)
  return [...family]
}

type Entry = { readonly pid: number; readonly parent: number; readonly group: number }

/** Everything that runs: from /proc, which needs no program, and where there is none from ps. */
function processes(): Entry[] {
  return process.platform === 'linux' ? fromProc() : fromPs()
}

function fromProc(): Entry[] {
  const found: Entry[] = []
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const [state, parent, group] = statFields(Number(name))
      if (state !== 'Z') found.push({ pid: Number(name), parent: Number(parent), group: Number(group) })
    } catch {
      // It ended between the two looks.
    }
  }
  return found
}

function fromPs(): Entry[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat='], { encoding: 'utf8' }).trim().split('\n')
  return lines.flatMap((line) => {
    const [pid, parent, group, state] = line.trim().split(/\s+/)
    return state?.startsWith('Z') ? [] : [{ pid: Number(pid), parent: Number(parent), group: Number(group) }]
  })
}

/** The fields behind the program's name, which is in brackets and may hold anything: state, ppid, pgrp, session, … */
function statFields(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}
