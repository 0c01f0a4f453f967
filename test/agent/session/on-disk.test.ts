import { expect, test } from 'vitest'
import { evolve } from '../../../src/agent/session/evolve.ts'
import { initialState, type SessionState } from '../../../src/agent/session/state.ts'
import { sessionId } from '../../../src/protocol/ids.ts'
import { manualClock } from '../../support/clock.ts'
import {
  breaks,
  calls,
  type FakeSession,
  fails,
  fakeSession,
  hangs,
  routing,
  says,
  settled,
  toolHangs
} from '../../support/session.ts'
import { openStore, temporaryRepository } from '../store/open.ts'

// The session on the store that `app` gives it.

const durable = ({ run: _, ...state }: SessionState) => state

async function livelySession(repository: string): Promise<FakeSession> {
  const clock = manualClock()
  const store = openStore(repository, { now: clock.now })
  const fake = fakeSession({
    clock,
    store: store as never,
    session: sessionId('one'),
    checkpointIntervalTurns: 2,
    routing: { ...routing, toolDepthThreshold: 2 }
  })
  fake.session.start()
  const { session } = fake
  fake.script(says('hello', { reasoningContent: 'hm' }), calls(['a', 'bash'], ['b', 'enter_plan_mode'], ['c', 'grep']))
  fake.script(says('deep answer'), breaks('half'), says('whole'))
  await fake.say('one')
  await fake.say('two')
  await fake.say('three')
  await fake.say('/retry')
  await fake.say('/fast')
  session.submit('four', 'queue', 'operator')
  session.takeBack(session.state().inbox[0]?.seq ?? 0)
  fake.script(says('four it is'), says('in short'))
  await fake.say('four')
  await fake.say('/compact')
  fake.script(fails(), hangs('broken off'))
  session.submit('five', 'steer', 'operator')
  await fake.clock.sleeper()
  await fake.clock.advance(1000)
  await settled()
  session.interrupt()
  await fake.idle()
  return fake
}

test('what is on disk folds to the state that was live', async () => {
  const repository = temporaryRepository()
  const fake = await livelySession(repository)
  const state = fake.session.state()
  const kinds = new Set(state.history.map(({ kind }) => kind))
  expect([...kinds].sort()).toEqual(['assistant', 'compaction', 'handoff', 'tool', 'user'])
  const loaded = openStore(repository).load(state.session)
  expect(durable(loaded.reduce<SessionState>(evolve, initialState(state.session, state.rules)))).toEqual(durable(state))
})

test('after a crash in a tool the next process settles it on disk and goes on (SESS-100…104)', async () => {
  const repository = temporaryRepository()
  const fake = await livelySession(repository)
  fake.setTool(toolHangs)
  fake.script(calls(['x', 'bash'], ['y', 'bash']))
  fake.session.submit('six', 'steer', 'operator')
  await fake.untilEvent((event) => event.kind === 'tool-started' && event.call.id === 'x')
  fake.session.submit('never sent', 'queue', 'operator')

  for (const name of ['two', 'three']) {
    const clock = manualClock()
    const store = openStore(repository, { now: clock.now })
    const next = fakeSession({ clock, store: store as never, session: sessionId(name) })
    next.session.start()
    await next.idle()
    const events = store.load(sessionId('one'))
    const ended = events.filter((event) => event.kind === 'tool-ended' && ['x', 'y'].includes(event.entry.call.id))
    expect(ended).toMatchObject([{ entry: { status: 'interrupted' } }, { entry: { status: 'interrupted' } }])
    expect(events.filter((event) => event.kind === 'session-closed')).toHaveLength(1)
    // How to go on is told, and the offer made, by the session that follows at once, and by no later one.
    expect(next.notices()).toHaveLength(name === 'two' ? 2 : 0)
    await next.session.shutdown({ signal: false })
  }
})
