import type { Attestation } from '../../src/gate/runner/records.ts'
import { fc } from './laws.ts'

/** A sound record of one clause. */
export function attestationOf(changes: Partial<Attestation> = {}): Attestation {
  const { arrowId = 'analyst→architect/checkout', clauseId = 'C1', gridVersion = 1 } = changes
  return {
    id: `att-${arrowId}-${clauseId}-v${gridVersion}`,
    kind: 'depth-type',
    arrowId,
    clauseId,
    opId: 'alice',
    attestedByRole: 'operator',
    sourceRole: 'analyst',
    targetRole: 'architect',
    verdict: 'pass',
    reason: '',
    timestamp: 1_787_303_702_000_000_001n,
    gridVersion,
    passId: 'p-7',
    context: 'checkout',
    stratum: 'L1',
    adversaryRole: '',
    unit: 'confirm',
    unitPayloadJson: '{}',
    hintJson: '{}',
    ref: '',
    ...changes
  }
}

const word = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }).filter((text) => text.trim() !== '')
const payload = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })).map((value) => JSON.stringify(value))

/** Any record that may stand in a file; names, roles and reasons are any text. */
export const anyAttestation: fc.Arbitrary<Attestation> = fc.record({
  id: word,
  kind: fc.constant('depth-type' as const),
  arrowId: word,
  clauseId: word,
  opId: word,
  attestedByRole: fc.constantFrom('operator', 'integrator'),
  sourceRole: fc.constantFrom('', 'analyst', 'init'),
  targetRole: fc.constantFrom('', 'architect'),
  verdict: fc.constantFrom('pass', 'fail', 'insufficient-basis'),
  reason: fc.string({ unit: 'binary', maxLength: 40 }),
  timestamp: fc.bigInt(1n, 2n ** 63n - 1n),
  gridVersion: fc.nat(),
  passId: word,
  context: word,
  stratum: word,
  adversaryRole: fc.constantFrom('', 'adversary'),
  unit: fc.constantFrom('confirm', 'write-residue-note', 'record-locations-inspected'),
  unitPayloadJson: payload,
  hintJson: payload,
  ref: fc.oneof(fc.constant(''), word)
})
