import type { ArrowStatus } from '../../protocol/gate.ts'
import type { Arrow, Severity } from '../../protocol/grid.ts'
import type { ClauseOutcome, Finding, Invalidation, PassRecord } from './records.ts'
import { blocks } from './severity.ts'

// What an arrow is, recomputed from what is stored at every reading (GATE-2, GATE-52…57, RUN-251, RUN-260…263). The two counts are never
// summed, and nothing that was not evaluated is ever folded into pass or fail.

export type Derivation = {
  readonly status: ArrowStatus
  readonly blockingClauses: number
  readonly blockingFindings: number
}

export type FindingInput = { readonly status: string; readonly severity: Severity | 'unevaluated' }

export type DerivationInput = {
  readonly clauses: readonly { readonly status: string }[]
  readonly findings: readonly FindingInput[]
  readonly threshold: Severity
}

/** Steps 3 to 7 of GATE-53; the first that holds decides. A clause status outside the known set counts as `unevaluated` (GATE-3). */
export function deriveStatus({ clauses, findings, threshold }: DerivationInput): Derivation {
  const count = (...words: readonly ClauseWord[]) =>
    clauses.filter(({ status }) => words.includes(wordOf(status))).length
  const failed = count('fail')
  const blocking = findings.filter((finding) => isBlocking(finding, threshold)).length
  if (failed > 0 || blocking > 0) return { status: 'blocked', blockingClauses: failed, blockingFindings: blocking }

  const unevaluated = count('unevaluated')
  const unevaluatedFindings = findings.filter(({ status }) => status === 'unevaluated').length
  if (unevaluated > 0 || unevaluatedFindings > 0)
    return { status: 'unevaluated', blockingClauses: unevaluated, blockingFindings: unevaluatedFindings }

  const unfinished = count('pending', 'running')
  const waiting = count('awaiting-attestation', 'insufficient-basis')
  if (waiting > 0 && unfinished === 0) return { status: 'provisional', blockingClauses: waiting, blockingFindings: 0 }
  if (unfinished > 0 || clauses.length === 0)
    return { status: 'in-progress', blockingClauses: unfinished, blockingFindings: 0 }
  return { status: 'complete', blockingClauses: 0, blockingFindings: 0 }
}

const clauseWords = [
  'pending',
  'running',
  'pass',
  'fail',
  'awaiting-attestation',
  'insufficient-basis',
  'unevaluated'
] as const
type ClauseWord = (typeof clauseWords)[number]

function wordOf(status: string): ClauseWord {
  return clauseWords.find((word) => word === status) ?? 'unevaluated'
}

/** Open, running or of an unknown status, at or above the threshold (GATE-53 step 3). */
export function isBlocking({ status, severity }: FindingInput, threshold: Severity): boolean {
  if (status === 'resolved' || status === 'accepted-risk' || status === 'unevaluated') return false
  return blocks(severity, threshold)
}

/** Everything that holds an arrow up, unevaluated findings of any severity included (RUN-513). */
export function holdsUp(finding: FindingInput, threshold: Severity): boolean {
  return finding.status === 'unevaluated' || isBlocking(finding, threshold)
}

/** The most recent pass that closed or aborted with `aborted-remediation`, with its clause outcomes (GATE-52). */
export type EffectivePass = { readonly pass: PassRecord; readonly clauses: readonly ClauseOutcome[] }

export type CurrentInput = {
  readonly arrow: Arrow
  readonly effective: EffectivePass | null
  /** Only one that is in force. */
  readonly invalidation: Invalidation | null
  readonly findings: readonly Finding[]
  readonly threshold: Severity
}

/** Current status of an arrow (GATE-52, GATE-53). `isStarted` is false exactly when nobody ever asked. */
export function currentStatus(input: CurrentInput): Derivation & { readonly isStarted: boolean } {
  const { arrow, effective, invalidation } = input
  if (effective === null) {
    // What nobody asked is not evaluated: all recorded clauses block.
    if (invalidation === null)
      return { status: 'unevaluated', blockingClauses: arrow.clauses.length, blockingFindings: 0, isStarted: false }
    return { status: 'invalidated', blockingClauses: 0, blockingFindings: 0, isStarted: true }
  }
  // An invalidation keeps the counts of the pass it voids.
  const held = derivationOf(effective, input)
  return { ...held, status: invalidation === null ? held.status : 'invalidated', isStarted: true }
}

function derivationOf(effective: EffectivePass, { arrow, findings, threshold }: CurrentInput): Derivation {
  if (!wasRemediationAborted(effective.pass))
    return deriveStatus({ clauses: withMissing(effective, arrow), findings, threshold })
  const blocking = findings.filter((finding) => isBlocking(finding, threshold)).length
  return { status: 'aborted-remediation', blockingClauses: 0, blockingFindings: blocking }
}

/** A recorded clause without an outcome is not evaluated, whatever became of its row (GATE-3). */
function withMissing({ clauses }: EffectivePass, arrow: Arrow): readonly { readonly status: string }[] {
  const known = new Set(clauses.map(({ clauseId }) => clauseId))
  const missing = arrow.clauses.filter(({ id }) => !known.has(id)).map(() => ({ status: 'unevaluated' }))
  return [...clauses, ...missing]
}

function wasRemediationAborted({ state, closeReason }: Pick<PassRecord, 'state' | 'closeReason'>): boolean {
  return state === 'aborted' && reasonCode(closeReason) === 'aborted-remediation'
}

/** Whether a pass that ended so is one that decides its arrow (GATE-46, GATE-52). */
export function becomesEffective(pass: Pick<PassRecord, 'state' | 'closeReason'>): boolean {
  return pass.state === 'closed' || wasRemediationAborted(pass)
}

/** The code of a close reason, without its detail (RUN-105). */
export function reasonCode(closeReason: string): string {
  return closeReason.split(':', 1)[0] ?? ''
}

/** A status as people read it: `complete` prints as `valid` (RUN-101). */
export function statusLabel(status: ArrowStatus): string {
  return status === 'complete' ? 'valid' : status
}
