import { type ConfinedOutcome, type ConfinedRequest, runConfined } from './confined.ts'
import { type ProcessOutcome, type ProcessRequest, runProcess } from './process.ts'
import { familyOf, groupsOf } from './process-group.ts'

/** Runs programs and remembers every group that still lives, so that none outlives ghyll (TOOL-018). */
export interface Children {
  /** As `runProcess`; never rejects. */
  run(request: ProcessRequest): Promise<ProcessOutcome>
  /** As `runConfined`; never rejects. */
  confine(request: ConfinedRequest): Promise<ConfinedOutcome>
  /** SIGKILL to every group that is left, background children of finished calls included. Synchronous. */
  killAll(): void
  /** Calls `killAll` when `host` exits, also by an uncaught exception; returns the way to take that back. */
  killOnExit(host: Pick<NodeJS.Process, 'on' | 'off'>): () => void
}

/** One registry serves one program; pass it to whoever starts children. */
export function createChildren(): Children {
  const groups = new Set<number>()
  // A leader's number is free for others once its family is gone, so the dead are dropped whenever something starts or ends.
  const forgetDead = () => {
    for (const leader of groups) if (groupsOf(leader).length === 0) groups.delete(leader)
  }
  const killAll = () => {
    for (const leader of groups) familyOf(leader).signal('SIGKILL')
    groups.clear()
  }
  return {
    async run(request) {
      forgetDead()
      const outcome = await runProcess(request, (leader) => groups.add(leader))
      forgetDead()
      return outcome
    },
    async confine(request) {
      forgetDead()
      let group: number | null = null
      const outcome = await runConfined(request, (leader) => {
        group = leader
        groups.add(leader)
      })
      // What was left running on purpose is not ours any more.
      if (request.leavesChildren === true && group !== null) groups.delete(group)
      forgetDead()
      return outcome
    },
    killAll,
    killOnExit(host) {
      host.on('exit', killAll)
      return () => host.off('exit', killAll)
    }
  }
}
