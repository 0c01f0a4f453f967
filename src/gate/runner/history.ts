import { becomesEffective, type EffectivePass } from './derive.ts'
import type { Phase } from './phase.ts'
import type { ClauseOutcome, PassRecord } from './records.ts'
import type { Stamps } from './stamp.ts'

// What passes that have ended left behind in memory: as much as decides, no more. The rows themselves are in the table (RUN-304).

/** The last of an arrow's passes, as replay finds them. */
export type ArrowHistory = {
  readonly arrowId: string
  readonly effective: EffectivePass | null
  /** The pass that ended last, however it ended (RUN-222). */
  readonly latest: PassRecord | null
  /** Op-id → a pass on this arrow it opened (ATT-343). */
  readonly openers: ReadonlyMap<string, string>
}

export interface History {
  effective(arrowId: string): EffectivePass | null
  latest(arrowId: string): PassRecord | null
  /** The pass on this arrow that this op-id opened, or null. */
  openedBy(arrowId: string, opId: string): string | null
  noteOpened(pass: PassRecord): void
  /** Returns whether the pass is now the effective one. */
  noteEnded(pass: PassRecord, clauses: readonly ClauseOutcome[]): boolean
  load(histories: Iterable<ArrowHistory>): void
}

/** No pass has ended yet; an earlier process’s come by `load` (GATE-52). */
export function createHistory({ phase, stamps }: { readonly phase: Phase; readonly stamps: Stamps }): History {
  const effective = new Map<string, EffectivePass>()
  const latest = new Map<string, PassRecord>()
  const openers = new Map<string, Map<string, string>>()
  const opened = (arrowId: string) => {
    const ofArrow = openers.get(arrowId) ?? new Map<string, string>()
    openers.set(arrowId, ofArrow)
    return ofArrow
  }
  return {
    effective(arrowId) {
      const found = effective.get(arrowId)
      return found === undefined
        ? null
        : { pass: { ...found.pass }, clauses: found.clauses.map((each) => ({ ...each })) }
    },
    latest(arrowId) {
      const found = latest.get(arrowId)
      return found === undefined ? null : { ...found }
    },
    openedBy: (arrowId, opId) => openers.get(arrowId)?.get(opId) ?? null,
    noteOpened({ arrowId, openedByOpId, id }) {
      if (openedByOpId !== '') opened(arrowId).set(openedByOpId, id)
    },
    noteEnded(pass, clauses) {
      latest.set(pass.arrowId, pass)
      if (!becomesEffective(pass)) return false
      effective.set(pass.arrowId, { pass, clauses })
      return true
    },
    load(histories) {
      phase.loading()
      for (const history of histories) {
        if (history.effective !== null) effective.set(history.arrowId, history.effective)
        if (history.latest !== null) latest.set(history.arrowId, history.latest)
        for (const [opId, passId] of history.openers) opened(history.arrowId).set(opId, passId)
        for (const pass of [history.effective?.pass, history.latest]) stamps.after(pass?.closedAt ?? '')
      }
    }
  }
}
