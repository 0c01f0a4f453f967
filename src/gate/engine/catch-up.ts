import type { Database } from 'better-sqlite3'
import { byCodeUnit } from '../../lib/compare.ts'
import type { Attestation } from '../runner/index.ts'
import { sameRecord } from './attestations/same.ts'
import { type AttestationRow, readAttestation, replaceAttestation } from './tables/attestations.ts'
import { createSql } from './tables/row.ts'

export type CaughtUp = {
  readonly inserted: number
  /** Ids whose row said something else than the file; the file won (PERS-001). */
  readonly overridden: readonly string[]
  /** Ids of rows whose record is in no file any more; they count for nothing. */
  readonly onlyInTable: readonly string[]
}

/** Brings the table up to what the files say, in one transaction and in the order of ids; nothing ever goes the other way (ATT-502). */
export function catchUp(db: Database, records: readonly Attestation[]): CaughtUp {
  const sql = createSql(db)
  const find = attestationById(db)
  const overridden: string[] = []
  let inserted = 0
  db.transaction(() => {
    for (const record of records.toSorted((a, b) => byCodeUnit(a.id, b.id))) {
      const known = find(record.id)
      if (known !== null && sameRecord(known, record)) continue
      replaceAttestation(record).apply(sql)
      if (known === null) inserted += 1
      else overridden.push(record.id)
    }
  }).immediate()
  return { inserted, overridden, onlyInTable: rowsWithout(db, records) }
}

function rowsWithout(db: Database, records: readonly Attestation[]): readonly string[] {
  const inFiles = new Set(records.map(({ id }) => id))
  const rows = db.prepare<[], string>('SELECT attestation_id FROM attestations ORDER BY attestation_id').pluck()
  return rows.all().filter((id) => !inFiles.has(id))
}

function attestationById(db: Database): (id: string) => Attestation | null {
  const find = db
    .prepare<[string], AttestationRow>('SELECT * FROM attestations WHERE attestation_id = ?')
    .safeIntegers()
  return (id) => {
    const row = find.get(id)
    return row === undefined ? null : readAttestation(row)
  }
}
