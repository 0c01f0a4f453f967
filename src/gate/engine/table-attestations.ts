import type { Database } from 'better-sqlite3'
import type { Attestation } from '../runner/index.ts'
import { hasName } from './schema.ts'
import { type AttestationRow, readAttestation } from './tables/attestations.ts'

/** Every record of the table, in no order that means anything; empty where an old file has no such table. */
export function tableAttestations(db: Database): readonly Attestation[] {
  if (!hasName(db, 'attestations')) return []
  const rows = db.prepare<[], Partial<AttestationRow> & Omit<AttestationRow, 'attestation_ref'>>(
    'SELECT * FROM attestations ORDER BY attestation_id'
  )
  return rows
    .safeIntegers()
    .all()
    .map((row) => readAttestation({ attestation_ref: '', ...row }))
}
