import { describe, expect, it } from 'vitest'
import { riskPrompt } from '../../../../src/gate/runner/adversary/risk.ts'
import { createVerdictQueue } from '../../../../src/gate/runner/verdicts/queue.ts'
import { dispositions, edit, foundOne, nothingFound, playIn, runArrow } from '../../../support/adversary.ts'
import { arrowOf, gridOf, sensitiveOf, worldOf } from '../../../support/gates.ts'

const arrow = arrowOf('analyst', 'architect', [sensitiveOf('C5', 2)])

/** A question about a finding is in the queue; `state` tells whether the round still waits for it. */
function asked() {
  const { gates } = worldOf(gridOf([arrow]))
  const queue = createVerdictQueue(gates, () => undefined)
  const ask = (findingId: string) =>
    gates.bus.publish({
      kind: 'risk-acceptance-requested',
      arrow_id: arrow.id,
      finding_id: findingId,
      pass_id: 'p-1',
      payload: { severity: 'high', rationale: 'why' }
    })
  ask('F1')
  const stop = new AbortController()
  let isOver = false
  const over = riskPrompt(queue)
    .answered('F1', stop.signal)
    .then(() => {
      isOver = true
    })
  /** After everything that is ready has run. */
  const state = async () => {
    await new Promise((resolve) => setImmediate(resolve))
    return isOver ? 'goes on' : 'waits'
  }
  return { queue, ask, stop, over, state }
}

describe('a round that asked for a risk to be accepted (RUN-633, OPUI-540)', () => {
  it('waits while its question waits, whatever else comes and goes in the queue', async () => {
    const { queue, ask, state, over } = asked()
    expect(await state()).toBe('waits')
    ask('F2')
    queue.settleRisk('F2')
    expect(await state()).toBe('waits')
    queue.settleRisk('F1')
    await over
    expect(await state()).toBe('goes on')
  })

  it('goes on when the operator passes over it, or the pass is stopped', async () => {
    const skipped = asked()
    const [item] = skipped.queue.items()
    skipped.queue.skip(item!)
    expect(await skipped.state()).toBe('goes on')
    const stopped = asked()
    stopped.stop.abort()
    expect(await stopped.state()).toBe('goes on')
  })

  it('does not wait for a question nobody put, nor after the stop', async () => {
    const { queue, stop } = asked()
    const prompt = riskPrompt(queue)
    const done = async (answer: Promise<void>) =>
      Promise.race([answer.then(() => 'goes on'), new Promise((resolve) => setImmediate(resolve, 'waits'))])
    expect(await done(prompt.answered('F9', stop.signal))).toBe('goes on')
    expect(await done(prompt.answered('F1', stop.signal))).toBe('waits')
    stop.abort()
    expect(await done(prompt.answered('F1', stop.signal))).toBe('goes on')
  })
})

it('a claim nobody could check, whose risk is then not accepted, is open again and the cycle goes on (RUN-633)', async () => {
  const world = worldOf(gridOf([arrow]))
  const play = playIn(world, {
    sweep: ({ round }) => (round === 1 ? foundOne() : nothingFound),
    recheck: ({ findingId }) => ({
      finding_id: findingId,
      reproduced: play.packets.length < 3 ? 'cannot-tell' : 'no',
      evidence: ''
    }),
    fix: (ask) => {
      edit(world, `edit ${ask.round}`)
      return dispositions(ask, ask.round === 1 ? 'fixed' : 'propose-accepted-risk')
    }
  })
  const result = await runArrow(world, arrow.id)
  expect(result.remediation).toEqual({ outcome: 'converged', roundsUsed: 3 })
  const moves = world.events.filter(({ kind }) => kind === 'finding-transitioned')
  expect(moves.map(({ role, payload }) => `${role}: ${payload?.from} → ${payload?.outcome}`)).toEqual([
    'producer: open → running',
    'orchestrator: running → open',
    'adversary: open → resolved'
  ])
})
