import { describe, expect, it } from 'vitest'
import type { Attestation, Invalidation } from '../../../src/gate/runner/records.ts'
import { type ResolveInput, resolveAttested } from '../../../src/gate/runner/resolve.ts'
import { stampOf } from '../../../src/gate/runner/stamp.ts'
import type { Verdict } from '../../../src/protocol/gate.ts'

function record(verdict: Verdict, digest: string | null, more: Partial<Attestation> = {}): Attestation {
  const hint = { arrow_id: 'a', clause_id: 'C1', concept: 'x', attestation_ref: 'r', artifact_digest: digest }
  return {
    id: 'r',
    kind: 'depth-type',
    arrowId: 'a',
    clauseId: 'C1',
    opId: 'alice',
    attestedByRole: 'operator',
    sourceRole: '',
    targetRole: '',
    verdict,
    reason: '',
    timestamp: 100n,
    gridVersion: 1,
    passId: 'p-1',
    context: '',
    stratum: '',
    adversaryRole: '',
    unit: '',
    unitPayloadJson: '',
    hintJson: digest === null ? '{}' : JSON.stringify(hint),
    ref: '',
    ...more
  }
}
const at = (ns: bigint) => ({ at: stampOf(ns) }) as Invalidation
const now: ResolveInput = {
  rounds: [],
  gridVersion: 1,
  latestInvalidation: null,
  artifactDigest: 'now',
  isCrossed: false
}

describe('an attested clause against what was said before (RUN-232)', () => {
  it.each([
    ['nothing was said', {}, 'request'],
    ['pass', { rounds: [record('pass', 'now')] }, 'pass'],
    ['fail', { rounds: [record('fail', 'now')] }, 'request'],
    ['insufficient-basis', { rounds: [record('insufficient-basis', 'now')] }, 'request'],
    ['pass, for another artifact', { rounds: [record('pass', 'then')] }, 'request'],
    ['pass, without saying for which', { rounds: [record('pass', null)] }, 'request'],
    ['pass, while nobody knows the artifact of now', { rounds: [record('pass', '')], artifactDigest: '' }, 'request'],
    ['pass, under another version', { rounds: [record('pass', 'now')], gridVersion: 2 }, 'request'],
    ['pass, then invalidated', { rounds: [record('pass', 'now')], latestInvalidation: at(101n) }, 'request'],
    ['pass, after an invalidation', { rounds: [record('pass', 'now')], latestInvalidation: at(99n) }, 'pass'],
    [
      'pass, and an invalidation whose time is broken',
      { rounds: [record('pass', 'now')], latestInvalidation: { at: 'once' } as Invalidation },
      'request'
    ],
    ['pass, then fail, for the same artifact', { rounds: [record('pass', 'now'), record('fail', 'now')] }, 'request'],
    ['pass, then fail for another artifact', { rounds: [record('pass', 'now'), record('fail', 'then')] }, 'pass'],
    ['fail, then pass', { rounds: [record('fail', 'now'), record('pass', 'now')] }, 'pass'],
    ['pass, and an escalation is open', { rounds: [record('pass', 'now')], isCrossed: true }, 'request']
  ] as const)('%s', (_, more, kind) => {
    expect(resolveAttested({ ...now, ...more }).kind).toBe(kind)
  })

  it('shows the last verdict beside the new question', () => {
    expect(
      resolveAttested({ ...now, rounds: [record('pass', 'then'), record('fail', 'then', { passId: 'p-3' })] })
    ).toEqual({
      kind: 'request',
      previous: 'fail by alice in p-3'
    })
    expect(resolveAttested(now)).toEqual({ kind: 'request', previous: null })
  })
})
