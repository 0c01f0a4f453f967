import { expect, test } from 'vitest'
import type { SessionPhase } from '../../../src/protocol/event.ts'
import { calls, type FakeSession, fails, fakeSession, hangs, says, settled, toolHangs } from '../../support/session.ts'

const interrupted = { outcome: 'interrupted', code: 'interrupted' }

async function busy(fake: FakeSession, at: (fake: FakeSession) => Promise<unknown>): Promise<void> {
  fake.session.start()
  fake.session.submit('go', 'steer', 'operator')
  await at(fake)
}

test('text already received is kept; queued rows stay queued; nothing is promoted until the operator says so (SESS-090, SESS-092)', async () => {
  const fake = fakeSession()
  fake.script(hangs('so far'))
  await busy(fake, (f) => f.untilEvent((event) => event.kind === 'reply-delta'))
  fake.session.submit('for later', 'queue', 'operator')
  expect(fake.session.interrupt()).toBe(true)
  await fake.untilEvent((event) => event.kind === 'turn-ended')
  await settled()
  expect(fake.session.state().lastTurn).toMatchObject(interrupted)
  expect(fake.session.state().history.at(-1)).toMatchObject({ text: 'so far', status: 'partial' })
  expect(fake.session.state()).toMatchObject({ held: true, inbox: [{ text: 'for later' }] })
  // Remote input waits too.
  fake.session.submit('from afar', 'queue', 'remote')
  await settled()
  expect(fake.requests).toHaveLength(1)

  fake.script(says('one'), says('two'))
  fake.session.takeUp()
  await fake.idle()
  expect(fake.requests).toHaveLength(3)
  expect(fake.session.state()).toMatchObject({ held: false, inbox: [], turn: 3 })
})

test('a call under way and the ones behind it get one result each (SESS-091, SESS-094)', async () => {
  const fake = fakeSession()
  fake.setTool(toolHangs)
  fake.script(calls(['a', 'bash'], ['b', 'grep'], ['c', 'glob']))
  await busy(fake, (f) => f.untilEvent((event) => event.kind === 'tool-started'))
  fake.session.interrupt()
  await fake.idle()
  const results = fake.session.state().history.filter((entry) => entry.kind === 'tool')
  expect(results.map(({ call, status, text }) => [call.id, status, text])).toEqual([
    ['a', 'interrupted', 'so far\n[error] interrupted by operator'],
    ['b', 'interrupted', 'interrupted by operator'],
    ['c', 'interrupted', 'interrupted by operator']
  ])
  fake.script(says('fine'))
  await fake.say('go on')
  expect(fake.spoken(1)).toEqual([
    'user: go',
    'assistant:  [a] [b] [c]',
    'tool: so far\n[error] interrupted by operator',
    'tool: interrupted by operator',
    'tool: interrupted by operator',
    'user: go on'
  ])
})

test('a wait between two attempts', async () => {
  const fake = fakeSession()
  fake.script(fails())
  await busy(fake, (f) => f.clock.sleeper())
  fake.session.interrupt()
  await fake.idle()
  expect(fake.session.state().lastTurn).toMatchObject(interrupted)
  expect(fake.requests).toHaveLength(1)
})

test('a compaction is dropped, the context stays (SESS-093)', async () => {
  const fake = fakeSession()
  fake.session.start()
  for (const n of [1, 2, 3, 4]) {
    fake.script(says(`answer ${n} ${'x'.repeat(300)}`))
    await fake.say(`question ${n}`)
  }
  const { history } = fake.session.state()
  fake.script(hangs('summ'))
  fake.session.submit('/compact', 'steer', 'operator')
  await fake.untilEvent((event) => event.kind === 'phase-changed' && event.to === 'compact')
  await settled()
  fake.session.interrupt()
  await fake.idle()
  expect(fake.session.state().history).toEqual(history)
  expect(fake.session.state()).toMatchObject({ inbox: [], held: false })
  expect(fake.events.some((event) => event.kind === 'input-dropped')).toBe(true)
})

test('a handoff is finished first, then the turn stops (SESS-093)', async () => {
  const fake = fakeSession({
    onEvent: (event, session) => {
      if (event.kind === 'phase-changed' && event.to === 'handoff') session().interrupt()
    }
  })
  const five = [1, 2, 3, 4, 5, 6].map((n): [string, string] => [`c${n}`, 'bash'])
  fake.script(calls(...five))
  await busy(fake, (f) => f.untilEvent((event) => event.kind === 'turn-ended'))
  await fake.idle()
  expect(fake.session.state()).toMatchObject({ model: 'deep', lastTurn: interrupted })
  expect(fake.requests).toHaveLength(1)
})

test('the presentation of verdicts', async () => {
  const fake = fakeSession({
    drainVerdicts: (signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('cancelled')))
      })
  })
  await busy(fake, () => settled())
  fake.session.interrupt()
  await fake.idle()
  expect(fake.session.state().lastTurn).toMatchObject(interrupted)
  expect(fake.requests).toEqual([])
  // The words of the operator are in the context, not lost with the modal (SESS-031).
  expect(fake.session.state().history).toMatchObject([{ kind: 'user', text: 'go' }])
})

test('a shell line of the operator', async () => {
  const fake = fakeSession()
  fake.setTool(toolHangs)
  fake.session.start()
  fake.session.submit('!sleep 30', 'steer', 'operator')
  await fake.untilEvent((event) => event.kind === 'shell-started')
  await settled()
  fake.session.interrupt()
  await fake.idle()
  expect(fake.events.find((event) => event.kind === 'shell-ended')).toMatchObject({ status: 'interrupted' })
  // While it ran, what it was at could be told (TERM-25).
  const waits = fake.events.flatMap((event) => (event.kind === 'waiting-changed' ? [event.waiting] : []))
  expect(waits).toMatchObject([{ what: 'tool', label: 'bash' }, null])
  expect(fake.session.state().turn).toBe(0)
})

test.each(['turn', 'compact', 'handoff', 'sub-agent', 'command'] as const)(
  'an interrupt in the very moment the session enters %s loses nothing',
  async (phase: SessionPhase) => {
    let done = false
    const fake = fakeSession({
      onEvent: (event, session) => {
        if (done || event.kind !== 'phase-changed' || event.to !== phase) return
        done = true
        session().interrupt()
      }
    })
    const six = [1, 2, 3, 4, 5, 6].map((n): [string, string] => [`c${n}`, 'bash'])
    const words = Array.from({ length: 8 }, () => says('and on'))
    fake.script(calls(['g', 'agent', { task: 'look' }], ...six), ...words)
    fake.session.start()
    fake.session.submit('/compact', 'steer', 'operator')
    fake.session.submit('!ls', 'steer', 'operator')
    await fake.idle()
    fake.session.submit('go', 'steer', 'operator')
    await fake.idle()
    expect(done).toBe(true)
    await fake.say('and again')
    expect(fake.session.state().lastTurn).toMatchObject({ outcome: 'completed' })
  }
)

test('idle, there is nothing to interrupt', async () => {
  const fake = fakeSession()
  fake.session.start()
  await fake.idle()
  expect(fake.session.interrupt()).toBe(false)
})

test('nothing of a turn is told after its outcome (SESS-017)', async () => {
  const fake = fakeSession()
  fake.setTool(toolHangs)
  fake.script(calls(['a', 'bash']))
  await busy(fake, (f) => f.untilEvent((event) => event.kind === 'tool-started'))
  fake.session.interrupt()
  await fake.idle()
  const end = fake.events.findIndex((event) => event.kind === 'turn-ended')
  expect(fake.events.slice(end + 1).map((event) => event.kind)).toEqual(['phase-changed'])
})
