import type { Database } from 'better-sqlite3'
import type { Arrow, Grid } from '../../protocol/grid.ts'
import type { Invalidation, Stamp } from '../runner/index.ts'
import type { Replayed } from './replay.ts'
import { type ArrowDefinition, insertArrow, sameDefinition } from './tables/arrows.ts'
import { putInvalidation } from './tables/invalidations.ts'
import { createSql } from './tables/row.ts'

export type Reconciled = {
  readonly inserted: readonly string[]
  readonly superseded: readonly string[]
  /** An old pass would otherwise vouch for the new definition. */
  readonly invalidated: readonly Invalidation[]
  /** Kept as history, and reported. */
  readonly onlyInTable: readonly string[]
}

export type ReconcileInput = {
  readonly db: Database
  readonly grid: Grid
  readonly replayed: Pick<Replayed, 'arrows' | 'invalidations'>
  readonly now: () => Stamp
}

/** Makes the table of arrows follow the grid file, which is the truth about definitions, in one transaction (PERS-411). */
export function reconcileGrid({ db, grid, replayed, now }: ReconcileInput): Reconciled {
  const sql = createSql(db)
  const hadPass = db.prepare<[string], number>('SELECT 1 FROM passes WHERE arrow_id = ? LIMIT 1').pluck()
  const isRecorded = (arrowId: string) =>
    replayed.invalidations.some((each) => each.arrowId === arrowId && each.gridVersion === grid.version)
  const inserted: string[] = []
  const superseded: string[] = []
  const invalidated: Invalidation[] = []

  const supersede = (arrow: Arrow) => {
    superseded.push(arrow.id)
    if (hadPass.get(arrow.id) === undefined || isRecorded(arrow.id)) return
    const invalidation: Invalidation = {
      arrowId: arrow.id,
      opId: grid.createdByOpId,
      because: ['superseded'],
      reason: 'definition changed in the grid file',
      at: now(),
      gridVersion: grid.version,
      source: 'amendment',
      consumedByPass: null
    }
    for (const write of putInvalidation(invalidation)) write.apply(sql)
    invalidated.push(invalidation)
  }

  db.transaction(() => {
    for (const arrow of grid.arrows) {
      const known = replayed.arrows.get(arrow.id)
      if (known !== undefined && sameDefinition(arrow, known)) continue
      insertArrow(definitionOf(arrow, grid, now())).apply(sql)
      if (known === undefined) inserted.push(arrow.id)
      else supersede(arrow)
    }
  }).immediate()

  const declared = new Set(grid.arrows.map(({ id }) => id))
  return {
    inserted,
    superseded,
    invalidated,
    onlyInTable: [...replayed.arrows.keys()].filter((id) => !declared.has(id))
  }
}

function definitionOf(arrow: Arrow, grid: Grid, declaredAt: Stamp): ArrowDefinition {
  const { id, sourceRole, targetRole, stratum, context, clauses, requirements } = arrow
  const definition = { id, sourceRole, targetRole, stratum, context, clauses, requirements }
  return { ...definition, gridVersion: grid.version, kind: 'append', declaredAt }
}
