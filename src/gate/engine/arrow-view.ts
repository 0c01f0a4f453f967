import type { Database } from 'better-sqlite3'
import type { Arrow, Grid } from '../../protocol/grid.ts'
import {
  type AmendmentHits,
  type Attestation,
  amendmentHits,
  type ClauseOutcome,
  currentStatus,
  type Finding,
  type Invalidation,
  type PassRecord,
  statusLabel,
  thresholdOf
} from '../runner/index.ts'
import { indexAnswers, inTimeOrder } from './answers.ts'
import { guarded } from './errors.ts'
import { readHistories } from './history.ts'
import { rowsOf } from './pages.ts'
import type { ArrowDefinition } from './tables/arrows.ts'
import { type ArrowRow, readArrow } from './tables/arrows.ts'
import { type FindingRow, readFinding } from './tables/findings.ts'
import { type InvalidationRow, readInvalidation } from './tables/invalidations.ts'
import { type PassRow, readPass } from './tables/passes.ts'

export type ArrowView = {
  readonly definition: Pick<
    Arrow,
    'id' | 'sourceRole' | 'targetRole' | 'stratum' | 'context' | 'clauses' | 'requirements'
  >
  readonly findings: readonly Finding[]
  /** All rounds, oldest first; `isOwnPass`: given by whoever opened a pass on this arrow (ATT-343). */
  readonly attestations: readonly (Attestation & { readonly isOwnPass: boolean })[]
  /** null: not in the grid that is in force, so that nothing can be derived. */
  readonly status: string | null
  readonly isValid: boolean
  /** Newest first. */
  readonly passes: readonly PassRecord[]
  /** The pass that decides the status (GATE-52). */
  readonly effective: PassRecord | null
  /** Of that pass. */
  readonly outcomes: readonly ClauseOutcome[]
  readonly amendmentHits: AmendmentHits
}

export type ArrowAnswer =
  | { readonly kind: 'found'; readonly view: ArrowView }
  | { readonly kind: 'unknown'; readonly gridVersion: number; readonly arrows: number }

export type ArrowQuestion = {
  readonly db: Database | null
  /** The grid in force; null when it cannot be read. */
  readonly grid: Grid | null
  readonly attestations: readonly Attestation[]
  readonly arrowId: string
}

/**
 * One arrow with everything kept about it, at one moment (OPUI-650). The grid file is the truth about definitions (PERS-001). Throws
 * `EngineFailure` for a store that cannot be read.
 */
export function showArrow(question: ArrowQuestion): ArrowAnswer {
  const { db } = question
  if (db === null) return answer(question, [])
  return guarded(db.name, () => db.transaction(() => answer(question, definitionsIn(db)))())
}

function answer({ db, grid, attestations, arrowId }: ArrowQuestion, table: readonly ArrowDefinition[]): ArrowAnswer {
  const newest = new Map<string, ArrowDefinition>()
  for (const each of table) if ((newest.get(each.id)?.gridVersion ?? 0) <= each.gridVersion) newest.set(each.id, each)
  const declared = grid?.arrows.find(({ id }) => id === arrowId) ?? null
  const definition = declared ?? (grid === null ? newest.get(arrowId) : undefined)
  if (definition === undefined) {
    const version = grid?.version ?? Math.max(0, ...table.map(({ gridVersion }) => gridVersion))
    return { kind: 'unknown', gridVersion: version, arrows: grid?.arrows.length ?? newest.size }
  }
  const passes =
    db === null ? [] : [...rowsOf<PassRow>(db, 'passes')].map(readPass).filter((pass) => pass.arrowId === arrowId)
  const openers = new Set(passes.map(({ openedByOpId }) => openedByOpId))
  const own = inTimeOrder(attestations).filter((record) => record.arrowId === arrowId)
  const findings = db === null ? [] : findingsOf(db, arrowId)
  return {
    kind: 'found',
    view: {
      definition,
      findings,
      attestations: own.map((record) => ({ ...record, isOwnPass: openers.has(record.opId) })),
      passes: passes.toReversed(),
      ...statusOf(db, grid, declared, findings, attestations),
      amendmentHits: amendmentHits(db === null ? [] : loggedInvalidations(db, arrowId))
    }
  }
}

function definitionsIn(db: Database): readonly ArrowDefinition[] {
  return [...rowsOf<ArrowRow>(db, 'grid_arrows')].map(readArrow)
}

function findingsOf(db: Database, arrowId: string): readonly Finding[] {
  return [...rowsOf<FindingRow>(db, 'findings')].filter((row) => row.arrow_id === arrowId).map(readFinding)
}

function statusOf(
  db: Database | null,
  grid: Grid | null,
  arrow: Arrow | null,
  findings: readonly Finding[],
  attestations: readonly Attestation[]
): Pick<ArrowView, 'status' | 'isValid' | 'effective' | 'outcomes'> {
  if (grid === null || arrow === null) return { status: null, isValid: false, effective: null, outcomes: [] }
  const histories = db === null ? [] : readHistories(db, indexAnswers(attestations))
  const effective = histories.find(({ arrowId }) => arrowId === arrow.id)?.effective ?? null
  const invalidations = db === null ? [] : [...rowsOf<InvalidationRow>(db, 'arrow_invalidations')].map(readInvalidation)
  const invalidation =
    invalidations.find(({ arrowId, consumedByPass }) => arrowId === arrow.id && consumedByPass === null) ?? null
  const current = currentStatus({ arrow, effective, invalidation, findings, threshold: thresholdOf(grid, arrow) })
  const status = current.isStarted ? statusLabel(current.status) : `${current.status} (not started)`
  const isValid = current.status === 'complete'
  return { status, isValid, effective: effective?.pass ?? null, outcomes: effective?.clauses ?? [] }
}

function loggedInvalidations(db: Database, arrowId: string): readonly Invalidation[] {
  const rows = [...rowsOf<InvalidationRow>(db, 'arrow_invalidation_log')]
  return rows.filter((row) => row.arrow_id === arrowId).map(readInvalidation)
}
