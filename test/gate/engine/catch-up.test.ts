import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { catchUp } from '../../../src/gate/engine/catch-up.ts'
import { openStore } from '../../../src/gate/engine/database.ts'
import { tableAttestations } from '../../../src/gate/engine/table-attestations.ts'
import { anyAttestation } from '../../support/attestation.ts'
import { fc, runs } from '../../support/laws.ts'
import { temporaryFolder } from '../../support/temporary.ts'

it('the table takes any record exactly, and has nothing to catch up with afterwards (ATT-502, PERS-103)', () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, '.ghyll'))
  const db = openStore(folder)
  fc.assert(
    fc.property(fc.uniqueArray(anyAttestation, { selector: ({ id }) => id, maxLength: 5 }), (records) => {
      db.exec('DELETE FROM attestations')
      expect(catchUp(db, records)).toEqual({ inserted: records.length, overridden: [], onlyInTable: [] })
      expect(catchUp(db, records.toReversed())).toEqual({ inserted: 0, overridden: [], onlyInTable: [] })
      const changed = records.map((record) => ({ ...record, timestamp: record.timestamp ^ 1n }))
      expect(catchUp(db, changed).overridden).toEqual(records.map(({ id }) => id).toSorted())
      const byId = (a: { readonly id: string }, b: { readonly id: string }) => (a.id < b.id ? -1 : 1)
      expect(tableAttestations(db).toSorted(byId)).toEqual(changed.toSorted(byId))
    }),
    { numRuns: runs(50) }
  )
  db.close()
})
