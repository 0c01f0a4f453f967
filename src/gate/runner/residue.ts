import type { Grid, ResidueEntry, Role } from '../../protocol/grid.ts'
import { arrowId, defaultPairs } from './arrow-id.ts'
import { contracts } from './contracts/index.ts'
import { addCosts } from './weight.ts'

// What was knowingly left undone, as a number that never rounds anything away (GATE-78, GATE-79).

export type Residue = {
  /** Operator-action units. */
  readonly units: number
  /** Cells and clauses whose cost nobody can tell yet; counted apart (GATE-78). */
  readonly pendingBindings: number
}

/** R of a grid: the undeclared cells at what their contract would cost, and the residue clauses at their stored cost (GATE-78). */
export function residueOf(grid: Grid): Residue {
  const declared = new Set(
    grid.arrows.map(({ sourceRole, targetRole, context }) => arrowId(sourceRole, targetRole, context))
  )
  const contexts = new Set([...grid.boundedContexts.map(({ id }) => id), ...undeclaredContexts(grid.residue)])
  const cells = [...contexts].flatMap((context) =>
    defaultPairs
      .filter(({ source, target }) => !declared.has(arrowId(source, target, context)))
      .map(({ source }) => imputedCost(source, grid))
  )
  const entries = grid.residue.flatMap(({ cost }) => (cost === null ? [] : [cost]))
  const unknown = grid.residue.filter(({ kind, cost }) => clauseKinds.has(kind) && cost === null)
  return { units: addCosts([...cells, ...entries]), pendingBindings: unknown.length }
}

/** R as reports print it (GATE-78). */
export function residueText({ units, pendingBindings }: Residue): string {
  return pendingBindings === 0 ? `${units}` : `${units} (+${pendingBindings} pending bindings)`
}

/** Cost of the whole contract of `source` as it would be proposed in this project, one instance per language (GATE-78). */
export function imputedCost(source: Role | 'init', grid: Pick<Grid, 'mode' | 'languages'>): number {
  const instances = Math.max(1, grid.languages.length)
  // Base clauses cost nothing (ROLE-16), so the role's own clauses are the whole.
  return addCosts(
    contracts[source].clauses
      .filter(({ applies }) => applies === 'both' || applies === grid.mode)
      .map(({ cost, args }) => (Object.values(args).includes('{language}') ? cost * instances : cost))
  )
}

/** Contexts that were seen and left out on purpose; the entry's description is the context's id (GATE-78). */
function undeclaredContexts(residue: readonly ResidueEntry[]): readonly string[] {
  return residue.filter(({ kind }) => kind === 'context-undeclared').map(({ description }) => description)
}

const clauseKinds: ReadonlySet<string> = new Set(['auto-skipped', 'skipped', 'base-pending'])
