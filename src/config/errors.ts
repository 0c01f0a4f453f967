import { Failure } from '../lib/error.ts'

export type ConfigFailureCode =
  | 'home-unset'
  | 'config-missing'
  /** Too large, a foreign link, no regular file, no permission, not UTF-8. */
  | 'config-unreadable'
  | 'config-syntax'
  | 'config-invalid'

/** The configuration cannot be used. The message has one line per problem, all of them (CFG-006). */
export class ConfigFailure extends Failure {
  readonly code: ConfigFailureCode
  readonly problems: readonly string[]
  constructor(code: ConfigFailureCode, problems: readonly string[], cause?: unknown) {
    super(problems.join('\n'), { cause })
    this.code = code
    this.problems = problems
  }
}
