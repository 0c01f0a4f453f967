import { Failure, messageOf } from '../../lib/error.ts'
import { sqliteTroubleOf } from '../../platform/sqlite-trouble.ts'

export type StoreFailureCode = 'store-locked' | 'store-corrupt' | 'store-too-new' | 'store-unavailable'

/** Trouble with the session database. `operation` says what was being done, `path` which file. */
export class StoreFailure extends Failure {
  override readonly code: StoreFailureCode
  readonly path: string
  readonly operation: string

  constructor(code: StoreFailureCode, facts: { path: string; operation: string; detail: string; cause?: unknown }) {
    super(`${facts.operation} ${facts.path}: ${facts.detail}`, { hint: hints[code](facts.path), cause: facts.cause })
    this.code = code
    this.path = facts.path
    this.operation = facts.operation
  }
}

/** Rows that contradict each other: what was read is not what was written. `guarded` makes it `store-corrupt`. */
export class Damage extends Error {}

const hints: Record<StoreFailureCode, (path: string) => string> = {
  'store-locked': () => 'another program holds the database; close it and try again',
  'store-corrupt': (path) =>
    `while no session runs, move ${path} with its -wal and -shm files away: only unsent input and crash recovery are lost`,
  'store-too-new': () =>
    'it was written by a newer ghyll; update this one, or move the file away while no session runs',
  'store-unavailable': () => 'check the permissions and the free space of the folder'
}

/** Runs `work`; trouble that SQLite or the file system reports comes out as a `StoreFailure`, anything else as it was. */
export function guarded<T>(path: string, operation: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const code = codeOf(error)
    if (code === null) throw error
    throw new StoreFailure(code, { path, operation, detail: messageOf(error), cause: error })
  }
}

function codeOf(error: unknown): StoreFailureCode | null {
  if (error instanceof Damage || error instanceof SyntaxError) return 'store-corrupt' // a body that is not the JSON we wrote
  const trouble = sqliteTroubleOf(error)
  return trouble === null ? null : `store-${trouble}`
}
