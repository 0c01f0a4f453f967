/**
 * Expected trouble outside the program: a network, file, process or foreign text that does not do its part. Callers branch on
 * `code` and on the fields a subclass adds, never on the message. Bugs are assertions (`assert.ts`), answers are refusals.
 */
export abstract class Failure extends Error {
  abstract readonly code: string
  /** What the operator can do about it, one line, or undefined when there is nothing to advise. */
  readonly hint: string | undefined

  constructor(message: string, options: { readonly hint?: string | undefined; readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = new.target.name
    this.hint = options.hint
  }
}

/** The message of anything thrown, for text shown to people; never for a decision. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}

/** What went wrong on the network, in a word or two for people: `fetch` hides it in the cause of what it throws. */
export function networkReasonOf(thrown: unknown): string {
  const cause = thrown instanceof Error && thrown.cause !== undefined ? thrown.cause : thrown
  return systemCodeOf(cause) ?? messageOf(cause)
}

/** The system error code (`ENOENT`, `EACCES` …) of anything thrown, or undefined. */
export function systemCodeOf(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null) return undefined
  const code = (thrown as { code?: unknown }).code
  return typeof code === 'string' ? code : undefined
}
