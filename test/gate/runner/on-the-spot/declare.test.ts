import { describe, expect, it } from 'vitest'
import { commitBindings } from '../../../../src/gate/runner/amendment/version.ts'
import {
  type Confirmed,
  type DeclareCommand,
  type DeclarePorts,
  declareOnTheSpot
} from '../../../../src/gate/runner/on-the-spot/declare.ts'
import { attestingRole, eligibleRoles } from '../../../../src/gate/runner/on-the-spot/roles.ts'
import { type Suspension, suspendTransition } from '../../../../src/gate/runner/on-the-spot/suspend.ts'
import { declareText } from '../../../../src/gate/runner/on-the-spot/texts.ts'
import { AssertionFailed } from '../../../../src/lib/assert.ts'
import { runArrow } from '../../../support/adversary.ts'
import { committerIn } from '../../../support/committer.ts'
import { arrowOf, clauseOf, gridOf, quiet, sensitiveOf, worldOf } from '../../../support/gates.ts'

const declared = arrowOf('analyst', 'architect', [clauseOf('C1')])
const proposal = arrowOf('architect', 'integrator', [clauseOf('C1'), sensitiveOf('C5', 2)])

function scene() {
  const world = worldOf(gridOf([declared]))
  const committer = committerIn(world)
  const suspended = suspendTransition(world.gates, { arrow: 'architect->integrator/shop', propose: () => proposal })
  if (suspended.kind !== 'suspended') throw new Error(suspended.kind)
  return { world, committer, suspension: suspended.suspension }
}

const accept: Confirmed = { kind: 'declare', role: 'operator', skipped: [] }
const ports = (more: Partial<DeclarePorts> = {}): DeclarePorts => ({
  define: null,
  confirm: async () => accept,
  isBase: (id) => id === 'C1',
  ...more
})
const command = (suspension: Suspension, more: Partial<DeclareCommand> = {}): DeclareCommand => ({
  suspension,
  role: 'operator',
  opId: () => 'alice',
  signal: quiet(),
  ...more
})

describe('a transition nobody declared (RUN-800)', () => {
  it('is suspended, with the label its contract gives it, and told', () => {
    const { world, suspension } = scene()
    expect(suspension).toMatchObject({ arrowId: 'architect→integrator/shop', stratum: 'L1', context: 'shop' })
    expect(world.events.at(-1)).toMatchObject({ kind: 'on-the-spot-suspended', role: 'architect' })
  })

  it('names its upstream artifact on one line of at most 8 KiB, without controls (GATE-100)', () => {
    const { gates } = worldOf(gridOf([declared]))
    const upstreamArtifact = `specs/\u001b[31m\nmodel.md ${'→'.repeat(5000)}`
    const suspended = suspendTransition(gates, {
      arrow: 'architect->integrator/shop',
      upstreamArtifact,
      propose: () => proposal
    })
    const text = suspended.kind === 'suspended' ? suspended.suspension.upstreamArtifact : ''
    expect(text).toMatch(/^specs\/.*model\.md →+$/)
    expect(text).not.toMatch(/\p{Cc}/u)
    const bytes = Buffer.byteLength(text)
    expect([bytes > 8 * 1024 - 3, bytes <= 8 * 1024]).toEqual([true, true])
  })

  it('that is declared is declared; one that is none is an error and not "declared"', () => {
    const { gates } = worldOf(gridOf([declared]))
    const suspend = (arrow: string) => suspendTransition(gates, { arrow, propose: () => proposal })
    expect(suspend('analyst→architect/shop').kind).toBe('declared')
    for (const text of ['', 'analyst', 'analyst→analyst/shop', 'boss→architect/shop', 'architect→integrator/1'])
      expect(suspend(text)).toMatchObject({ kind: 'refused', refusal: { code: 'arrow-id-malformed' } })
  })
})

describe('who may attest (ATT-344)', () => {
  it('is who stands outside the pair, and the operator', () => {
    expect(eligibleRoles('analyst', 'architect')).toEqual(['operator', 'implementer', 'integrator'])
    expect(eligibleRoles('integrator', 'analyst')).toEqual(['operator', 'architect', 'implementer'])
  })

  it.each([
    ['', 'attestation-role-empty'],
    ['  ', 'attestation-role-empty'],
    ['architect', 'on-the-spot-self-certification-refused'],
    [' Integrator ', 'on-the-spot-self-certification-refused'],
    ['boss', 'attestation-role-unknown']
  ])('"%s" is refused: %s', (role, code) => {
    expect(attestingRole(role, 'architect', 'integrator')).toMatchObject({ refused: { code } })
  })

  it('where nobody else is left it is impossible', () => {
    expect(attestingRole('analyst', 'analyst', 'architect', ['analyst', 'architect'])).toMatchObject({
      refused: { code: 'self-cert-impossible' }
    })
  })
})

describe('declaring (RUN-801)', () => {
  it('records the attestation, then the version it speaks of, and the arrow runs like any other', async () => {
    const { world, committer, suspension } = scene()
    const outcome = await declareOnTheSpot(committer, ports(), command(suspension))
    expect(outcome).toMatchObject({ kind: 'declared', gridVersion: 2, role: 'operator' })
    expect(declareText(suspension.arrowId, 'alice', outcome)).toBe(
      '✓ arrow architect→integrator/shop declared in grid v2: attested by operator as alice'
    )
    expect(world.written).toMatchObject([
      {
        id: 'att-architect→integrator/shop-v2',
        kind: 'on-the-spot',
        clauseId: '',
        gridVersion: 2,
        verdict: 'pass',
        unit: 'confirm',
        unitPayloadJson: '{}',
        passId: 'spot-architect→integrator/shop',
        context: 'shop',
        stratum: 'L1',
        attestedByRole: 'operator',
        sourceRole: 'architect',
        targetRole: 'integrator'
      }
    ])
    const kinds = world.kinds()
    expect(kinds.indexOf('attestation-recorded')).toBeLessThan(kinds.indexOf('on-the-spot-defined'))
    expect(world.gates.grid.current()).toMatchObject({ version: 2, onTheSpotInterruptions: 1, amendmentId: null })
    expect(committer.declaredArrows).toEqual([{ ids: [proposal.id], version: 2, kind: 'on-the-spot' }])
  })

  it('voids no other arrow', async () => {
    const { world, committer, suspension } = scene()
    await runArrow(world, declared.id)
    await declareOnTheSpot(committer, ports(), command(suspension))
    expect(world.gates.current(declared.id)?.status).toBe('complete')
  })

  it('an endpoint is refused before the definer is asked and after the confirmation, and is on record', async () => {
    const { world, committer, suspension } = scene()
    let wasAsked = false
    const define = async () => {
      wasAsked = true
      return { kind: 'definition', arrow: proposal } as const
    }
    const first = await declareOnTheSpot(committer, ports({ define }), command(suspension, { role: 'architect' }))
    expect(first).toMatchObject({ refusal: { code: 'on-the-spot-self-certification-refused' } })
    expect(wasAsked).toBe(false)
    const later = await declareOnTheSpot(
      committer,
      ports({ confirm: async () => ({ kind: 'declare', role: 'INTEGRATOR', skipped: [] }) }),
      command(suspension)
    )
    expect(later).toMatchObject({ refusal: { code: 'on-the-spot-self-certification-refused' } })
    const tried = world.events.filter(({ kind }) => kind === 'self-cert-refused')
    expect(tried.map(({ role, op_id }) => [role, op_id])).toEqual([
      ['architect', 'alice'],
      ['INTEGRATOR', 'alice']
    ])
    expect(world.written).toEqual([])
    expect(committer.written).toEqual([])
  })

  it.each([
    ['id', { id: 'architect→integrator/pay' }],
    ['source', { sourceRole: 'analyst' as const }],
    ['target', { targetRole: 'implementer' as const }],
    ['context', { context: 'pay' }]
  ])('a definition with another %s is no answer to this transition', async (_, more) => {
    const { committer, suspension } = scene()
    const define = async () => ({ kind: 'definition', arrow: { ...proposal, ...more } }) as const
    const outcome = await declareOnTheSpot(committer, ports({ define }), command(suspension))
    expect(outcome).toMatchObject({ refusal: { code: 'on-the-spot-definition-mismatch' } })
  })

  it.each([
    ['is invalid', async () => ({ kind: 'invalid', text: 'prose' }) as const, 'definer-produced-invalid-definition'],
    [
      'drops a clause of the contract',
      async (given: Suspension) =>
        ({ kind: 'definition', arrow: { ...given.proposal, clauses: [clauseOf('C1')] } }) as const,
      'definer-produced-invalid-definition'
    ],
    [
      'weakens one',
      async (given: Suspension) =>
        ({ kind: 'definition', arrow: { ...given.proposal, clauses: [clauseOf('C1'), clauseOf('C5')] } }) as const,
      'definer-produced-invalid-definition'
    ],
    ['throws', async () => Promise.reject(new Error('boom')), 'definer-hook-panicked']
  ])('a definer that %s: %s', async (_, define, code) => {
    const { committer, suspension } = scene()
    const outcome = await declareOnTheSpot(committer, ports({ define: define as never }), command(suspension))
    expect(outcome).toMatchObject({ kind: 'refused', refusal: { code } })
    expect(committer.written).toEqual([])
  })

  it('a bug in the definer is no refusal of its own', async () => {
    const { committer, suspension } = scene()
    const bug = new AssertionFailed('cannot be')
    const define = async () => Promise.reject(bug)
    await expect(declareOnTheSpot(committer, ports({ define }), command(suspension))).rejects.toBe(bug)
    expect(committer.written).toEqual([])
  })

  it('what a definer adds is in the arrow', async () => {
    const { world, committer, suspension } = scene()
    const define: DeclarePorts['define'] = async (given) => ({
      kind: 'definition',
      arrow: { ...given.proposal, clauses: [...given.proposal.clauses, clauseOf('C40')] }
    })
    await declareOnTheSpot(committer, ports({ define }), command(suspension))
    expect(world.gates.grid.arrow(proposal.id)?.clauses.map(({ id }) => id)).toEqual(['C1', 'C5', 'C40'])
  })

  it('skipped contract clauses leave their words; base clauses are not skipped, and not all of them', async () => {
    const { world, committer, suspension } = scene()
    const skip = (...skipped: { clause: string; residue: string }[]) =>
      declareOnTheSpot(
        committer,
        ports({ confirm: async () => ({ kind: 'declare', role: 'operator', skipped }) }),
        command(suspension)
      )
    expect(await skip({ clause: 'C1', residue: 'r' })).toMatchObject({ refusal: { code: 'base-clause-not-skippable' } })
    expect(await skip({ clause: 'C5', residue: ' ' })).toMatchObject({ refusal: { code: 'residue-required-for-skip' } })
    expect(await skip({ clause: 'C9', residue: 'r' })).toMatchObject({ refusal: { code: 'unknown-clause-id' } })
    expect(await skip({ clause: 'C5', residue: 'r'.repeat(20_000) })).toMatchObject({
      refusal: { code: 'residue-note-too-long' }
    })
    expect(await skip({ clause: 'C5', residue: 'no model for it' })).toMatchObject({ kind: 'declared' })
    expect(world.gates.grid.arrow(proposal.id)?.clauses.map(({ id }) => id)).toEqual(['C1'])
    expect(world.gates.grid.arrow(proposal.id)?.stratum).toBe('L0')
    expect(world.gates.grid.current()?.residue).toEqual([
      {
        kind: 'skipped',
        arrow: proposal.id,
        clauseId: 'C5',
        concept: 'no-todo-marker',
        description: 'what C5 demands',
        cost: 1,
        reason: 'no model for it'
      }
    ])
  })

  it('refusing leaves everything as it was', async () => {
    const { world, committer, suspension } = scene()
    const outcome = await declareOnTheSpot(
      committer,
      ports({ confirm: async () => ({ kind: 'refuse' }) }),
      command(suspension)
    )
    expect(outcome).toEqual({ kind: 'left' })
    expect(declareText(suspension.arrowId, 'alice', outcome)).toBe(
      'ℹ transition architect→integrator/shop not declared; work stays suspended'
    )
    expect(world.gates.grid.current()?.version).toBe(1)
    expect(world.written).toEqual([])
  })

  it('declared meanwhile: the declared one is used (GATE-98)', async () => {
    const { committer, suspension } = scene()
    const confirm: DeclarePorts['confirm'] = async () => {
      await declareOnTheSpot(committer, ports(), command(suspension))
      return accept
    }
    const outcome = await declareOnTheSpot(committer, ports({ confirm }), command(suspension))
    expect(outcome).toMatchObject({ kind: 'already', arrow: { id: proposal.id } })
    expect(committer.written).toHaveLength(1)
  })

  it('the record bears the version that is really written, whatever came in between', async () => {
    const { world, committer, suspension } = scene()
    const binding = { command: 'x', protocol: 'auto', timeoutMs: 1, env: [], extractor: null, mapper: null } as const
    const confirm: DeclarePorts['confirm'] = async () => {
      await commitBindings(committer, { 'lint-clean.rust': binding }, 'alice')
      return accept
    }
    const outcome = await declareOnTheSpot(committer, ports({ confirm }), command(suspension))
    expect(outcome).toMatchObject({ gridVersion: 3, attestationId: 'att-architect→integrator/shop-v3' })
    expect(world.written[0]?.gridVersion).toBe(3)
  })

  it('a disk that fails after the record leaves the arrow undeclared, and the declaration can be repeated (ATT-204)', async () => {
    const { world, committer, suspension } = scene()
    committer.failWrite = new Error('ENOSPC')
    expect(await declareOnTheSpot(committer, ports(), command(suspension))).toMatchObject({
      refusal: { code: 'persist-error' }
    })
    expect(world.gates.grid.arrow(proposal.id)).toBeNull()
    committer.failWrite = null
    expect(await declareOnTheSpot(committer, ports(), command(suspension))).toMatchObject({
      kind: 'declared',
      attestationId: 'att-architect→integrator/shop-v2-r2'
    })
  })

  it('a record that cannot be written declares nothing; an interrupt and a changed file neither', async () => {
    const { world, committer, suspension } = scene()
    world.failWrite = new Error('EROFS')
    expect((await declareOnTheSpot(committer, ports(), command(suspension))).kind).toBe('refused')
    world.failWrite = null
    const stop = new AbortController()
    const confirm: DeclarePorts['confirm'] = async () => {
      stop.abort()
      return accept
    }
    expect(
      await declareOnTheSpot(committer, ports({ confirm }), command(suspension, { signal: stop.signal }))
    ).toMatchObject({ refusal: { code: 'operator-interrupt' } })
    world.changedFile = { path: '.ghyll/grid.current', reason: 'differs' }
    expect(await declareOnTheSpot(committer, ports(), command(suspension))).toMatchObject({
      refusal: { code: 'gate-file-changed' }
    })
    expect(committer.written).toEqual([])
  })
})
