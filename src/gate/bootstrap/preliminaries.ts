import { messageOf } from '../../lib/error.ts'
import { acquireLock } from '../../platform/lockfile.ts'
import { lockPathOf } from '../../platform/repository.ts'
import { type Catalogue, loadCatalogue } from '../catalogue/index.ts'
import { contractProblem, contracts } from '../runner/contracts/index.ts'
import { validateOpId } from '../runner/op-id.ts'
import { GridFailure, InitFailure } from './errors.ts'
import { vocabularyOf } from './vocabulary.ts'

// What every act on a project's grid begins with.

/** The op-id in its stored form. Throws `InitFailure` (INIT-10…23). */
export function checkedOpId(opId: string): string {
  const checked = validateOpId(opId)
  if ('refused' in checked) throw new InitFailure(checked.refused.text)
  return checked.opId
}

/** The catalogue, with the contracts held against it (ROLE-13). */
export function checkedCatalogue(): Catalogue {
  const catalogue = loadCatalogue()
  for (const contract of Object.values(contracts)) {
    const problem = contractProblem(contract, vocabularyOf(catalogue))
    if (problem !== null) throw new InitFailure(problem)
  }
  return catalogue
}

/** Runs `work` while no session of this repository does (INIT-81). Throws `InitFailure` when one is active. */
export async function withLock<T>(dir: string, work: () => T | Promise<T>): Promise<T> {
  const outcome = lockOf(dir)
  if (outcome.kind === 'active') throw new InitFailure(outcome.text, 'session-active')
  try {
    return await work()
  } finally {
    outcome.lock.release()
  }
}

function lockOf(dir: string) {
  try {
    return acquireLock(lockPathOf(dir))
  } catch (error) {
    throw new GridFailure('grid-write-failed', `grid-write-failed: ${messageOf(error)}`, { cause: error })
  }
}

/** RFC 3339 in UTC, to the second. */
export function timestamp(now: number): string {
  return new Date(now).toISOString().replace(/\.\d+Z$/, 'Z')
}
