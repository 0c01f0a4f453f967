import { expect, test } from 'vitest'
import { evolve } from '../../../src/agent/session/evolve.ts'
import { settleCrash } from '../../../src/agent/session/settle-crash.ts'
import { initialState, type SessionState } from '../../../src/agent/session/state.ts'
import type { DurableEvent } from '../../../src/protocol/event.ts'
import { entryId, sessionId } from '../../../src/protocol/ids.ts'
import { manualClock } from '../../support/clock.ts'
import { fc } from '../../support/laws.ts'
import {
  calls,
  type FakeSession,
  fakeSession,
  hangs,
  memoryStore,
  says,
  settled,
  toolHangs
} from '../../support/session.ts'

const dead = sessionId('dead')
const lost = 'tool call did not complete: the session was interrupted before a result was recorded'

/** A session that is simply left alone in the middle of something, as a killed process leaves it. */
async function crashed(until: (fake: FakeSession) => Promise<unknown>): Promise<readonly DurableEvent[]> {
  const fake = fakeSession({ session: dead })
  fake.session.start()
  await until(fake)
  return fake.store.kept.filter((event) => event.session === dead)
}

const inTool = async (fake: FakeSession) => {
  fake.setTool(toolHangs)
  fake.script(says('first answer'), calls(['a', 'bash'], ['b', 'bash']))
  await fake.say('first')
  fake.session.submit('second', 'steer', 'operator')
  await fake.untilEvent((event) => event.kind === 'tool-started')
  fake.session.submit('unsent', 'queue', 'operator')
  await settled()
}

/** The next process, on the store the dead one left. */
function restarted(left: readonly DurableEvent[], more: Parameters<typeof fakeSession>[0] = {}): FakeSession {
  const clock = manualClock()
  const store = memoryStore(clock, left)
  const fake = fakeSession({ clock, store, session: sessionId('next'), ...more })
  fake.session.start()
  return fake
}

test('calls without a result get one that says so; none runs again; a checkpoint tells what was reached (SESS-100…102)', async () => {
  const fake = restarted(await crashed(inTool))
  await fake.idle()
  const events = fake.store.kept.filter((event) => event.session === dead)
  const results = events.flatMap((event) => (event.kind === 'tool-ended' ? [event.entry] : []))
  expect(results.map(({ call, text, status }) => [call.id, text, status])).toEqual([
    ['a', lost, 'interrupted'],
    ['b', lost, 'interrupted']
  ])
  expect(events.at(-1)).toMatchObject({ kind: 'session-closed' })
  expect(fake.ran).toEqual([])
  expect(fake.checkpoints).toMatchObject([
    { session: dead, summary: expect.stringMatching(/^session ended \(recovered\)\n/) }
  ])
  expect(fake.checkpoints[0]!.summary).toContain('first answer')
})

test('a resumed session that dies before its first checkpoint has its origin in the recovered one (SESS-102, SESS-125)', async () => {
  const from = { session: 'device-0', hash: 'abc' }
  const first = fakeSession({
    session: dead,
    resume: { find: async () => ({ found: { note: 'turn 7', turn: 7, planMode: false, from }, warnings: [] }) }
  })
  first.session.start()
  first.script(says('an answer'))
  await first.say('go on')
  expect(first.checkpoints).toEqual([])
  const next = restarted(first.store.kept)
  await next.idle()
  expect(next.checkpoints).toMatchObject([{ session: dead, resumedFrom: from }])
})

test('an open answer becomes a partial one', async () => {
  const fake = restarted(
    await crashed(async (f) => {
      f.script(hangs('so far'))
      f.session.submit('go', 'steer', 'operator')
      await f.untilEvent((event) => event.kind === 'reply-delta')
    })
  )
  await fake.idle()
  const settledRow = fake.store.kept.find((event) => event.kind === 'reply-settled')
  expect(settledRow).toMatchObject({ status: 'partial', session: dead })
  // No turn was completed, so nothing is owed, and there is nothing to resume.
  expect(fake.checkpoints).toEqual([])
  expect(fake.notices()).toEqual([])
})

test('after a crash it is told how to go on, once, and unsent input is offered once and queued on request only (SESS-103, SESS-121)', async () => {
  const left = await crashed(inTool)
  const fake = restarted(left)
  await fake.idle()
  expect(fake.notices()).toEqual([
    'ℹ the previous session broke off; ghyll run --resume goes on from it',
    'ℹ 1 unsent inputs from the previous session; /restore to queue them'
  ])
  expect(fake.requests).toEqual([])
  fake.script(says('late answer'))
  await fake.say('/restore')
  expect(fake.spoken(0)).toEqual(['user: unsent'])
  await fake.session.shutdown({ signal: false })

  const after = restarted(fake.store.kept)
  await after.idle()
  expect(after.notices()).toEqual([])
  await after.say('/restore')
  expect(after.notices()).toEqual(['ℹ nothing to restore'])
})

test('a second start settles nothing again, wherever the first one died (SESS-104)', async () => {
  const left = await crashed(inTool)
  const whole = restarted(left)
  await whole.idle()
  const settledBy = whole.store.kept.slice(left.length).filter((event) => event.session === dead)
  for (let kept = 0; kept <= settledBy.length; kept++) {
    const again = restarted([...left, ...settledBy.slice(0, kept)])
    await again.idle()
    const events = again.store.kept.filter((event) => event.session === dead)
    expect(events.filter((event) => event.kind === 'tool-ended')).toHaveLength(2)
    expect(events.filter((event) => event.kind === 'checkpoint-created')).toHaveLength(1)
    expect(events.filter((event) => event.kind === 'session-closed')).toHaveLength(1)
    expect(events.filter((event) => event.kind === 'turn-ended')).toHaveLength(2)
  }
})

test('deciding twice decides nothing more, wherever the process was stopped', async () => {
  const left = await crashed(inTool)
  const { rules } = fakeSession().session.state()
  fc.assert(
    fc.property(fc.nat({ max: left.length }), (length) => {
      let made = 0
      const ids = { entry: () => entryId(`r${++made}`) }
      const cut = left.slice(0, length)
      const first = settleCrash(dead, rules, cut, 0, ids)
      const second = settleCrash(dead, rules, [...cut, ...first.events], 0, ids)
      expect(second.events).toEqual([])
      const state = [...cut, ...first.events].reduce<SessionState>(evolve, initialState(dead, rules))
      expect(state.current).toBeNull()
      expect(state.history.every((entry) => entry.kind !== 'assistant' || entry.status !== 'open')).toBe(true)
    })
  )
})

test('recovery that does not come to an end delays READY by five seconds, not longer (SESS-104)', async () => {
  const clock = manualClock()
  const store = memoryStore(clock, await crashed(inTool))
  const slow = fakeSession({ clock, store, session: sessionId('next'), checkpointPending: true })
  slow.session.start()
  await settled()
  expect(slow.session.state().run.phase).toBe('init')
  await clock.advance(5000)
  await slow.idle()
  expect(slow.logged).toEqual(['recovery took longer than 5 s; the rest is left to the next start'])
  // Still active, so that the next start finds it.
  expect(store.predecessors(sessionId('next'))).toMatchObject([{ session: dead, state: 'active' }])
})

test('a last checkpoint that could not be stored is made up for at a later start, once (SESS-102, SESS-140)', async () => {
  const first = fakeSession({ session: dead, failCheckpoints: true })
  first.session.start()
  first.script(says('the answer'))
  await first.say('a question')
  await first.session.shutdown({ signal: false })
  expect(first.notices()).toContain('⚠ checkpoint not stored: no room')

  const still = restarted(first.store.kept, { session: sessionId('still-no-room'), failCheckpoints: true })
  await still.idle()
  await still.session.shutdown({ signal: false })
  expect(still.logged).toEqual([`recovery of ${dead}: checkpoint not stored: no room`])

  const next = restarted(still.store.kept)
  await next.idle()
  expect(next.checkpoints).toMatchObject([{ session: dead, turn: 1 }])
  expect(next.checkpoints[0]!.summary).toMatch(/^session ended \(recovered\)\n/)
  expect(next.store.kept.filter((event) => event.kind === 'session-closed' && event.session === dead)).toHaveLength(1)

  const after = restarted(next.store.kept, { session: sessionId('after') })
  await after.idle()
  expect(after.checkpoints).toEqual([])
})

test('a side session leaves the predecessors alone', async () => {
  const fake = restarted(await crashed(inTool), { settlesPredecessors: false })
  await fake.idle()
  expect(fake.notices()).toEqual([])
  expect(fake.store.kept.some((event) => event.kind === 'session-closed')).toBe(false)
})

test('what a crash left is settled before the session to resume is looked for (SESS-020 steps 17 and 18)', async () => {
  const order: string[] = []
  const fake = restarted(await crashed(inTool), {
    resume: {
      async find() {
        order.push(`found after ${fake.checkpoints.length} checkpoint`)
        return { found: null, warnings: [] }
      }
    }
  })
  await fake.idle()
  expect(order).toEqual(['found after 1 checkpoint'])
})

test('words from afar are not offered as unsent ones of the operator (SESS-103)', async () => {
  const left = await crashed(async (fake) => {
    fake.script(hangs())
    fake.session.submit('go', 'steer', 'operator')
    await fake.untilEvent((event) => event.kind === 'step-opened')
    fake.session.submit('from afar', 'queue', 'remote')
  })
  const fake = restarted(left)
  await fake.idle()
  expect(fake.notices()).toEqual([])
  await fake.say('/restore')
  expect(fake.requests).toEqual([])
})
