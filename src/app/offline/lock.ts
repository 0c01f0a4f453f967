import { Failure } from '../../lib/error.ts'
import { acquireLock } from '../../platform/lockfile.ts'
import { lockPathOf } from '../../platform/repository.ts'
import { type KeptOut, onRecord } from '../kept-out.ts'

/** Holds the session lock meanwhile, or refuses with its owner (PERS-604), and has on record who was refused. */
export async function withLock<T>(dir: string, who: KeptOut, work: () => Promise<T>): Promise<T> {
  const outcome = await onRecord(dir, who, () => lockOf(dir))
  try {
    return await work()
  } finally {
    outcome.lock.release()
  }
}

function lockOf(dir: string) {
  const outcome = acquireLock(lockPathOf(dir))
  if (outcome.kind === 'active') throw new SessionActive(outcome.text, outcome.pid)
  return outcome
}

/** A session of this project is running. */
class SessionActive extends Failure {
  readonly code = 'session-active'
  readonly pid: number | null
  constructor(text: string, pid: number | null) {
    super(text)
    this.pid = pid
  }
}
