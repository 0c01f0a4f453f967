import { acquireLock, type Lock } from '../platform/lockfile.ts'
import { StartFailure } from './errors.ts'

/** Takes the session's lock at `path` (SESS-130). Throws `StartFailure` `session-active` while another session holds it (SESS-132). */
export function holdLock(path: string, hint?: string): Lock {
  const outcome = acquireLock(path)
  if (outcome.kind === 'acquired') return outcome.lock
  throw new StartFailure('session-active', outcome.text, { hint })
}
