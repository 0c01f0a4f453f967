import { describe, expect, it } from 'vitest'
import { attestationId, attestationRef } from '../../../../src/gate/runner/arrow-id.ts'
import { parseRef, readRef } from '../../../../src/gate/runner/attestation/ref.ts'
import { fc } from '../../../support/laws.ts'

const arrow = 'analyst→architect/check-out-v2'
const known = [{ id: arrow, clauseIds: ['C1', 'C2.go'], versions: [2, 1] }]

describe('a ref somebody typed (ATT-200…202)', () => {
  it.each([
    [`att-${arrow}-C1-v1`, { arrowId: arrow, clauseId: 'C1', gridVersion: 1 }],
    [`att-${arrow}-C2.go-v2-r3`, { arrowId: arrow, clauseId: 'C2.go', gridVersion: 2 }],
    [`att-${arrow}-v2`, { arrowId: arrow, clauseId: null, gridVersion: 2 }],
    ['att-analyst->architect/check-out-v2-C1-v1', { arrowId: arrow, clauseId: 'C1', gridVersion: 1 }],
    [`att-${arrow}-C1-v9`, { arrowId: arrow, clauseId: 'C1', gridVersion: 9 }]
  ])('%s', (typed, read) => {
    expect(readRef(typed, known)).toMatchObject(read)
  })

  it.each([
    ['C1-v1', "missing 'att-' prefix"],
    ['att-a-C1', "expected '<ids>-v<version>' shape"],
    ['att-a-C1-vx', "expected '<ids>-v<version>' shape"],
    ['att-a-v1', "expected '<arrow-id>-<clause-id>' before the version"],
    ['att--v1', "expected '<ids>-v<version>' shape"],
    ['att--C1-v1', "expected '<arrow-id>-<clause-id>' before the version"]
  ])('%s is none: %s', (typed, problem) => {
    expect(parseRef(typed)).toEqual({ problem })
  })

  it('is read back from every round of everything known, whatever the names hold', () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9_-]{0,8}(-v\d)?$/)
    fc.assert(
      fc.property(
        name,
        fc.integer({ min: 1, max: 3 }),
        fc.constantFrom('C1', 'C2.go', null),
        fc.nat(3),
        (context, version, clauseId, round) => {
          const id = `analyst→architect/${context}`
          const ref = attestationRef(id, clauseId, version)
          const read = readRef(attestationId(ref, round), [{ id, clauseIds: ['C1', 'C2.go'], versions: [3, 2, 1] }])
          expect(read).toEqual({ ref, arrowId: id, clauseId, gridVersion: version })
        }
      )
    )
  })
})
