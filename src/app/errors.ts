import { Failure } from '../lib/error.ts'

export type StartFailureCode =
  | 'not-a-directory'
  | 'session-active'
  | 'lock-unavailable'
  | 'state-unavailable'
  | 'sandbox-required'
  | 'model-not-configured'
  | 'no-terminal'
  | 'memory-unavailable'

/** Why a session cannot start; the message is what the operator reads after `ghyll: ` (SESS-002). */
export class StartFailure extends Failure {
  readonly code: StartFailureCode

  constructor(
    code: StartFailureCode,
    message: string,
    options: { readonly hint?: string | undefined; readonly cause?: unknown } = {}
  ) {
    super(message, options)
    this.code = code
  }
}
