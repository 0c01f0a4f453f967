import { Failure, messageOf, systemCodeOf } from '../../lib/error.ts'
import { BadRow } from './tables/row.ts'

export type AttestationFailureCode =
  | 'attestation-audit-write-failed'
  | 'attestation-audit-lost'
  | 'attestation-tree-symlink'
  | 'attestation-path-escape'
  | 'attestation-pass-id-empty'
  | 'attestation-target-exists'
  | 'attestation-source-empty'

/** Trouble with the attestation files. `path` is relative to the project where it concerns one file, else ''. */
export class AttestationFailure extends Failure {
  override readonly code: AttestationFailureCode
  readonly path: string

  constructor(
    code: AttestationFailureCode,
    detail: string,
    facts: { readonly path?: string; readonly hint?: string; readonly cause?: unknown } = {}
  ) {
    super(detail === '' ? code : `${code}: ${detail}`, { hint: facts.hint, cause: facts.cause })
    this.code = code
    this.path = facts.path ?? ''
  }
}

export type EngineFailureCode =
  | 'store-path-escapes'
  | 'store-not-a-file'
  | 'store-unreadable'
  | 'store-row-unreadable'
  | 'store-locked'
  | 'store-unavailable'
  | 'schema-version-mismatch'
  | 'schema-version-unreadable'
  | 'migration-failed'
  | 'engine-not-initialized'
  | 'replay-targets-not-empty'
  | 'recovery-refused'
  | 'journal-write-failed'
  | 'record-refused'
  | 'timed-out'

/** Trouble with the engine's store. The session goes on without gates (PERS-400). */
export class EngineFailure extends Failure {
  override readonly code: EngineFailureCode

  constructor(
    code: EngineFailureCode,
    message: string,
    options: { readonly hint?: string | undefined; readonly cause?: unknown } = {}
  ) {
    super(message, options)
    this.code = code
  }
}

/**
 * Runs `work`; what SQLite or the file system reports, and a row nobody can read, comes out as an `EngineFailure`, a bug as it was
 * (PERS-105).
 */
export function guarded<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const failure = failureOf(path, error)
    throw failure ?? error
  }
}

function failureOf(path: string, error: unknown): EngineFailure | null {
  if (error instanceof BadRow)
    return new EngineFailure('store-row-unreadable', `engine: a row cannot be read: ${error.message}`, {
      cause: error,
      hint: 'run `ghyll engine replay` to see which rows cannot be read'
    })
  const code = systemCodeOf(error)
  if (error instanceof Failure || code === undefined) return null
  const options = { cause: error }
  if (/^SQLITE_(NOTADB|CORRUPT)/.test(code))
    return new EngineFailure('store-unreadable', `engine: store unreadable: ${messageOf(error)}`, {
      ...options,
      hint: `while no session runs, move ${path} with its -wal and -shm files aside; verdicts are kept in .ghyll/attestations`
    })
  if (/^SQLITE_(BUSY|LOCKED)/.test(code))
    return new EngineFailure('store-locked', `engine: store locked: ${path}`, {
      ...options,
      hint: 'another program holds the database; close it and try again'
    })
  if (/^(SQLITE_(FULL|READONLY|IOERR|CANTOPEN|PERM|NOMEM|PROTOCOL)|E[A-Z]+$)/.test(code))
    return new EngineFailure('store-unavailable', `engine: store unavailable: ${path}: ${messageOf(error)}`, {
      ...options,
      hint: 'check the permissions and the free space of the folder'
    })
  return null // a constraint or a statement that does not compile is a bug and stays one
}
