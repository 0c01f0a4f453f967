import { lockPathOf } from '../../platform/repository.ts'
import type { KeptOut } from '../kept-out.ts'
import { onRecord } from '../on-record.ts'
import { holdLock } from '../session-lock.ts'

/**
 * Holds the session lock meanwhile, or has on record who was refused (PERS-604). Throws `StartFailure` `session-active` with the owner
 * of the lock.
 */
export async function withLock<T>(dir: string, who: KeptOut, work: () => Promise<T>): Promise<T> {
  const lock = await onRecord(dir, who, () => holdLock(lockPathOf(dir)))
  try {
    return await work()
  } finally {
    lock.release()
  }
}
