import type { GateQueries } from '../../protocol/evaluation.ts'
import type { Clause, DepthRank } from '../../protocol/grid.ts'
import { floorOf } from './depth.ts'
import type { Gates } from './gates.ts'
import { thresholdOf } from './severity.ts'

/** What evaluators may ask about the gates; each answer is one moment's (CONC-50). Before the stores are attached there is none. */
export function queriesOf(gates: Gates): GateQueries {
  const { phase, grid, findings, depths, passes } = gates
  const attached = <Answer>(answer: () => Answer | null): Answer | null => (phase.isAttached() ? answer() : null)
  return {
    findings: (arrowId) =>
      attached(() => {
        const declared = grid.current()
        if (declared === null) return null
        const arrow = arrowId === null ? null : grid.arrow(arrowId)
        return {
          storeVersion: findings.version(),
          findings: arrowId === null ? findings.all() : findings.ofArrow(arrowId),
          threshold: arrow === null ? declared.severityThreshold : thresholdOf(declared, arrow)
        }
      }),
    requirements: (arrowId) =>
      attached(() =>
        depths.requirements(arrowId).map(({ id, minDepth }) => {
          const found = depths.classification(arrowId, id)
          const classified = found === null ? null : found.unevaluated ? 'unevaluated' : found.observed
          return { id, minDepth, classified, evidence: found?.evidence ?? '' }
        })
      ),
    passes: () =>
      attached(() =>
        passes.all().map(({ record }) => ({
          id: record.id,
          arrowId: record.arrowId,
          role: record.role,
          context: record.context,
          state: record.state
        }))
      ),
    arrows: () =>
      attached(
        () =>
          grid.current()?.arrows.map(({ id, sourceRole, targetRole, context, stratum, clauses }) => ({
            id,
            source: sourceRole,
            target: targetRole,
            context,
            stratum,
            status: gates.current(id)?.status ?? 'unevaluated',
            depth: depthOf(clauses)
          })) ?? null
      ),
    contexts: () => attached(() => grid.current()?.boundedContexts.map(({ id }) => ({ id })) ?? null)
  }
}

/** A floor that cannot be computed is never mistaken for a low one (GATE-72). */
function depthOf(clauses: readonly Clause[]): DepthRank {
  const floor = floorOf(clauses)
  return floor.kind === 'floor' ? floor.floor : 3
}
