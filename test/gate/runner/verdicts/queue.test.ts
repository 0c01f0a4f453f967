import { describe, expect, it } from 'vitest'
import { abortPass } from '../../../../src/gate/runner/acts.ts'
import { dispatch } from '../../../../src/gate/runner/dispatch/dispatch.ts'
import { announceCapped, maxDrainRounds, nextInDrain, startDrain } from '../../../../src/gate/runner/verdicts/drain.ts'
import { answerEscalation } from '../../../../src/gate/runner/verdicts/escalation.ts'
import { createVerdictQueue } from '../../../../src/gate/runner/verdicts/queue.ts'
import { recordVerdict } from '../../../../src/gate/runner/verdicts/record.ts'
import type { Verdict } from '../../../../src/protocol/gate.ts'
import type { Grid } from '../../../../src/protocol/grid.ts'
import { arrowOf, attestedOf, gridOf, quiet, worldOf } from '../../../support/gates.ts'

const arrow = arrowOf('analyst', 'architect', [attestedOf('C1'), attestedOf('C2'), attestedOf('C3')])

async function queued(grid: Partial<Grid> = {}) {
  const world = worldOf(gridOf([arrow], grid))
  const lines: string[] = []
  const queue = createVerdictQueue(world.gates, (line) => lines.push(line))
  await dispatch(world.gates, { arrowId: arrow.id, opId: 'alice', signal: quiet() })
  const give = (clauseId: string, verdict: Verdict) =>
    recordVerdict(world.gates, { passId: 'p-1', clauseId, verdict, text: 'x', reason: '', opId: 'alice' })
  const keys = () => queue.items().map(({ type, clauseId, ref }) => `${type}:${clauseId === '' ? ref : clauseId}`)
  return { world, queue, lines, give, keys }
}

const riskEvent = {
  kind: 'risk-acceptance-requested',
  arrow_id: arrow.id,
  finding_id: 'F1',
  pass_id: 'p-1',
  payload: { severity: 'high', rationale: 'too costly' }
} as const

describe('the verdict queue (OPUI-400…405)', () => {
  it('holds one item per request, oldest first, with the hint of its event', async () => {
    const { queue, keys } = await queued()
    expect(keys()).toEqual(['verdict:C1', 'verdict:C2', 'verdict:C3'])
    expect(queue.items()[0]?.hint?.artifact_digest).toBe('artifact-1')
  })

  it('drops a second request for a ref it has', async () => {
    const { world, keys } = await queued()
    const request = world.events.find(({ kind }) => kind === 'attestation-requested')
    if (request !== undefined) world.gates.bus.relay(request)
    expect(keys()).toHaveLength(3)
  })

  it('removes what was answered and nothing else', async () => {
    const { give, keys } = await queued()
    give('C2', 'pass')
    expect(keys()).toEqual(['verdict:C1', 'verdict:C3'])
  })

  it('turns the third insufficient-basis into an escalation, before the verdict item leaves (EVT-400)', async () => {
    const { world, give, keys } = await queued()
    let atRecord: readonly string[] = []
    world.gates.bus.subscribe(({ kind }) => {
      if (kind === 'insufficient-basis-rounds-exceeded') atRecord = keys()
    })
    for (let n = 0; n < 3; n += 1) give('C3', 'insufficient-basis')
    expect(atRecord).toContain('escalation:C3')
    expect(keys()).toEqual(['escalation:C3', 'verdict:C1', 'verdict:C2'])
    answerEscalation(world.gates, { passId: 'p-1', clauseId: 'C3', option: 'accept-risk', text: 'x', opId: 'alice' })
    expect(keys()).toEqual(['verdict:C1', 'verdict:C2'])
  })

  it('puts escalations first, then risk acceptances, then verdicts (OPUI-400)', async () => {
    const { world, give, keys, queue } = await queued()
    world.gates.bus.publish(riskEvent)
    for (let n = 0; n < 3; n += 1) give('C3', 'insufficient-basis')
    expect(keys()).toEqual(['escalation:C3', 'risk:F1', 'verdict:C1', 'verdict:C2'])
    queue.settleRisk('F1')
    expect(keys()).not.toContain('risk:F1')
  })

  it('withdraws what an aborted pass had asked', async () => {
    const { world, keys } = await queued()
    abortPass(world.gates, 'p-1')
    expect(keys()).toEqual([])
  })

  it('asks again for what found no room, as soon as there is some (OPUI-402)', async () => {
    const { world, give, keys, lines } = await queued({ modalPendingMaxLen: 2 })
    expect(keys()).toEqual(['verdict:C1', 'verdict:C2'])
    expect(lines).toEqual([`⚠ verdict queue full (2); att-${arrow.id}-C3-v1 will be asked again`])
    expect(world.events.at(-1)).toMatchObject({
      kind: 'modal-backpressure',
      payload: { outcome: 'queue-cap', queued: '2' }
    })
    give('C1', 'pass')
    expect(keys()).toEqual(['verdict:C2', 'verdict:C3'])
    expect(lines).toHaveLength(1)
  })

  it('finds the requests of resumed passes, an outstanding escalation among them (PERS-524)', async () => {
    const { world, give } = await queued()
    for (let n = 0; n < 3; n += 1) give('C3', 'insufficient-basis')
    const old = world.gates.passes.get('p-1')
    if (old === null) throw new Error('gone')
    const next = worldOf(gridOf([arrow]), {
      before: (gates) => {
        gates.attestations.load(world.written)
        gates.tracker.rebuild(gates.attestations.all())
        gates.passes.resume({
          record: old.record,
          arrow,
          clauses: old.board.all(),
          requests: [...old.requests.values()]
        })
      }
    })
    const queue = createVerdictQueue(next.gates, () => undefined)
    queue.refill()
    expect(queue.items().map(({ type, clauseId }) => `${type}:${clauseId}`)).toEqual([
      'escalation:C3',
      'verdict:C1',
      'verdict:C2'
    ])
  })

  it('rebuilds a hint it cannot read from the event (EVT-320)', async () => {
    const { world, queue } = await queued()
    const request = world.events.find(({ kind }) => kind === 'attestation-requested')
    if (request === undefined) throw new Error('none')
    abortPass(world.gates, 'p-1')
    const { attestation_ref: _, ...payload } = request.payload ?? {}
    world.gates.bus.relay({ ...request, detail: '{"no":"hint"', payload })
    expect(queue.items()[0]).toMatchObject({
      ref: `att-${arrow.id}-C1-v1`,
      hint: { concept: 'unknown', artifact_digest: 'artifact-1' }
    })
  })

  it('tells of a skip and keeps the item', async () => {
    const { world, queue, keys } = await queued()
    const [item] = queue.items()
    if (item !== undefined) queue.skip(item)
    expect(world.events.at(-1)).toMatchObject({ kind: 'modal-skipped', clause_id: 'C1' })
    expect(keys()).toHaveLength(3)
  })
})

describe('a drain (OPUI-404)', () => {
  it('presents each item once, passing over those that left, and what came meanwhile in its next round', async () => {
    const { world, queue, give } = await queued()
    const seen: string[] = []
    let drain = startDrain(queue)
    for (let step = nextInDrain(drain, queue); step.kind === 'present'; step = nextInDrain(drain, queue)) {
      seen.push(
        `${step.drain.round}:${step.place}/${step.drain.size} ${step.item.type} ${step.item.clauseId || step.item.ref}`
      )
      drain = step.drain
      if (step.item.clauseId === 'C1') {
        give('C2', 'pass')
        world.gates.bus.publish(riskEvent)
      }
    }
    expect(seen).toEqual(['1:1/3 verdict C1', '1:3/3 verdict C3', '2:1/1 risk F1'])
    expect(nextInDrain(drain, queue).kind).toBe('done')
  })

  it(`gives up after ${maxDrainRounds} rounds and says so`, async () => {
    const { world, queue } = await queued()
    let drain = startDrain(queue)
    let step = nextInDrain(drain, queue)
    let n = 0
    while (step.kind === 'present') {
      drain = step.drain
      n += 1
      world.gates.bus.publish({ ...riskEvent, finding_id: `F${n}` })
      step = nextInDrain(drain, queue)
    }
    expect(step.kind).toBe('capped')
    expect(drain.round).toBe(maxDrainRounds)
    if (step.kind === 'capped') announceCapped(world.gates.bus, step.left)
    expect(world.events.at(-1)).toMatchObject({ kind: 'modal-backpressure', payload: { outcome: 'drain-cap' } })
  })
})
