import type { EvaluatorRegistry } from '../../protocol/evaluation.ts'
import type { Arrow, Grid } from '../../protocol/grid.ts'
import type { KnownArrow } from './attestation/ref.ts'
import { withClauseIds } from './clause-ids.ts'

/** The grid and the evaluators in force. They change together, in one step, so that nobody sees a mixture (RUN-720 6a, RUN-724). */
export interface GridHolder {
  current(): Grid | null
  registry(): EvaluatorRegistry
  arrow(id: string): Arrow | null
  swap(grid: Grid, registry: EvaluatorRegistry): void
  /** What may be attested: the arrows and clauses of this grid and of every earlier version that is known (ATT-201). */
  known(): readonly KnownArrow[]
}

/** `earlier` are definitions of former versions, as the table of arrows keeps them. */
export function createGridHolder(
  first: Grid | null,
  registry: EvaluatorRegistry,
  earlier: Iterable<{ readonly id: string; readonly clauseIds: readonly string[] }> = []
): GridHolder {
  let grid = first === null ? null : named(first)
  let evaluators = registry
  const clauses = new Map<string, Set<string>>()
  const remember = (id: string, clauseIds: readonly string[]) => {
    const known = clauses.get(id) ?? new Set()
    for (const clauseId of clauseIds) known.add(clauseId)
    clauses.set(id, known)
  }
  const rememberGrid = () => {
    for (const arrow of grid?.arrows ?? [])
      remember(
        arrow.id,
        arrow.clauses.map(({ id }) => id)
      )
  }
  for (const { id, clauseIds } of earlier) remember(id, clauseIds)
  rememberGrid()
  return {
    current: () => grid,
    registry: () => evaluators,
    arrow: (id) => grid?.arrows.find((arrow) => arrow.id === id) ?? null,
    swap(next, nextRegistry) {
      grid = named(next)
      evaluators = nextRegistry
      rememberGrid()
    },
    known() {
      const versions = Array.from({ length: grid?.version ?? 0 }, (_, n) => n + 1).reverse()
      return [...clauses].map(([id, ids]) => ({ id, clauseIds: [...ids], versions }))
    }
  }
}

function named(grid: Grid): Grid {
  return { ...grid, arrows: grid.arrows.map(withClauseIds) }
}
