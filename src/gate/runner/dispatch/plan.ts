import type { EvaluationResult } from '../../../protocol/gate.ts'
import type { Arrow, Clause } from '../../../protocol/grid.ts'
import { autoClauseId } from '../arrow-id.ts'
import { reachesDepth } from '../depth.ts'
import type { CycleReport } from '../ports.ts'
import type { LoopOutcome } from '../records.ts'
import type { Route } from '../routing.ts'

// Which clauses a pass verifies, in which order, and how each of them is decided (RUN-230, RUN-231).

export type Planned = { readonly clause: Clause } & (
  | { readonly how: 'evaluate' }
  /** Arguments are missing. */
  | { readonly how: 'deferred' }
  /** The model is too shallow and nobody is asked in its place (GATE-22). */
  | { readonly how: 'below-depth' }
  /** To the operator; `note` when no usable model reaches the clause (GATE-24). */
  | { readonly how: 'attest'; readonly note: string | null }
  /** Decided by the last round of the cycle; null: the cycle left no result for it. */
  | { readonly how: 'falsified'; readonly result: EvaluationResult | null }
)

/** What verification adds by itself, and what each of them demands (GATE-69). */
const autoConcepts: ReadonlyMap<string, string> = new Map([
  ['no-open-finding', 'no finding of the arrow is open at or above the threshold'],
  ['every-requirement-meets-min-depth', 'every requirement was observed at its minimum depth or deeper']
])

/** `report` is null when no cycle ran (RUN-231). */
export function planVerification(arrow: Arrow, route: Route, report: CycleReport | null): readonly Planned[] {
  const declared = arrow.clauses.map((clause) => planned(clause, route, report))
  return didAttack(report) ? [...declared, ...autoInserted(arrow)] : declared
}

/** Whether an adversary attacked in this pass: requests then carry its role (RUN-233). */
export function didAttack(report: CycleReport | null): report is CycleReport {
  return hasConverged(report?.outcome ?? null)
}

/** Whether a cycle that came to this had an attack that found nothing (RUN-233, RUN-650). */
export function hasConverged(outcome: LoopOutcome | null): boolean {
  return outcome === 'converged' || outcome === 'converged-with-unevaluated'
}

function planned(clause: Clause, route: Route, report: CycleReport | null): Planned {
  if (clause.missing.length > 0) return { clause, how: 'deferred' }
  const isSensitive = clause.depth === 'depth-sensitive'
  if (isSensitive && report?.outcome === 'model-unreachable') return { clause, how: 'below-depth' }
  if (!reachesDepth(clause, route.actualTier))
    return isOutOfReach(route)
      ? { clause, how: 'attest', note: depthNote(clause, route) }
      : { clause, how: 'below-depth' }
  if (clause.eval === 'attested') return { clause, how: 'attest', note: null }
  if (isSensitive && didAttack(report))
    return { clause, how: 'falsified', result: report.results.get(clause.id) ?? null }
  return { clause, how: 'evaluate' }
}

function isOutOfReach({ outcome }: Pick<Route, 'outcome'>): boolean {
  return outcome === 'gate-unsatisfiable' || outcome === 'gate-locked-conflict'
}

/** OPUI-421 */
export function depthNote({ minTier }: Clause, { outcome }: Pick<Route, 'outcome'>): string {
  const why = outcome === 'gate-locked-conflict' ? '--model vouches for no tier' : 'no configured model offers it'
  return `needs rank ${minTier}, ${why}`
}

/** The clauses verification adds by itself, unless the arrow declares their concept (GATE-69). It cannot weaken or remove them. */
function autoInserted(arrow: Arrow): readonly Planned[] {
  const declared = new Set(arrow.clauses.map(({ concept }) => concept?.toLowerCase()))
  return [...autoConcepts.keys()]
    .filter((concept) => !declared.has(concept))
    .map((concept) => ({ how: 'evaluate', clause: autoClause(arrow.id, concept) }))
}

/** What each clause a pass of this arrow may have demands, by its id. */
export function demandsOf({ id, clauses }: Arrow): ReadonlyMap<string, string> {
  const auto = [...autoConcepts].map(([concept, demand]) => [autoClauseId(id, concept), demand] as const)
  return new Map([...auto, ...clauses.map((clause) => [clause.id, clause.description] as const)])
}

function autoClause(arrowId: string, concept: string): Clause {
  return {
    id: autoClauseId(arrowId, concept),
    description: autoConcepts.get(concept) ?? '',
    layers: [],
    eval: 'machine',
    depth: 'depth-robust',
    minTier: 0,
    cost: 0,
    source: 'auto-inserted',
    concept,
    args: { 'arrow-id': arrowId },
    modified: [],
    missing: []
  }
}
