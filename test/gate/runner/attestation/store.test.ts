import { describe, expect, it } from 'vitest'
import { type AttestationDraft, baseRef, roundOf } from '../../../../src/gate/runner/attestation/store.ts'
import { Failure } from '../../../../src/lib/error.ts'
import { arrowOf, attestedOf, gridOf, worldOf } from '../../../support/gates.ts'

const arrow = arrowOf('analyst', 'architect', [attestedOf('C1')])
const ref = `att-${arrow.id}-C1-v1`
const draft: AttestationDraft = {
  kind: 'depth-type',
  arrowId: arrow.id,
  clauseId: 'C1',
  opId: 'alice',
  attestedByRole: 'operator',
  sourceRole: 'analyst',
  targetRole: 'architect',
  verdict: 'pass',
  reason: '',
  gridVersion: 1,
  passId: 'p-1',
  context: 'shop',
  stratum: 'L0',
  adversaryRole: '',
  unit: 'confirm',
  unitPayloadJson: '{}',
  hintJson: '{}',
  ref
}

function storeOf() {
  const world = worldOf(gridOf([arrow]))
  const record = (more: Partial<AttestationDraft> = {}) => world.gates.attestations.record({ ...draft, ...more })
  return { world, record, store: world.gates.attestations }
}
const ib = { verdict: 'insufficient-basis', unit: 'write-residue-note', unitPayloadJson: '{"residue":"thin"}' } as const

describe('what is no record (ATT-310, ATT-320, ATT-340), with nothing written', () => {
  it.each([
    [{ ref: ' ' }, 'attestation-id-empty'],
    [{ arrowId: '' }, 'attestation-arrow-id-empty'],
    [{ opId: '\t' }, 'attestation-op-id-empty'],
    [{ attestedByRole: '' }, 'attestation-attested-by-role-empty'],
    [{ kind: 'other' }, 'attestation-kind-invalid'],
    [{ clauseId: '' }, 'attestation-depth-type-requires-clause-id'],
    [{ kind: 'on-the-spot' }, 'attestation-on-the-spot-rejects-clause-id'],
    [{ verdict: 'skip' }, 'attestation-verdict-invalid'],
    [{ passId: '' }, 'attestation-pass-id-empty'],
    [{ unit: '' }, 'verdict-unit-invalid'],
    [{ hintJson: '[]' }, 'attestation-hint-malformed'],
    [{ hintJson: 'x' }, 'attestation-hint-malformed'],
    [{ adversaryRole: 'a__b' }, 'attestation-self-cert-forbidden']
  ])('%j: %s', (wrong, code) => {
    const { world, record } = storeOf()
    expect(record(wrong as never)).toMatchObject({ kind: 'refused', refused: { code } })
    expect(world.written).toEqual([])
    expect(world.events).toEqual([])
  })

  it.each([
    [{ attestedByRole: ' Analyst ' }, 'attested_by_role " Analyst " equals source_role'],
    [{ attestedByRole: 'ARCHITECT' }, 'attested_by_role "ARCHITECT" equals target_role'],
    [{ adversaryRole: 'analyst' }, 'adversary_role "analyst" equals source_role'],
    [{ adversaryRole: 'architect' }, 'adversary_role "architect" equals target_role']
  ])('nobody grades their own work: %j', (wrong, which) => {
    const { world, record } = storeOf()
    const text = `attestation-self-cert-forbidden: ${which}`
    expect(record(wrong)).toMatchObject({ refused: { text } })
    expect(world.written).toEqual([])
    expect(world.events).toMatchObject([{ kind: 'self-cert-refused', op_id: 'alice', payload: { reason: text } }])
  })

  it('compares no empty endpoint', () => {
    const { record } = storeOf()
    expect(record({ sourceRole: '', targetRole: '' }).kind).toBe('recorded')
  })
})

describe('rounds (ATT-203…205)', () => {
  it('number the records of a ref, the first by the ref itself', () => {
    const { record, store } = storeOf()
    expect(record(ib)).toMatchObject({ record: { id: ref, ref: '' } })
    expect(record(ib)).toMatchObject({ record: { id: `${ref}-r2`, ref } })
    expect(record({ passId: 'p-2' })).toMatchObject({ record: { id: `${ref}-r3`, ref } })
    expect(store.latest(ref)?.id).toBe(`${ref}-r3`)
    expect(store.get(ref)?.verdict).toBe('insufficient-basis')
    expect(store.get(`${ref}-r9`)).toBeNull()
    expect(store.rounds(ref).map(roundOf)).toEqual([1, 2, 3])
    expect(store.rounds(ref).map(baseRef)).toEqual([ref, ref, ref])
  })

  it('follow a settled verdict only in another pass', () => {
    const { record, world } = storeOf()
    record()
    expect(record()).toMatchObject({ kind: 'already', record: { id: ref } })
    expect(record(ib)).toMatchObject({ refused: { code: 'attestation-duplicate' } })
    for (const other of [
      { opId: 'bob' },
      { attestedByRole: 'init' },
      { verdict: 'fail' },
      { unit: 'record-locations-inspected', unitPayloadJson: '{"inspected":["a:1"]}' }
    ] as const)
      expect(record(other)).toMatchObject({ refused: { code: 'attestation-duplicate' } })
    expect(world.written).toHaveLength(1)
    expect(record({ ...ib, passId: 'p-2' })).toMatchObject({ kind: 'recorded' })
  })

  it('follow an on-the-spot record only while its arrow is still undeclared (ATT-204)', () => {
    const { record } = storeOf()
    const spot = {
      kind: 'on-the-spot',
      clauseId: '',
      passId: 'spot',
      arrowId: 'analyst→integrator/shop',
      gridVersion: 2,
      ref: 's'
    } as const
    record(spot)
    expect(record({ ...spot, opId: 'bob' }).kind).toBe('recorded')
    const declared = { ...spot, arrowId: arrow.id, gridVersion: 1, ref: 't' }
    record(declared)
    expect(record({ ...declared, opId: 'bob' })).toMatchObject({ refused: { code: 'attestation-duplicate' } })
  })

  it('stay in their order when they come from disk in another one, and time goes on after them', () => {
    const { record, store } = storeOf()
    record(ib)
    record(ib)
    record({ passId: 'p-2' })
    const all = [...store.all()].reverse().map((each) => ({ ...each, timestamp: each.timestamp + 10n ** 18n }))
    const next = worldOf(gridOf([arrow]), { before: (gates) => gates.attestations.load(all) })
    expect(next.gates.attestations.latest(ref)?.id).toBe(`${ref}-r3`)
    expect(next.gates.stamps.nowNs()).toBeGreaterThan(all[0]?.timestamp ?? 0n)
    expect(next.events).toEqual([])
    expect(next.written).toEqual([])
  })
})

describe('writing', () => {
  it('keeps memory and observers out of it when the primary writer says no (ATT-302)', () => {
    const { world, record, store } = storeOf()
    let observed = 0
    store.observe(() => {
      observed += 1
    })
    world.failWrite = new Error('EIO')
    expect(record()).toMatchObject({ refused: { code: 'attestation-audit-write-failed' } })
    expect([observed, store.size()]).toEqual([0, 0])
    expect(world.events).toEqual([])
  })

  it('passes on the code and the words of a typed failure', () => {
    class Symlink extends Failure {
      readonly code = 'attestation-tree-symlink'
    }
    const { world, record } = storeOf()
    world.failWrite = new Symlink('attestation-tree-symlink: attestations/v1 is a link')
    expect(record()).toMatchObject({
      refused: { code: 'attestation-tree-symlink', text: 'attestation-tree-symlink: attestations/v1 is a link' }
    })
  })

  it('accepts the record whatever an observer does', () => {
    const { world, record, store } = storeOf()
    store.observe(() => {
      throw new Error('table locked')
    })
    expect(record().kind).toBe('recorded')
    expect(store.failures()).toBe(1)
    expect(world.kinds()).toEqual(['attestation-recorded'])
  })

  it('is told once, with its id and verdict (EVT-206)', () => {
    const { world, record } = storeOf()
    record()
    expect(world.events).toMatchObject([
      {
        kind: 'attestation-recorded',
        arrow_id: arrow.id,
        clause_id: 'C1',
        pass_id: 'p-1',
        op_id: 'alice',
        payload: { attestation_id: ref, kind: 'depth-type', outcome: 'pass' }
      }
    ])
  })

  it('hands out copies (RUN-115)', () => {
    const { record, store } = storeOf()
    record()
    Object.assign(store.latest(ref) ?? {}, { verdict: 'fail' })
    expect(store.get(ref)?.verdict).toBe('pass')
  })
})
