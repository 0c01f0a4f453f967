import type { Database } from 'better-sqlite3'
import { isEmptyStore } from './database.ts'
import { countOf, rowsOf } from './pages.ts'
import type { PassRow } from './tables/passes.ts'

export type EngineStatus =
  | { readonly kind: 'empty' }
  | {
      readonly kind: 'present'
      readonly arrows: number
      readonly findings: number
      readonly requirements: number
      readonly classifications: number
      readonly amendmentsPending: number
      readonly amendmentsDrained: number
      readonly evaluationRuns: number
      readonly attestations: number
      readonly passes: Readonly<Record<'open' | 'closed' | 'aborted', number>>
      readonly openPasses: readonly {
        readonly id: string
        readonly role: string
        readonly context: string
        readonly arrow: string
      }[]
      readonly findingsByStatus: Readonly<Record<string, number>>
      readonly attestationsByKind: Readonly<Record<string, number>>
    }

/** What the store holds, all of it at one moment (OPUI-610, PERS-600). */
export function engineStatus(db: Database): EngineStatus {
  return db.transaction((): EngineStatus => {
    if (isEmptyStore(db)) return { kind: 'empty' }
    const open = [...rowsOf<PassRow>(db, 'passes', { where: "state = 'open'" })]
    return {
      kind: 'present',
      arrows: db.prepare<[], number>('SELECT count(DISTINCT id) FROM grid_arrows').pluck().get() ?? 0,
      findings: countOf(db, 'findings'),
      requirements: countOf(db, 'requirements'),
      classifications: countOf(db, 'classifications'),
      amendmentsPending: countOf(db, 'amendments', 'drained_at IS NULL'),
      amendmentsDrained: countOf(db, 'amendments', 'drained_at IS NOT NULL'),
      evaluationRuns: countOf(db, 'evaluation_runs'),
      attestations: countOf(db, 'attestations'),
      passes: {
        open: open.length,
        closed: countOf(db, 'passes', "state = 'closed'"),
        aborted: countOf(db, 'passes', "state = 'aborted'")
      },
      openPasses: open.map(({ pass_id, role, context, arrow_id }) => ({ id: pass_id, role, context, arrow: arrow_id })),
      findingsByStatus: grouped(db, 'findings', 'status'),
      attestationsByKind: grouped(db, 'attestations', 'kind')
    }
  })()
}

function grouped(db: Database, table: string, column: string): Readonly<Record<string, number>> {
  const rows = db
    .prepare<[], { word: string; n: number }>(
      `SELECT ${column} AS word, count(*) AS n FROM ${table} GROUP BY ${column} ORDER BY ${column}`
    )
    .all()
  return Object.fromEntries(rows.map(({ word, n }) => [word, n]))
}
