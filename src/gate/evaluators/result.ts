import { letBugsThrough } from '../../lib/assert.ts'
import { Failure } from '../../lib/error.ts'
import type { EvaluationContext, Evaluator } from '../../protocol/evaluation.ts'
import type { EvaluationResult, UnevaluatedReason } from '../../protocol/gate.ts'

export type Details = Readonly<Record<string, unknown>>

/** Entries of a list that `details` keeps; the rest is counted. */
const maxEntries = 500

/** The clause holds. */
export function passed(details: Details): EvaluationResult {
  return { status: 'pass', reason: null, details }
}

/** The clause does not hold. */
export function failed(details: Details): EvaluationResult {
  return { status: 'fail', reason: null, details }
}

/** Nobody knows; never shown as a pass. */
export function unevaluated(reason: UnevaluatedReason, details: Details): EvaluationResult {
  return { status: 'unevaluated', reason, details }
}

/** The check cannot come to a verdict. Thrown from any depth of an evaluator; `evaluator` turns it into the result it stands for. */
export class Undecided extends Failure {
  readonly code = 'undecided'
  readonly reason: UnevaluatedReason
  readonly details: Details

  constructor(reason: UnevaluatedReason, error: string, details: Details = {}) {
    super(error)
    this.reason = reason
    this.details = { error, ...details }
  }
}

/** An evaluator whose body may stop anywhere with `Undecided`; a cancelled one never answers with a verdict (CONC-23). */
export function evaluator(check: Evaluator): Evaluator {
  return async (context) => {
    try {
      const result = await check(context)
      // What a cancelled evaluation could not put back in order is still told.
      return context.signal.aborted && result.reason !== 'restore-failed' ? cancelled() : result
    } catch (thrown) {
      letBugsThrough(thrown)
      if (context.signal.aborted) return cancelled()
      if (thrown instanceof Undecided) return unevaluated(thrown.reason, thrown.details)
      throw thrown
    }
  }
}

function cancelled(): EvaluationResult {
  return unevaluated('evaluator-cancelled', { error: 'evaluator-cancelled' })
}

/** Stops a long loop of a cancelled evaluation (CONC-31). */
export function stopIfCancelled({ signal }: Pick<EvaluationContext, 'signal'>): void {
  if (signal.aborted) throw undecidedByCancel()
}

/** What the work of a cancelled evaluation stops with (CONC-31). */
export function undecidedByCancel(): Undecided {
  return new Undecided('evaluator-cancelled', 'evaluator-cancelled')
}

/** A list as `details` keeps it under `name`: its beginning, and under `<name>-total` how long it really is when it was cut. */
export function listed<Entry>(name: string, entries: readonly Entry[]): Details {
  if (entries.length <= maxEntries) return { [name]: entries }
  return { [name]: entries.slice(0, maxEntries), [`${name}-total`]: entries.length }
}
