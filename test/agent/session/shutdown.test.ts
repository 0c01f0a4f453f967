import { expect, test } from 'vitest'
import { sessionId } from '../../../src/protocol/ids.ts'
import { manualClock } from '../../support/clock.ts'
import { calls, fakeSession, hangs, memoryStore, says, settled, toolHangs } from '../../support/session.ts'

test('an unused session ends without a checkpoint (SESS-140)', async () => {
  const fake = fakeSession()
  fake.session.start()
  await fake.idle()
  const end = await fake.session.shutdown({ signal: false })
  expect(end).toMatchObject({ wasBusy: false, checkpoint: null })
  expect(fake.checkpoints).toEqual([])
  expect(fake.events.at(-1)).toMatchObject({ kind: 'session-closed' })
})

test.each([
  [false, 'session ended'],
  [true, 'session ended (signal)']
])('a used one leaves its final checkpoint (signal: %s)', async (signal, line) => {
  const fake = fakeSession()
  fake.script(says('hello'))
  fake.session.start()
  await fake.say('hi')
  const end = await fake.session.shutdown({ signal })
  expect(fake.checkpoints.map(({ summary }) => summary.split('\n')[0])).toEqual([line])
  expect(end.checkpoint).toMatchObject({ hash: 'hash-0', index: 0 })
})

test('/exit in the middle of a tool interrupts, settles, remembers and closes, in this order', async () => {
  const fake = fakeSession()
  fake.setTool(toolHangs)
  fake.script(calls(['a', 'bash'], ['b', 'bash']))
  fake.session.start()
  fake.session.submit('go', 'steer', 'operator')
  await fake.untilEvent((event) => event.kind === 'tool-started')
  fake.session.submit('for later', 'queue', 'operator')
  fake.session.submit('/exit', 'steer', 'operator')
  const end = await fake.session.ended
  expect(end.wasBusy).toBe(true)
  const from = fake.events.findIndex((event) => event.kind === 'tool-ended')
  const kinds = fake.events.slice(from).map((event) => event.kind)
  expect(kinds.filter((kind) => kind !== 'waiting-changed')).toEqual([
    'tool-ended',
    'tool-ended',
    'step-ended',
    'hold-changed',
    'turn-ended',
    'phase-changed',
    'checkpoint-created',
    'session-closed'
  ])
  // What was never sent stays in the inbox for the next session (SESS-103).
  expect(fake.store.pending(end.state.session)).toMatchObject([{ text: 'for later' }])
})

test('one that was never started is closed and keeps what was typed', async () => {
  const fake = fakeSession()
  fake.session.submit('early', 'steer', 'operator')
  const end = await fake.session.shutdown({ signal: true })
  expect(end).toMatchObject({ wasBusy: false, checkpoint: null })
  expect(fake.requests).toEqual([])
  expect(fake.store.pending(end.state.session)).toMatchObject([{ text: 'early' }])
})

test('asking twice ends it once', async () => {
  const fake = fakeSession()
  fake.script(says('hello'))
  fake.session.start()
  await fake.say('hi')
  const [one, two] = await Promise.all([
    fake.session.shutdown({ signal: false }),
    fake.session.shutdown({ signal: true })
  ])
  expect(one).toBe(two)
  expect(fake.checkpoints).toHaveLength(1)
})

test('the session waits for a stream that takes its time to end', async () => {
  const fake = fakeSession()
  let release: () => void = () => undefined
  fake.script(async (...all) => {
    const outcome = await hangs('x')(...all)
    await new Promise<void>((resolve) => {
      release = resolve
    })
    return outcome
  })
  fake.session.start()
  fake.session.submit('go', 'steer', 'operator')
  await fake.untilEvent((event) => event.kind === 'reply-delta')
  let ended = false
  const end = fake.session.shutdown({ signal: true }).then(() => {
    ended = true
  })
  await settled()
  expect(ended).toBe(false)
  release()
  await end
})

test('two sessions of one process share a store and nothing else (WB-009)', async () => {
  const clock = manualClock()
  const store = memoryStore(clock)
  const one = fakeSession({ clock, store, session: sessionId('one') })
  const two = fakeSession({ clock, store, session: sessionId('two') })
  one.script(hangs('slow'))
  two.script(says('quick'))
  one.session.start()
  two.session.start()
  one.session.submit('to one', 'steer', 'operator')
  await one.untilEvent((event) => event.kind === 'reply-delta')
  await two.say('to two')
  expect(two.session.state()).toMatchObject({ turn: 1, lastTurn: { outcome: 'completed' } })
  expect(one.session.state().lastTurn).toBeNull()
  await two.session.shutdown({ signal: false })
  expect(one.session.state().lifecycle).toBe('open')
  one.session.interrupt()
  await one.idle()
  expect(one.events.every((event) => event.session === 'one')).toBe(true)
})

test('a final checkpoint that could not be stored is not called written, though there is an earlier one (SESS-141)', async () => {
  let hasRoom = true
  const fake = fakeSession({
    checkpointIntervalTurns: 1,
    get failCheckpoints() {
      return !hasRoom
    }
  })
  fake.script(says('hello'))
  fake.session.start()
  await fake.say('hi')
  hasRoom = false
  const end = await fake.session.shutdown({ signal: false })
  expect(end).toMatchObject({ checkpoint: { hash: 'hash-0' }, isUnsaved: true })
})
