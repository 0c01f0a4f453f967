import type { Attestation } from './records.ts'

// Consecutive `insufficient-basis` verdicts per (arrow, clause) (RUN-900…902, GATE-60, GATE-61).

export interface Tracker {
  /** Counts a record; true when this one reached the limit, which it says once per escalation. */
  follow(record: Pick<Attestation, 'arrowId' | 'clauseId' | 'verdict'>): boolean
  count(arrowId: string, clauseId: string): number
  /** An escalation is outstanding: no verdict on the clause is accepted outside it (RUN-901). */
  isCrossed(arrowId: string, clauseId: string): boolean
  /** Counts anew from records in time order (RUN-902). */
  rebuild(records: Iterable<Pick<Attestation, 'arrowId' | 'clauseId' | 'verdict'>>): void
}

/** `roundsMax` is read from the grid in force (RUN-900). */
export function createTracker(roundsMax: () => number): Tracker {
  const counts = new Map<string, { count: number; isCrossed: boolean }>()
  const keyOf = (arrowId: string, clauseId: string) => JSON.stringify([arrowId, clauseId])
  const follow: Tracker['follow'] = ({ arrowId, clauseId, verdict }) => {
    if (clauseId === '') return false
    const key = keyOf(arrowId, clauseId)
    if (verdict !== 'insufficient-basis') {
      counts.delete(key)
      return false
    }
    const { count, isCrossed } = counts.get(key) ?? { count: 0, isCrossed: false }
    const crosses = !isCrossed && count + 1 >= roundsMax()
    counts.set(key, { count: count + 1, isCrossed: isCrossed || crosses })
    return crosses
  }
  return {
    follow,
    count: (arrowId, clauseId) => counts.get(keyOf(arrowId, clauseId))?.count ?? 0,
    isCrossed: (arrowId, clauseId) => counts.get(keyOf(arrowId, clauseId))?.isCrossed ?? false,
    rebuild(records) {
      counts.clear()
      for (const record of records) follow(record)
    }
  }
}
