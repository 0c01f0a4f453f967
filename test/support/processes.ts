import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** Path of a small program in test/fixtures/programs. */
export const program = (name: string) => fileURLToPath(new URL(`../fixtures/programs/${name}`, import.meta.url))

/** Whether a process, or with a negative number a process group, still exists. */
function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    // ESRCH is the answer.
    return false
  }
}

/** Resolves once the process or group is gone; the test's own time limit is the bound. */
export async function gone(pid: number): Promise<void> {
  while (exists(pid)) await sleep(10)
}
