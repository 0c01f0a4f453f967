import { describe, expect, it } from 'vitest'
import { carryOutAnswer, factsFor } from '../../../../src/gate/runner/verdicts/answer.ts'
import { createVerdictQueue } from '../../../../src/gate/runner/verdicts/queue.ts'
import { runArrow } from '../../../support/adversary.ts'
import { arrowOf, attestedOf, gridOf, worldOf } from '../../../support/gates.ts'

const arrow = arrowOf('analyst', 'architect', [attestedOf('C1'), attestedOf('C2')])

async function scene() {
  const world = worldOf(gridOf([arrow]))
  const { gates } = world
  const queue = createVerdictQueue(gates, () => undefined)
  await runArrow(world, arrow.id)
  const finding = { arrowId: arrow.id, type: 'local-bug', severity: 'high', description: 'x' } as const
  gates.findings.raise([{ ...finding, id: 'F1', raisedByRole: 'adversary', gridVersion: 1 }])
  gates.bus.publish({
    kind: 'risk-acceptance-requested',
    ...{ arrow_id: arrow.id, finding_id: 'F1', pass_id: 'p-1' },
    payload: { severity: 'high', rationale: 'rare' }
  })
  const item = (type: string) => queue.items().find((each) => each.type === type)!
  const answer = (
    type: string,
    choice: 'pass' | 'insufficient-basis' | 'accept' | 'reject' | 'accept-risk',
    opId = 'bob'
  ) => carryOutAnswer(gates, queue, item(type), { kind: 'answer', choice, text: 'we know', opId })
  return { world, gates, queue, item, answer }
}

describe('a complete answer of the prompt (OPUI-405)', () => {
  it('accepts a risk in the name of the operator who gave it, and lets the round go on (GATE-66, OPUI-540)', async () => {
    const { world, gates, queue, answer } = await scene()
    expect(answer('risk', 'accept')).toMatchObject({ kind: 'recorded', record: null })
    expect(gates.findings.get('F1')?.status).toBe('accepted-risk')
    expect(world.events.at(-1)).toMatchObject({
      ...{ kind: 'finding-transitioned', role: 'operator', op_id: 'bob' },
      payload: { from: 'open', outcome: 'accepted-risk', reason: 'we know' }
    })
    expect(queue.items().map(({ type }) => type)).toEqual(['verdict', 'verdict'])
  })

  it('leaves a rejected one open, also one that was claimed as fixed meanwhile', async () => {
    const { world, gates, queue, answer } = await scene()
    gates.findings.transition({ id: 'F1', to: 'running', role: 'producer', reason: 'claimed' })
    expect(answer('risk', 'reject').kind).toBe('recorded')
    expect(gates.findings.get('F1')?.status).toBe('open')
    expect(world.events.at(-1)?.payload?.reason).toBe('risk acceptance rejected')
    expect(queue.items()).toHaveLength(2)
  })

  it('refuses one that nobody signs, and the question stays', async () => {
    const { gates, queue, answer } = await scene()
    expect(answer('risk', 'accept', ' ')).toMatchObject({ kind: 'refused', refusal: { code: 'op-id-required' } })
    expect(gates.findings.get('F1')?.status).toBe('open')
    expect(queue.items()).toHaveLength(3)
  })

  it('records a verdict once; the same again is no trouble', async () => {
    const { world, item, answer, gates, queue } = await scene()
    const asked = item('verdict')
    expect(answer('verdict', 'pass')).toMatchObject({ kind: 'recorded', record: { verdict: 'pass', opId: 'bob' } })
    const again = { kind: 'answer', choice: 'pass', text: '', opId: 'bob' } as const
    expect(carryOutAnswer(gates, queue, asked, again)).toMatchObject({ kind: 'recorded' })
    expect(world.written).toHaveLength(1)
  })
})

it('a question shows its round and the notes of those before it, a risk its finding (OPUI-421)', async () => {
  const { gates, item, answer } = await scene()
  expect(factsFor(gates, item('verdict'))).toEqual({ round: 1, roundsMax: 3, notes: [], finding: null })
  expect(factsFor(gates, item('risk'))).toMatchObject({ finding: { id: 'F1' } })
  const asked = item('verdict')
  answer('verdict', 'insufficient-basis')
  expect(factsFor(gates, asked)).toEqual({ round: 2, roundsMax: 3, notes: ['we know'], finding: null })
  expect(factsFor(gates, { ...asked, type: 'escalation' }).round).toBe(1)
})
