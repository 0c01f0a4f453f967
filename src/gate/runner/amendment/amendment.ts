import type { Stamp } from '../records.ts'
import { type Refusal, refusal } from '../refusal.ts'

/** A request to change the grid (RUN-700). */
export type Amendment = {
  readonly id: string
  readonly reason: string
  readonly sourceArrow: string
  readonly targetRole: string
  readonly contexts: readonly string[]
  readonly findingIds: readonly string[]
  readonly description: string
  readonly createdAt: Stamp
  /** null: pending. */
  readonly drainedAt: Stamp | null
  readonly gridVersionAfter: number | null
}

export type NewAmendment = Omit<Amendment, 'createdAt' | 'drainedAt' | 'gridVersionAfter'>

/** The only reason there is (RUN-700). */
export const amendmentReason = 'missing-cross-context-spec'

export type AmendmentRefusal = Refusal<
  | 'amendment-id-empty'
  | 'amendment-reason-empty'
  | 'amendment-reason-unknown'
  | 'amendment-source-arrow-empty'
  | 'amendment-target-role-empty'
  | 'amendment-finding-ids-empty'
  | 'amendment-contexts-too-few'
>

/** What is wrong with a request, or null; one context is enough where the grid has no other (RUN-700). */
export function amendmentProblem(amendment: NewAmendment, contextsOfGrid: number): AmendmentRefusal | null {
  const { id, reason, sourceArrow, targetRole, contexts, findingIds } = amendment
  if (id.trim() === '') return refusal('amendment-id-empty')
  if (reason.trim() === '') return refusal('amendment-reason-empty')
  if (reason !== amendmentReason) return refusal('amendment-reason-unknown', `amendment-reason-unknown: "${reason}"`)
  if (sourceArrow.trim() === '') return refusal('amendment-source-arrow-empty')
  if (targetRole.trim() === '') return refusal('amendment-target-role-empty')
  if (findingIds.length === 0) return refusal('amendment-finding-ids-empty')
  return contexts.length < Math.min(2, Math.max(1, contextsOfGrid)) ? refusal('amendment-contexts-too-few') : null
}
