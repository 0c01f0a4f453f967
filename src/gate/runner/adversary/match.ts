import type { NewFinding } from '../finding.ts'
import type { Finding } from '../records.ts'
import { severityRank } from '../severity.ts'

// When two findings are the same defect (RUN-632).

type Defect = Pick<NewFinding, 'type' | 'targetClause' | 'targetRequirement' | 'locations' | 'evidence'>

/** Same type and same clause or requirement; what an open sweep found is the same where the locations overlap (RUN-632). */
export function isSameDefect(a: Defect, b: Defect): boolean {
  if (a.type !== b.type) return false
  if (a.type === 'open-sweep') return overlap(a.locations ?? [], b.locations ?? [])
  const clause = a.targetClause ?? null
  const requirement = a.targetRequirement ?? null
  if (clause === null && requirement === null) return false
  return clause === (b.targetClause ?? null) && requirement === (b.targetRequirement ?? null)
}

/**
 * Whether an accepted risk covers what was found now. The operator accepted one defect and not everything about its clause, so the
 * place has to be the same as well, or without a place the evidence (RUN-632).
 */
export function isCoveredBy(accepted: Finding, draft: NewFinding): boolean {
  if (!isSameDefect(accepted, draft) || outweighs(draft, accepted)) return false
  const places = draft.locations ?? []
  if (places.length > 0 || accepted.locations.length > 0) return overlap(places, accepted.locations)
  return (draft.evidence ?? '').trim() === accepted.evidence.trim()
}

/** A graver defect never disappears behind one that is known (RUN-632). */
export function outweighs(draft: NewFinding, known: Finding): boolean {
  if (draft.severity === 'unevaluated' || draft.status === 'unevaluated') return known.status !== 'unevaluated'
  return severityRank(draft.severity) > severityRank(known.severity)
}

type Place = { readonly path: string; readonly from: number; readonly to: number }

/** Whether any two of these places meet. A place without lines is the whole file (RUN-632). */
export function overlap(a: readonly string[], b: readonly string[]): boolean {
  const others = b.map(placeOf)
  return a
    .map(placeOf)
    .some((one) => others.some((other) => one.path === other.path && one.from <= other.to && other.from <= one.to))
}

function placeOf(location: string): Place {
  const match = /^(.*?):(\d+)(?:-(\d+))?$/.exec(location.trim())
  const path = (match?.[1] ?? location.trim()).replace(/^(?:\.\/)+/, '')
  if (match === null) return { path, from: 0, to: Number.POSITIVE_INFINITY }
  const first = Number(match[2])
  const last = Number(match[3] ?? match[2])
  return { path, from: Math.min(first, last), to: Math.max(first, last) }
}
