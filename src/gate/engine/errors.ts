import { Failure } from '../../lib/error.ts'

export type AttestationFailureCode =
  | 'attestation-audit-write-failed'
  | 'attestation-audit-lost'
  | 'attestation-tree-symlink'
  | 'attestation-path-escape'
  | 'attestation-pass-id-empty'
  | 'attestation-target-exists'

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
