import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

export type ProcessEntry = {
  readonly pid: number
  readonly parent: number
  readonly group: number
  /** Id of the process that began its session; null where the system does not tell. */
  readonly session: number | null
}

/** Everything that runs: from /proc, which needs no program, and where there is none from ps. Zombies are dead and left out. */
export function listProcesses(): ProcessEntry[] {
  return process.platform === 'linux' ? fromProc() : fromPs()
}

/** Ids of all processes in the group led by `leader`. Unlike signal 0, it does not take one that only waits to be reaped for alive. */
export function processesOf(leader: number): number[] {
  return listProcesses()
    .filter((each) => each.group === leader)
    .map((each) => each.pid)
}

/** Ids of everything that descends from `root` and still has its parents. */
export function descendantsOf(root: number): number[] {
  const all = listProcesses()
  const family = new Set([root])
  for (let size = 0; size !== family.size; ) {
    size = family.size
    for (const { pid, parent } of all) if (family.has(parent)) family.add(pid)
  }
  family.delete(root)
  return [...family]
}

/** The fields of /proc/<pid>/stat behind the program's name, which is in brackets and may hold anything: state, ppid, pgrp, session, … */
export function statFields(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function fromProc(): ProcessEntry[] {
  const found: ProcessEntry[] = []
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const [state, parent, group, session] = statFields(Number(name))
      if (state === 'Z') continue
      found.push({ pid: Number(name), parent: Number(parent), group: Number(group), session: Number(session) })
    } catch {
      // It ended between the two looks.
    }
  }
  return found
}

function fromPs(): ProcessEntry[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat='], { encoding: 'utf8' }).trim().split('\n')
  return lines.flatMap((line) => {
    const [pid, parent, group, state] = line.trim().split(/\s+/)
    return state?.startsWith('Z')
      ? []
      : [{ pid: Number(pid), parent: Number(parent), group: Number(group), session: null }]
  })
}
