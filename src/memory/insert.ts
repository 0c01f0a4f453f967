import type { Db } from './database.ts'
import type { Checkpoint } from './record.ts'
import { columns, rowOf } from './rows.ts'

/** What a row says of its checkpoint beside the record. */
export type Provenance = {
  /** It was found sound when it came in; nobody relies on it later (MEM-045). */
  readonly verified: boolean
  /** Unix seconds when it came from elsewhere, 0 for one made here. */
  readonly imported: bigint
}

/** Adds checkpoints to an open database; one that is there already stays as it is (MEM-044). True when the row is new. */
export function insertInto(db: Db): (record: Checkpoint, provenance: Provenance) => boolean {
  const values = columns.split(', ').map((name) => `@${name}`)
  const statement = db.prepare(
    `INSERT OR IGNORE INTO checkpoints (${columns}, verified, imported) VALUES (${values.join(', ')}, @verified, @imported)`
  )
  return (record, { verified, imported }) =>
    statement.run({ ...rowOf(record), verified: verified ? 1n : 0n, imported }).changes > 0
}
