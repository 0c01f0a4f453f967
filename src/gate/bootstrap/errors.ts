import { Failure } from '../../lib/error.ts'

export type GridFailureCode =
  | 'grid-current-absent'
  | 'grid-current-malformed'
  | 'grid-current-points-to-missing-version'
  | 'grid-inconsistent'
  | 'grid-version-mismatch'
  | 'grid-malformed'
  | 'grid-version-already-exists'
  | 'grid-write-failed'

/** The grid on disk cannot be read or written as it should (INIT-83, INIT-85). While it lasts no pass opens (INIT-86). */
export class GridFailure extends Failure {
  readonly code: GridFailureCode
  constructor(
    code: GridFailureCode,
    message: string,
    options: { readonly hint?: string; readonly cause?: unknown } = {}
  ) {
    super(message, options)
    this.code = code
  }
}

/** Something `ghyll init` was asked that cannot be done; the message begins with the name the error index gives it. */
export class InitFailure extends Failure {
  readonly code = 'init-failed'
  /** `usage`: the command line is wrong, whatever the project looks like. `session-active`: another process holds the project. */
  readonly kind: 'usage' | 'failure' | 'session-active'
  constructor(message: string, kind: InitFailure['kind'] = 'failure', cause?: unknown, hint?: string) {
    super(message, { cause, ...(hint === undefined ? {} : { hint }) })
    this.kind = kind
  }
}
