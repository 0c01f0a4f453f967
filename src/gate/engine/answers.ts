import { type Attestation, baseRef, roundOf } from '../runner/index.ts'

/** Verdicts by the clause and pass they answer. */
export interface Answers {
  /** The latest verdict on a ref that was given in this pass, or by a legacy line that names none; null: nobody answered (PERS-520). */
  of(ref: string, passId: string): Attestation | null
}

/** Verdicts by the base ref they answer (PERS-520). */
export function indexAnswers(records: readonly Attestation[]): Answers {
  const byRef = new Map<string, Attestation[]>()
  for (const record of records) {
    const ref = baseRef(record)
    const rounds = byRef.get(ref)
    if (rounds === undefined) byRef.set(ref, [record])
    else rounds.push(record)
  }
  // By round first: the clock may have been set back between two of them.
  for (const rounds of byRef.values()) rounds.sort((a, b) => roundOf(a) - roundOf(b) || byTime(a, b))
  return {
    of: (ref, passId) => byRef.get(ref)?.findLast((record) => record.passId === passId || record.passId === '') ?? null
  }
}

/** Records in the order in which they were given (RUN-902). */
export function inTimeOrder(records: readonly Attestation[]): readonly Attestation[] {
  return records.toSorted(byTime)
}

function byTime(a: Attestation, b: Attestation): number {
  if (a.timestamp === b.timestamp) return roundOf(a) - roundOf(b) || (a.id < b.id ? -1 : 1)
  return a.timestamp < b.timestamp ? -1 : 1
}
