import { expect, test } from 'vitest'
import { abortPass, recordVerdict } from '../../../src/gate/runner/index.ts'
import { assert } from '../../../src/lib/assert.ts'
import { askingGates } from './asking.ts'

const pass = { kind: 'answer', choice: 'pass', text: '' } as const

test('one drain presents each item once; a skipped one stays and is not asked again in it (OPUI-404, 405)', async () => {
  const at = askingGates()
  await at.run()
  const drained = at.presenter.drain()
  at.presenter.answer(at.key('C1'), { kind: 'skip' })
  await Promise.resolve()
  at.presenter.answer(at.key('C2'), pass)
  await Promise.resolve()
  at.presenter.answer(at.key('C3'), { ...pass, choice: 'fail', text: 'src/a.ts:1' })
  await drained
  expect(at.told).toEqual([
    'show C1 1/3',
    'closed C1 skipped',
    'show C2 2/3',
    'closed C2 recorded',
    'show C3 3/3',
    'closed C3 recorded'
  ])
  expect(at.queue.items().map(({ clauseId }) => clauseId)).toEqual(['C1'])
  expect(at.printed).toEqual(
    ['C2 pass', 'C3 fail'].map((each) => {
      const [clause, verdict] = each.split(' ')
      return `✓ attestation att-analyst→architect/shop-${clause}-v1 recorded: verdict=${verdict} by op-id=alice`
    })
  )
  expect(at.world.kinds().filter((kind) => kind === 'modal-skipped')).toHaveLength(1)
})

test('the last answer settles the pass, and whoever ends the session hears of it before', async () => {
  const at = askingGates()
  await at.run()
  const settled: string[] = []
  at.world.gates.settled.observe(({ arrowStatus }) => settled.push(arrowStatus))
  void at.presenter.drain()
  for (const clause of ['C1', 'C2', 'C3']) {
    at.presenter.answer(at.key(clause), pass)
    await Promise.resolve()
  }
  await Promise.all(at.settling)
  expect(settled).toEqual(['complete'])
})

test('a record that fails leaves the question and its answer where they are (OPUI-405)', async () => {
  const at = askingGates()
  await at.run()
  void at.presenter.drain()
  at.world.failWrite = new Error('no space left')
  at.presenter.answer(at.key('C1'), pass)
  expect(at.told.at(-1)).toContain('refused C1: attestation-audit-write-failed')
  expect(at.queue.size()).toBe(3)
  at.world.failWrite = null
  at.presenter.answer(at.key('C1'), pass)
  expect(at.told.at(-1)).toBe('closed C1 recorded')
})

test('Ctrl+C ends the drain without an event; the next one begins with the same item (OPUI-405, SESS-031)', async () => {
  const at = askingGates()
  await at.run()
  const interrupt = new AbortController()
  const drained = at.presenter.drain(interrupt.signal)
  interrupt.abort()
  await drained
  void at.presenter.drain()
  await Promise.resolve()
  at.presenter.answer(at.key('C1'), { kind: 'cancel' })
  expect(at.told).toEqual(['show C1 1/3', 'closed C1 skipped', 'show C1 1/3', 'closed C1 skipped'])
  expect(at.world.kinds()).not.toContain('modal-skipped')
})

test('a pass that is aborted withdraws its question and says why; an answer from elsewhere does so in silence (OPUI-405, 212)', async () => {
  const at = askingGates()
  await at.run()
  void at.presenter.drain()
  recordVerdict(at.world.gates, {
    passId: 'p-1',
    clauseId: 'C1',
    verdict: 'pass',
    text: '',
    reason: '',
    opId: 'bob'
  })
  await Promise.resolve()
  abortPass(at.world.gates, 'p-1')
  expect(at.told).toEqual([
    'show C1 1/3',
    'closed C1 withdrawn',
    'show C2 2/3',
    'closed C2 withdrawn: ℹ request withdrawn: pass p-1 aborted (operator-interrupt)'
  ])
  expect(at.queue.size()).toBe(0)
})

test('what was put off for this turn is asked again after it, or when the operator wants to see it (OPUI-731)', async () => {
  const at = askingGates()
  await at.run()
  at.presenter.skipAll()
  await at.presenter.drain()
  expect(at.told).toEqual([])
  void at.presenter.drainNow()
  await Promise.resolve()
  expect(at.told).toEqual(['show C1 1/3'])
})

test('an answer to a question that is no longer open records nothing (OPUI-405)', async () => {
  const at = askingGates()
  await at.run()
  void at.presenter.drain()
  at.presenter.answer(at.key('C2'), pass)
  expect(at.told.at(-1)).toBe('refused C2: this question is no longer open')
  expect(at.world.written).toEqual([])
})

test('the verdict is signed by who is there at the moment of the answer (OPUI-409)', async () => {
  const at = askingGates()
  await at.run()
  void at.presenter.drain()
  at.identity.set('bob')
  at.presenter.answer(at.key('C1'), pass)
  expect(at.world.written.map(({ opId }) => opId)).toEqual(['bob'])
})

test('who leaves the drain has answered what a round of the cycle waits for: the finding stays open (RUN-633, OPUI-405)', async () => {
  const at = askingGates()
  await at.run()
  at.world.gates.bus.publish({
    kind: 'risk-acceptance-requested',
    arrow_id: 'analyst→architect/shop',
    finding_id: 'f-1',
    pass_id: 'p-1',
    payload: { severity: 'high', rationale: 'cheap' }
  })
  expect(at.queue.size()).toBe(4)
  const drained = at.presenter.drain()
  at.presenter.skipAll()
  await drained
  expect(at.queue.items().map(({ type }) => type)).toEqual(['verdict', 'verdict', 'verdict'])
})

test('a bug while it asks stops the program; other trouble is a line, and the turn goes on (OPUI-404)', async () => {
  const at = askingGates()
  await at.run()
  at.queue.refill = () => {
    throw new Error('no such table')
  }
  await at.presenter.drain()
  expect(at.printed).toEqual(['⚠ modal error: no such table'])
  at.queue.refill = () => assert(false, 'cannot be')
  await expect(at.presenter.drain()).rejects.toThrow('cannot be')
  expect(at.printed).toHaveLength(1)
})
