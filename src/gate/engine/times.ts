import type { Database } from 'better-sqlite3'
import type { Clock } from '../../lib/clock.ts'
import { type Attestation, createStamps, type Stamps } from '../runner/index.ts'

/** Columns that hold times, by table. */
const times: Readonly<Record<string, readonly string[]>> = {
  passes: ['opened_at', 'closed_at', 'recovered_at'],
  evaluation_runs: ['completed_at'],
  findings: ['raised_at', 'updated_at'],
  finding_transitions: ['at'],
  requirements: ['declared_at'],
  classifications: ['classified_at'],
  grid_arrows: ['declared_at'],
  amendments: ['created_at', 'drained_at'],
  arrow_invalidations: ['invalidated_at']
}

/** Time that is later than everything kept, so that a clock set back puts nothing before what happened earlier. */
export function stampsAfter(db: Database, records: readonly Attestation[], clock: Clock): Stamps {
  const stamps = createStamps(clock)
  for (const { timestamp } of records) stamps.after(timestamp)
  stamps.after(latestTime(db))
  return stamps
}

/** The latest time the store knows, as RFC 3339 text, '' when it knows none. What is no time does not count. */
function latestTime(db: Database): string {
  const latest = Object.entries(times).flatMap(([table, columns]) =>
    columns.map((column) =>
      db
        .prepare<[], string | null>(
          `SELECT max(${column}) FROM ${table} WHERE ${column} GLOB '[0-9][0-9][0-9][0-9]-*Z'`
        )
        .pluck()
        .get()
    )
  )
  return latest.reduce<string>((most, each) => (each !== undefined && each !== null && each > most ? each : most), '')
}
