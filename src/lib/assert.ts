/** A broken assumption of the program itself. It stops the work before anything is written. */
export class AssertionFailed extends Error {
  override readonly name = 'AssertionFailed'
}

/** Stops on a bug: `condition` must hold, whatever the outside world does. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionFailed(message)
}

/** Throws a bug on, so that a catch for expected trouble does not swallow it. */
export function letBugsThrough(thrown: unknown): void {
  if (thrown instanceof AssertionFailed) throw thrown
}

/** The closing branch of an exhaustive switch; does not compile while a case is missing. */
export function unreachable(value: never): never {
  throw new AssertionFailed(`unexpected value: ${JSON.stringify(value)}`)
}
