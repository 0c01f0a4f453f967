import { describe, expect, it } from 'vitest'
import { producerHint, renewedHint } from '../../../../src/gate/runner/dispatch/requests.ts'
import type { CycleInput, ProducerHint } from '../../../../src/gate/runner/ports.ts'
import { recordVerdict } from '../../../../src/gate/runner/verdicts/record.ts'
import { runArrow } from '../../../support/adversary.ts'
import { arrowOf, attestedOf, clauseOf, gridOf, sensitiveOf, worldOf } from '../../../support/gates.ts'

const hint = { kind: 'hint', locations: ['a.md:1', 'b.md:2'], basis: 'every rule', residue: 'examples' } as const

describe('a producer’s hint (GATE-39, GATE-58)', () => {
  const asking = async (...answers: readonly ProducerHint[]) => {
    let asked = 0
    const got = await producerHint(async () => answers[asked++] ?? hint, {} as CycleInput, 'C1')
    return { got, asked }
  }

  it('is taken when it names places, its rule and what the rule left out, and judges nothing', async () => {
    expect(await asking(hint)).toEqual({ got: hint, asked: 1 })
  })

  it.each([
    ['no place', { locations: [] }],
    ['no rule', { basis: ' ' }],
    ['no remainder', { residue: '' }],
    ['a rule that judges', { basis: 'it looks good' }],
    ['a remainder that judges', { residue: 'the rest is sufficient' }],
    ['one place of two that judges', { locations: ['a.md:1', 'b.md: LGTM'] }]
  ])('with %s is asked for once more, and then chose by no rule', async (_, more) => {
    const poor: ProducerHint = { ...hint, ...more }
    expect(await asking(poor, hint)).toEqual({ got: hint, asked: 2 })
    expect(await asking(poor, poor, hint)).toEqual({ got: { kind: 'no-rule' }, asked: 2 })
  })

  it.each(['no-rule', 'no-response'] as const)('that did not come is not asked for again: %s', async (kind) => {
    expect(await asking({ kind })).toEqual({ got: { kind }, asked: 1 })
  })
})

describe('the hint of a request that waits since an earlier process (PERS-524)', () => {
  const deep = sensitiveOf('C2', 3, { eval: 'attested' })
  const arrow = arrowOf('analyst', 'architect', [attestedOf('C1'), clauseOf('C3')])

  async function parked() {
    const world = worldOf(gridOf([arrow]))
    await runArrow(world, arrow.id)
    return { world, pass: world.gates.passes.get('p-1')! }
  }

  it('speaks of the artifact as it is now, and of the last verdict there was', async () => {
    const { world, pass } = await parked()
    const [first] = arrow.clauses
    expect(renewedHint(world.gates, pass, first!, 'now')).toEqual({
      arrow_id: arrow.id,
      clause_id: 'C1',
      concept: 'attested',
      attestation_ref: `att-${arrow.id}-C1-v1`,
      artifact_digest: 'now',
      description: 'what C1 demands'
    })
    recordVerdict(world.gates, {
      ...{ passId: 'p-1', clauseId: 'C1', verdict: 'insufficient-basis', text: 'thin', reason: '', opId: 'bob' }
    } as const)
    expect(renewedHint(world.gates, pass, first!, 'now').previous).toBe('insufficient-basis by bob in p-1')
  })

  it('says why it is asked where the pass ran below the depth of its clause (GATE-24, OPUI-421)', async () => {
    const { world, pass } = await parked()
    pass.record = { ...pass.record, actualTier: 1 }
    expect(renewedHint(world.gates, pass, deep, 'now')).toMatchObject({
      unevaluated_reason: 'depth-below-required',
      note: 'needs rank 3, no configured model offers it'
    })
    world.routing = { ...world.routing, lockedModel: 'fast' }
    expect(renewedHint(world.gates, pass, deep, 'now').note).toBe('needs rank 3, --model vouches for no tier')
    pass.record = { ...pass.record, actualTier: 3 }
    expect(renewedHint(world.gates, pass, deep, 'now')).not.toHaveProperty('note')
  })
})
