import type { ArrowStatus } from '../../protocol/gate.ts'
import type { Arrow, Grid } from '../../protocol/grid.ts'
import { arrowId, defaultPairs } from './arrow-id.ts'
import { type Refusal, refusal } from './refusal.ts'

// Who has to be done first (GATE-82…85). The order per context is a fixed chain and is not searched for by role names.

/**
 * The id of the arrow that must be complete before this one may open a pass, declared or not; null for the first of the chain (GATE-82).
 */
function predecessorId({
  sourceRole,
  targetRole,
  context
}: Pick<Arrow, 'sourceRole' | 'targetRole' | 'context'>): string | null {
  if (sourceRole === 'init') return null
  if (sourceRole === 'integrator' && targetRole === 'analyst') return arrowId('implementer', 'integrator', context)
  // Within the chain and outside of it alike: the chain arrow into the source role.
  const into = defaultPairs.find(({ target }) => target === sourceRole)
  return into === undefined ? null : arrowId(into.source, into.target, context)
}

/** The declared predecessor in the arrow's own context, or null: then the transition is allowed (RUN-250). */
export function predecessorOf(grid: Grid, arrow: Arrow): Arrow | null {
  const id = predecessorId(arrow)
  return id === null ? null : (grid.arrows.find((each) => each.id === id) ?? null)
}

/** Whether an arrow may be run by itself before the one it precedes: nobody needs to be asked and no model is needed (GATE-83). */
export function isMachineRobust({ clauses }: Arrow): boolean {
  return clauses.every((clause) => clause.eval === 'machine' && clause.depth === 'depth-robust')
}

export type TransitionRefusal = Refusal<'transition-refused' | 'transition-refused-invalidated'> & {
  readonly upstreamArrow: string
  readonly downstreamArrow: string
  readonly upstreamStatus: Exclude<ArrowStatus, 'complete'>
  readonly blockingClauses: number
  /** At least 1 for the invalidated kind, else 0. */
  readonly invalidatingGridVersion: number
}

export type TransitionInvalidInput = Refusal<'transition-invalid-input'>

export type TransitionFields = {
  readonly upstreamArrow: string
  readonly downstreamArrow: string
  readonly upstreamStatus: Exclude<ArrowStatus, 'complete'>
  readonly blockingClauses: number
  readonly invalidatingGridVersion: number
}

/** The refusal with its exact line (GATE-84, GATE-85). Empty ids and negative counts are a caller's error, not a refusal. */
export function transitionRefusal(fields: TransitionFields): TransitionRefusal | TransitionInvalidInput {
  const { upstreamArrow, downstreamArrow, upstreamStatus, blockingClauses, invalidatingGridVersion } = fields
  const isInvalidated = upstreamStatus === 'invalidated'
  const isValid =
    upstreamArrow.trim() !== '' &&
    downstreamArrow.trim() !== '' &&
    blockingClauses >= 0 &&
    invalidatingGridVersion >= (isInvalidated ? 1 : 0)
  if (!isValid) return refusal('transition-invalid-input')
  if (isInvalidated) {
    const text = `transition-refused-invalidated: upstream arrow "${upstreamArrow}" invalidated by grid-version v${invalidatingGridVersion}; downstream "${downstreamArrow}" refused`
    return { ...fields, ...refusal('transition-refused-invalidated', text), blockingClauses: 0 }
  }
  const text = `transition-refused: upstream arrow "${upstreamArrow}" has status "${upstreamStatus}" (${blockingClauses} blocking clauses); downstream "${downstreamArrow}" refused`
  return { ...fields, ...refusal('transition-refused', text), invalidatingGridVersion: 0 }
}
