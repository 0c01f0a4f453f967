import { isDeepStrictEqual } from 'node:util'
import type { Arrow, Clause, Requirement } from '../../../protocol/grid.ts'
import {
  emptyProblem,
  firstProblem,
  insertInto,
  jsonProblem,
  parseArray,
  type RowWrite,
  sound,
  wordProblem
} from './row.ts'

/** One definition an arrow had, with the grid version that brought it. */
export type ArrowDefinition = Pick<
  Arrow,
  'id' | 'sourceRole' | 'targetRole' | 'stratum' | 'context' | 'clauses' | 'requirements'
> & {
  readonly gridVersion: number
  readonly kind: 'append' | 'on-the-spot'
  readonly declaredAt: string
}

export type ArrowRow = {
  readonly id: string
  readonly grid_version: number
  readonly source_role: string
  readonly target_role: string
  readonly stratum: string
  readonly context: string
  readonly clauses_json: string
  readonly requirements_json: string
  readonly kind: string
  readonly declared_at: string
}

const kinds = ['append', 'on-the-spot'] as const

/** A definition at the version that brought it; the same again changes nothing (PERS-301). */
export function insertArrow(definition: ArrowDefinition): RowWrite {
  const row: ArrowRow = {
    id: definition.id,
    grid_version: definition.gridVersion,
    source_role: definition.sourceRole,
    target_role: definition.targetRole,
    stratum: definition.stratum,
    context: definition.context,
    clauses_json: JSON.stringify(definition.clauses),
    requirements_json: JSON.stringify(definition.requirements),
    kind: definition.kind,
    declared_at: definition.declaredAt
  }
  return {
    table: 'grid_arrows',
    key: `${row.id} ${row.grid_version}`,
    problem: firstProblem('grid_arrows', [
      ['id', emptyProblem(row.id)],
      ['source_role', emptyProblem(row.source_role)],
      ['target_role', emptyProblem(row.target_role)],
      ['context', emptyProblem(row.context)],
      ['clauses_json', jsonProblem(row.clauses_json, 'array')],
      ['requirements_json', jsonProblem(row.requirements_json, 'array')],
      ['kind', wordProblem(row.kind, kinds)]
    ]),
    apply: (sql) => void sql.run(insertInto('grid_arrows', row, 'INSERT OR REPLACE'), row)
  }
}

/** Throws `BadRow` (PERS-413). */
export function readArrow(row: ArrowRow): ArrowDefinition {
  return {
    id: sound('id', row.id, emptyProblem(row.id)),
    sourceRole: row.source_role as Arrow['sourceRole'],
    targetRole: row.target_role as Arrow['targetRole'],
    stratum: row.stratum,
    context: row.context,
    clauses: parseArray('clauses_json', row.clauses_json) as readonly Clause[],
    requirements: parseArray('requirements_json', row.requirements_json) as readonly Requirement[],
    gridVersion: row.grid_version,
    kind: sound('kind', row.kind as ArrowDefinition['kind'], wordProblem(row.kind, kinds)),
    declaredAt: row.declared_at
  }
}

/** Whether an arrow is defined as the table has it. Both go through JSON, which has no `undefined` (PERS-411). */
export function sameDefinition(arrow: Arrow, row: ArrowDefinition): boolean {
  const plain = ({ sourceRole, targetRole, stratum, context, clauses, requirements }: ArrowDefinition | Arrow) =>
    JSON.parse(JSON.stringify({ sourceRole, targetRole, stratum, context, clauses, requirements })) as unknown
  return isDeepStrictEqual(plain(arrow), plain(row))
}
