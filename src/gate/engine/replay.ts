import type { Database } from 'better-sqlite3'
import { byCodeUnit } from '../../lib/compare.ts'
import type { Classification, DeclaredRequirement, Finding, Invalidation } from '../runner/index.ts'
import { rowsOf } from './pages.ts'
import { type AmendmentRecord, type AmendmentRow, readAmendment } from './tables/amendments.ts'
import { type ArrowDefinition, type ArrowRow, readArrow } from './tables/arrows.ts'
import { type ClassificationRow, type RequirementRow, readClassification, readRequirement } from './tables/depths.ts'
import { type FindingRow, readFinding } from './tables/findings.ts'
import { type InvalidationRow, readInvalidation } from './tables/invalidations.ts'
import { type PassRow, readPass } from './tables/passes.ts'
import { BadRow } from './tables/row.ts'

/** Tables in the order in which they are read (PERS-410); attestations are in memory before, from their files. */
export const replayTables = [
  'grid_arrows',
  'arrow_invalidations',
  'requirements',
  'classifications',
  'findings',
  'amendments',
  'passes'
] as const
type ReplayTable = (typeof replayTables)[number]

/** What the tables say, for stores that are empty still. */
export type Replayed = {
  /** Rows taken over per table (PERS-415). */
  readonly counts: Readonly<Record<ReplayTable, number>>
  /** `<table> <id>: <problem>` of each row that was skipped (PERS-413). */
  readonly errors: readonly string[]
  /** The newest definition of each arrow. */
  readonly arrows: ReadonlyMap<string, ArrowDefinition>
  /** Clause ids of every version that is known, by arrow. */
  readonly clauseIds: ReadonlyMap<string, ReadonlySet<string>>
  readonly invalidations: readonly Invalidation[]
  readonly requirements: readonly DeclaredRequirement[]
  readonly classifications: readonly Classification[]
  /** By (raised_at, id). */
  readonly findings: readonly Finding[]
  /** By (created_at, id); drained ones are remembered against duplicates. */
  readonly amendments: readonly AmendmentRecord[]
  /** Highest number of a pass id, 0 when there is none (RUN-301). */
  readonly lastPassNumber: number
}

/** Reads the tables (PERS-410…415). Writes nothing; a bad row is an entry in `errors`, not an end. `check`: see `rowsOf`. */
export function replay(db: Database, check?: () => void): Replayed {
  const errors: string[] = []
  const counts = { ...emptyCounts }

  /** Hands each row that can be read to `take`, whose answer may be a problem of its own. */
  const each = <Row, Value>(
    table: ReplayTable,
    keyOf: (row: Row) => string,
    read: (row: Row) => Value,
    take: (value: Value) => string | undefined
  ) => {
    for (const row of rowsOf<Row>(db, table, check === undefined ? {} : { check })) {
      const problem = problemOf(() => take(read(row)))
      if (problem === null) counts[table] += 1
      else errors.push(`${table} ${keyOf(row)}: ${problem}`)
    }
  }

  const arrows = new Map<string, ArrowDefinition>()
  const clauseIds = new Map<string, Set<string>>()
  each<ArrowRow, ArrowDefinition>(
    'grid_arrows',
    ({ id, grid_version }) => `${id} v${grid_version}`,
    readArrow,
    (arrow) => {
      const known = arrows.get(arrow.id)
      if (known === undefined || arrow.gridVersion >= known.gridVersion) arrows.set(arrow.id, arrow)
      const ids = clauseIds.get(arrow.id) ?? new Set()
      for (const { id } of arrow.clauses) ids.add(id)
      clauseIds.set(arrow.id, ids)
    }
  )
  const invalidations: Invalidation[] = []
  each<InvalidationRow, Invalidation>(
    'arrow_invalidations',
    ({ arrow_id }) => arrow_id,
    readInvalidation,
    (value) => {
      invalidations.push(value)
    }
  )
  const requirements = new Map<string, DeclaredRequirement>()
  each<RequirementRow, DeclaredRequirement>('requirements', pairOf, readRequirement, (value) => {
    requirements.set(`${value.arrowId} ${value.id}`, value)
  })
  const classifications: Classification[] = []
  each<ClassificationRow, Classification>('classifications', pairOf, readClassification, (value) => {
    if (!requirements.has(`${value.arrowId} ${value.requirementId}`)) return 'no such requirement'
    classifications.push(value)
  })
  const findings: Finding[] = []
  each<FindingRow, Finding>(
    'findings',
    ({ id }) => id,
    readFinding,
    (value) => {
      findings.push(value)
    }
  )
  const amendments: AmendmentRecord[] = []
  each<AmendmentRow, AmendmentRecord>(
    'amendments',
    ({ id }) => id,
    readAmendment,
    (value) => {
      amendments.push(value)
    }
  )
  let lastPassNumber = 0
  each<PassRow, number>(
    'passes',
    ({ pass_id }) => pass_id,
    (row) => passNumberOf(readPass(row).id),
    (number) => {
      lastPassNumber = Math.max(lastPassNumber, number)
    }
  )

  return {
    counts,
    errors,
    arrows,
    clauseIds,
    invalidations,
    requirements: [...requirements.values()],
    classifications,
    findings: findings.sort((a, b) => byCodeUnit(a.raisedAt, b.raisedAt) || byCodeUnit(a.id, b.id)),
    amendments: amendments.sort((a, b) => byCodeUnit(a.createdAt, b.createdAt) || byCodeUnit(a.id, b.id)),
    lastPassNumber
  }
}

const emptyCounts: Record<ReplayTable, number> = {
  grid_arrows: 0,
  arrow_invalidations: 0,
  requirements: 0,
  classifications: 0,
  findings: 0,
  amendments: 0,
  passes: 0
}

const pairOf = (row: { readonly arrow_id: string; readonly req_id: string }) => `${row.arrow_id} ${row.req_id}`

function problemOf(work: () => string | undefined): string | null {
  try {
    return work() ?? null
  } catch (error) {
    if (error instanceof BadRow) return error.message
    throw error
  }
}

/** Number of a pass id, 0 for one that is not ours to continue (RUN-301). */
export function passNumberOf(passId: string): number {
  return Number(/^p-(\d{1,15})$/.exec(passId)?.[1] ?? 0)
}
