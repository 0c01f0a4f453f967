import type { ClauseStatus, UnevaluatedReason } from '../../protocol/gate.ts'
import type { ClauseOutcome } from './records.ts'
import { type Refusal, refusal } from './refusal.ts'

// The life of one clause within one pass (RUN-103, GATE-29…37).

const moves: Readonly<Record<ClauseStatus, readonly ClauseStatus[]>> = {
  pending: ['running', 'awaiting-attestation', 'unevaluated'],
  running: ['pass', 'fail', 'unevaluated'],
  'awaiting-attestation': ['pass', 'fail', 'insufficient-basis'],
  'insufficient-basis': ['awaiting-attestation', 'pass', 'fail'],
  pass: [],
  fail: [],
  unevaluated: []
}

/** Whether the clause state machine has this edge; words outside its set have none (RUN-103). */
export function mayMove(from: string, to: ClauseStatus): boolean {
  return Object.hasOwn(moves, from) && moves[from as ClauseStatus].includes(to)
}

export type ClauseRefusal = Refusal<'illegal-transition' | 'unknown-clause-id' | 'unevaluated-reason-invalid'>

export type Because = { readonly reason?: UnevaluatedReason; readonly note?: string }

/** The clauses of one pass. Synchronous, so that the transitions of one clause are serialised by themselves (RUN-116). */
export interface ClauseBoard {
  /** Adds a clause as `pending`; one that is there already stays as it is. */
  add(clauseId: string): void
  /** Moves a clause, or refuses and changes nothing. A reason goes with `unevaluated` and with nothing else (RUN-104). */
  move(clauseId: string, to: ClauseStatus, because?: Because): ClauseRefusal | null
  get(clauseId: string): ClauseOutcome | null
  /** In the order they were added. */
  all(): readonly ClauseOutcome[]
}

/** `restored` are the clauses of a pass that a restart found open (PERS-524). */
export function createClauseBoard(restored: readonly ClauseOutcome[] = []): ClauseBoard {
  const clauses = new Map(restored.map((clause) => [clause.clauseId, clause]))
  return {
    add(clauseId) {
      if (!clauses.has(clauseId)) clauses.set(clauseId, { clauseId, status: 'pending', reason: null, note: '' })
    },
    move(clauseId, to, { reason, note = '' } = {}) {
      const clause = clauses.get(clauseId)
      if (clause === undefined) return refusal('unknown-clause-id', `unknown-clause-id: ${clauseId}`)
      if (!mayMove(clause.status, to)) {
        const text = `illegal-transition: ${clause.status} -> ${to} not in clause state machine`
        return refusal('illegal-transition', text)
      }
      if ((to === 'unevaluated') !== (reason !== undefined)) {
        const text = `unevaluated-reason-invalid: ${to} ${reason === undefined ? 'needs a reason' : 'takes no reason'}`
        return refusal('unevaluated-reason-invalid', text)
      }
      clauses.set(clauseId, { clauseId, status: to, reason: reason ?? null, note })
      return null
    },
    get(clauseId) {
      const clause = clauses.get(clauseId)
      return clause === undefined ? null : { ...clause }
    },
    all: () => [...clauses.values()].map((clause) => ({ ...clause }))
  }
}

/**
 * A stored status as it is to be read (GATE-40): a row keeps `running` for a clause that waits for the operator, and the flags say that
 * it does. On any other status they mean nothing (RUN-261).
 */
export function readStored(
  status: string,
  flags: { readonly awaiting?: boolean; readonly insufficient?: boolean } = {}
): string {
  if (status !== 'running') return status
  if (flags.insufficient === true) return 'insufficient-basis'
  return flags.awaiting === true ? 'awaiting-attestation' : status
}

/** The word a row keeps for this status (RUN-102). */
export function storedStatus(status: ClauseStatus): ClauseStatus {
  return status === 'awaiting-attestation' || status === 'insufficient-basis' ? 'running' : status
}
