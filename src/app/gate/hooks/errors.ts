import { Failure } from '../../../lib/error.ts'

export type DefinerFailureCode = 'definer-unreachable' | 'definer-interrupted'

/** The definer brought nothing: its model does not answer, or somebody stopped it (GATE-97). */
export class DefinerFailure extends Failure {
  readonly code: DefinerFailureCode
  constructor(code: DefinerFailureCode, message: string, hint?: string) {
    super(message, { hint })
    this.code = code
  }
}
