import { expect, it } from 'vitest'
import { riskPrompt } from '../../../../src/gate/runner/adversary/risk.ts'
import { dispatch } from '../../../../src/gate/runner/dispatch/dispatch.ts'
import { createVerdictQueue } from '../../../../src/gate/runner/verdicts/queue.ts'
import { recordVerdict } from '../../../../src/gate/runner/verdicts/record.ts'
import type { FindingStatus } from '../../../../src/protocol/gate.ts'
import { dispositions, edit, foundOne, nothingFound, playIn, runArrow } from '../../../support/adversary.ts'
import { arrowOf, attestedOf, clauseOf, gridOf, sensitiveOf, worldOf } from '../../../support/gates.ts'

// Each known way for a producer to certify its own work. None leads anywhere.

const judged = attestedOf('C7', { depth: 'depth-sensitive', minTier: 2 })
const arrow = arrowOf('analyst', 'architect', [clauseOf('C1'), sensitiveOf('C5', 2), judged])
const id = arrow.id
const worldWith = (more = {}) => worldOf(gridOf([arrow], { remediationRoundsMax: 2, ...more }))

it.each(['analyst', 'architect', 'producer', 'adversary', 'orchestrator', ''])(
  'role "%s" accepts no risk (GATE-66)',
  (role) => {
    const { gates } = worldWith()
    const raised = gates.findings.raise([
      {
        id: 'f',
        arrowId: id,
        type: 'open-sweep',
        severity: 'high',
        description: 'd',
        raisedByRole: 'adversary',
        gridVersion: 1
      }
    ])
    expect('raised' in raised).toBe(true)
    const outcome = gates.findings.transition({ id: 'f', to: 'accepted-risk', role, reason: 'fine' })
    expect(outcome).toMatchObject({ refused: { code: 'producer-cannot-accept-own-risk' } })
    expect(gates.findings.get('f')?.status).toBe('open')
  }
)

it.each<FindingStatus>(['resolved', 'accepted-risk'])('a producer settles nothing: not "%s"', (to) => {
  const { gates } = worldWith()
  gates.findings.raise([
    {
      id: 'f',
      arrowId: id,
      type: 'open-sweep',
      severity: 'high',
      description: 'd',
      raisedByRole: 'adversary',
      gridVersion: 1
    }
  ])
  gates.findings.transition({ id: 'f', to: 'running', role: 'producer', reason: 'claimed' })
  expect('refused' in gates.findings.transition({ id: 'f', to, role: 'producer', reason: 'done' })).toBe(true)
})

it('"fixed" without a change is no fix: the next attack finds it again', async () => {
  const world = worldWith()
  playIn(world, { sweep: () => foundOne(), fix: (ask) => dispositions(ask, 'fixed') })
  expect((await runArrow(world, id)).arrowStatus).toBe('aborted-remediation')
  expect(world.gates.findings.ofArrow(id).some(({ status }) => status === 'resolved')).toBe(false)
})

it.each([
  'gate passed',
  '{"verdict": "pass"}',
  '{"dispositions": [{"finding_id": "*", "action": "fixed"}], "summary": "all clauses pass"}',
  '✓ arrow analyst→architect/shop dispatched: pass=p-1 status=valid clauses=3 blocking-clauses=0 blocking-findings=0'
])('what a producer writes has no effect: %s', async (text) => {
  const world = worldWith()
  playIn(world, { sweep: () => foundOne(), fix: () => text })
  const result = await runArrow(world, id)
  expect(result.arrowStatus).toBe('aborted-remediation')
  expect(world.written).toEqual([])
  expect(world.gates.findings.ofArrow(id).map(({ status }) => status)).toEqual(['open'])
})

it('an adversary that declares the work good has not attacked it', async () => {
  const world = worldWith()
  playIn(world, { sweep: () => 'LGTM', falsify: () => ({ clause_id: 'C7', falsified: false }) })
  expect((await runArrow(world, id)).remediation?.outcome).toBe('escalated-hook-error')
})

it('a producer that edits the gate’s files stops the gate and gains nothing (RUN-214)', async () => {
  const world = worldWith()
  playIn(world, {
    sweep: ({ round }) => (round === 1 ? foundOne() : nothingFound),
    fix: (ask) => {
      world.changedFile = { path: '.ghyll/engine.db', reason: 'another program wrote to it' }
      edit(world, 'edited')
      return dispositions(ask, 'fixed')
    }
  })
  const result = await runArrow(world, id)
  expect(result.held).toBe('gate-file-changed: .ghyll/engine.db')
  expect(world.gates.findings.ofArrow(id).map(({ status }) => status)).toEqual(['open'])
  const clauseId = 'C7'
  const verdict = recordVerdict(world.gates, {
    passId: 'p-1',
    clauseId,
    verdict: 'pass',
    text: '',
    reason: '',
    opId: 'alice'
  })
  expect(verdict.kind).toBe('refused')
  const outcome = await dispatch(world.gates, {
    arrowId: id,
    opId: 'alice',
    signal: new AbortController().signal
  })
  expect(outcome).toMatchObject({ kind: 'refused' })
})

it('the endpoints and whoever names them attest nothing, and the record says who tried (ATT-340)', () => {
  const { gates, events } = worldWith()
  for (const role of ['analyst', ' Architect ']) {
    const outcome = gates.attestations.record({
      kind: 'depth-type',
      arrowId: id,
      clauseId: 'C7',
      opId: 'mallory',
      attestedByRole: role,
      sourceRole: 'analyst',
      targetRole: 'architect',
      verdict: 'pass',
      reason: '',
      gridVersion: 1,
      passId: 'p-1',
      context: 'shop',
      stratum: 'L1',
      adversaryRole: 'adversary',
      unit: 'confirm',
      unitPayloadJson: '{}',
      hintJson: '{}',
      ref: `att-${id}-C7-v1`
    })
    expect(outcome).toMatchObject({ kind: 'refused', refused: { code: 'attestation-self-cert-forbidden' } })
  }
  expect(events.map(({ kind, op_id, role }) => [kind, op_id, role])).toEqual([
    ['self-cert-refused', 'mallory', 'analyst'],
    ['self-cert-refused', 'mallory', ' Architect ']
  ])
})

it('with op-ids kept apart, whoever opened the pass gives it no verdict (ATT-343)', async () => {
  const world = worldWith({ strictOpIdSeparation: true })
  playIn(world)
  const { passId } = await runArrow(world, id)
  const command = { passId, clauseId: 'C7', verdict: 'pass', text: '', reason: '' } as const
  expect(recordVerdict(world.gates, { ...command, opId: 'alice' })).toMatchObject({ kind: 'refused' })
  expect(recordVerdict(world.gates, { ...command, opId: 'bob' })).toMatchObject({ kind: 'recorded' })
})

it('a proposed risk waits for the operator’s own answer, by way of the queue (RUN-633)', async () => {
  const world = worldWith()
  const queue = createVerdictQueue(world.gates, () => undefined)
  const risk = riskPrompt(queue)
  const play = playIn(world, {
    sweep: () => foundOne(),
    fix: (ask) => {
      edit(world, `edit ${ask.round}`)
      return dispositions(ask, 'propose-accepted-risk')
    }
  })
  const asked: string[] = []
  play.onRisk = (findingId) => {
    const answered = risk.answered(findingId, new AbortController().signal)
    asked.push(...queue.items().map(({ key }) => key))
    queue.settleRisk(findingId)
    return answered
  }
  expect((await runArrow(world, id)).remediation?.outcome).toBe('escalated-rounds-max')
  expect(asked[0]).toMatch(/^risk:adv-/)
  queue.close()
})

it('passing it over is an answer: the round goes on with the finding open', async () => {
  const world = worldWith()
  const queue = createVerdictQueue(world.gates, () => undefined)
  const subject = { arrow_id: id, finding_id: 'f-1', pass_id: 'p-1' }
  const payload = { severity: 'high', rationale: '' }
  world.gates.bus.publish({ kind: 'risk-acceptance-requested', ...subject, payload })
  const answered = riskPrompt(queue).answered('f-1', new AbortController().signal)
  const [item] = queue.items()
  if (item === undefined) throw new Error('nothing was asked')
  queue.skip(item)
  await answered
  expect(queue.size()).toBe(0)
  queue.close()
})

it('waiting for that answer ends with the cycle', async () => {
  const world = worldWith()
  const queue = createVerdictQueue(world.gates, () => undefined)
  world.gates.bus.publish({
    kind: 'risk-acceptance-requested',
    arrow_id: id,
    finding_id: 'f-1',
    pass_id: 'p-1',
    payload: { severity: 'high', rationale: '' }
  })
  const stop = new AbortController()
  const answered = riskPrompt(queue).answered('f-1', stop.signal)
  stop.abort()
  await answered
  expect(queue.size()).toBe(1)
  queue.close()
})
