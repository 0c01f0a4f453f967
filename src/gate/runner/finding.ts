import type { FindingStatus } from '../../protocol/gate.ts'
import type { Severity } from '../../protocol/grid.ts'
import { type Refusal, refusal } from './refusal.ts'
import { isSeverity } from './severity.ts'

// What a finding may be and how it may change (RUN-500…513, GATE-64…67).

export const findingStatuses = ['open', 'running', 'resolved', 'accepted-risk', 'unevaluated'] as const

const moves: Readonly<Record<FindingStatus, readonly FindingStatus[]>> = {
  open: ['running', 'resolved', 'accepted-risk'],
  running: ['open', 'resolved', 'accepted-risk', 'unevaluated'],
  resolved: ['open'],
  'accepted-risk': ['open'],
  unevaluated: ['running', 'open']
}

/** Whether the finding state machine has this edge (RUN-510); unknown words have none. */
export function mayFindingMove(from: string, to: FindingStatus): boolean {
  return Object.hasOwn(moves, from) && moves[from as FindingStatus].includes(to)
}

/** Further transitions are refused from here on (RUN-500, GATE-67). */
export const churnLimit = 100

/** Sanitised lengths of the record's texts, in characters (RUN-500, RUN-624). */
export const findingLimits = { description: 200, basis: 1000, evidence: 4000, locations: 20, location: 500 } as const

export type NewFinding = {
  /** Absent: an id is made from the raising role, the time and a number. */
  readonly id?: string
  readonly arrowId: string
  readonly type: string
  /** `unevaluated`: nobody could assign one, which forces the status of that name (GATE-65). */
  readonly severity: Severity | 'unevaluated'
  readonly status?: FindingStatus
  readonly description: string
  readonly basis?: string
  readonly evidence?: string
  readonly locations?: readonly string[]
  readonly targetClause?: string | null
  readonly targetRequirement?: string | null
  readonly raisedByRole: string
  readonly gridVersion: number
}

export type RaiseRefusal = Refusal<
  | 'finding-id-empty'
  | 'finding-arrow-id-empty'
  | 'finding-type-empty'
  | 'finding-type-invalid'
  | 'finding-invalid-severity'
  | 'finding-invalid-status'
  | 'finding-duplicate-id'
>

/** What is wrong with a finding to be raised, or null (RUN-501). */
export function raiseProblem(finding: NewFinding): RaiseRefusal | null {
  if (finding.id?.trim() === '') return refusal('finding-id-empty')
  if (finding.arrowId.trim() === '') return refusal('finding-arrow-id-empty')
  if (finding.type.trim() === '') return refusal('finding-type-empty')
  if (!/^[a-z][a-z0-9-]*$/.test(finding.type))
    return refusal('finding-type-invalid', `finding-type-invalid: "${finding.type}"`)
  if (finding.severity !== 'unevaluated' && !isSeverity(finding.severity)) return refusal('finding-invalid-severity')
  if (finding.status !== undefined && !findingStatuses.includes(finding.status))
    return refusal('finding-invalid-status')
  return null
}

/** Severity a type has when nobody supplies one (RUN-622). */
export function defaultSeverity(type: string): Severity {
  return type === 'clause-falsification' || type === 'depth-below-min' ? 'high' : 'medium'
}

export type TransitionRefusal = Refusal<
  | 'unknown-finding'
  | 'illegal-transition'
  | 'producer-cannot-accept-own-risk'
  | 'finding-role-not-allowed'
  | 'finding-transition-churn'
>

/** Whether this role may move a finding from here to there (RUN-511); assumes the edge exists. */
export function roleProblem(from: string, to: FindingStatus, role: string): TransitionRefusal | null {
  if (to === 'accepted-risk') return role === 'operator' ? null : refusal('producer-cannot-accept-own-risk')
  const allowed = rolesFor(from, to)
  if (allowed.includes(role)) return null
  const text = `finding-role-not-allowed: ${role || '(none)'} may not move a finding from ${from} to ${to}`
  return refusal('finding-role-not-allowed', text)
}

function rolesFor(from: string, to: FindingStatus): readonly string[] {
  switch (to) {
    case 'resolved':
      return ['adversary', 'orchestrator', 'operator']
    case 'running':
      return ['producer', 'orchestrator']
    case 'unevaluated':
      return ['adversary', 'orchestrator']
    default:
      // Back to open: a claim that did not hold is the cycle's own affair, a settled finding is not.
      return from === 'running' ? ['adversary', 'orchestrator', 'operator'] : ['adversary', 'operator']
  }
}
