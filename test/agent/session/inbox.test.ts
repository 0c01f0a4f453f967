import { expect, test } from 'vitest'
import { pendingCompaction, promotable } from '../../../src/agent/session/inbox.ts'
import type { InboxRow } from '../../../src/protocol/event.ts'
import { fc } from '../../support/laws.ts'
import { calls, fakeSession, hangs, says, settled, type Turnout, toolDone } from '../../support/session.ts'

const row = (seq: number, delivery: 'steer' | 'queue', kind: 'input' | 'compaction' = 'input'): InboxRow => {
  return { seq, kind, delivery, origin: 'operator', text: `${seq}` }
}

test.each([
  ['nothing', [], [], [], []],
  ['steer rows together', [row(1, 'steer'), row(2, 'steer')], [1, 2], [1, 2], []],
  ['queued rows one by one', [row(1, 'queue'), row(2, 'queue')], [1], [], [1]],
  ['steer before queue', [row(1, 'queue'), row(2, 'steer')], [2], [2], [1]],
  ['nothing behind a barrier', [row(1, 'steer'), row(2, 'queue', 'compaction'), row(3, 'steer')], [1], [1], []],
  ['a barrier in front', [row(1, 'queue', 'compaction'), row(2, 'steer')], [], [], []]
] as const)('what may be promoted: %s (SESS-032…035)', (_, inbox, input, steer, queue) => {
  expect(promotable(inbox, 'input').map(({ seq }) => seq)).toEqual(input)
  expect(promotable(inbox, 'steer').map(({ seq }) => seq)).toEqual(steer)
  expect(promotable(inbox, 'queue').map(({ seq }) => seq)).toEqual(queue)
})

test('no row passes a pending compaction (SESS-034)', () => {
  const rows = fc.array(fc.tuple(fc.constantFrom('steer', 'queue'), fc.constantFrom('input', 'input', 'compaction')))
  fc.assert(
    fc.property(rows, (list) => {
      const inbox = list.map(([delivery, kind], seq) => row(seq, delivery as 'steer', kind as 'input'))
      const barrier = pendingCompaction(inbox)?.seq ?? Number.POSITIVE_INFINITY
      for (const scope of ['input', 'steer', 'queue'] as const)
        for (const taken of promotable(inbox, scope)) expect(taken.seq).toBeLessThan(barrier)
    })
  )
})

/** Runs `then` when the model is asked, before it answers. */
const meanwhile =
  (then: () => void, turnout: Turnout): Turnout =>
  (...all) => {
    then()
    return turnout(...all)
  }

test('steering reaches the model at the next step, as messages of their own; queued text waits for the turn to end (SESS-032, SESS-035)', async () => {
  const fake = fakeSession()
  const { session } = fake
  fake.script(
    meanwhile(
      () => {
        session.submit('queued', 'queue', 'operator')
        session.submit('first', 'steer', 'operator')
        session.submit('second', 'steer', 'operator')
      },
      calls(['a', 'bash'])
    ),
    says('heard'),
    says('later')
  )
  session.start()
  await fake.say('go')
  expect(fake.spoken(1)).toEqual(['user: go', 'assistant:  [a]', 'tool: did bash', 'user: first', 'user: second'])
  expect(fake.spoken(2).slice(-2)).toEqual(['assistant: heard', 'user: queued'])
  // Steering counts into the running turn, a queued row starts its own (SESS-036).
  expect(session.state().turn).toBe(2)
  const turns = session.state().history.flatMap((entry) => (entry.kind === 'user' ? [[entry.text, entry.turn]] : []))
  expect(turns).toEqual([
    ['go', 1],
    ['first', 1],
    ['second', 1],
    ['queued', 2]
  ])
})

test('text that arrives with the last answer keeps the turn going (SESS-043)', async () => {
  const fake = fakeSession()
  fake.script(
    meanwhile(() => fake.session.submit('wait', 'steer', 'operator'), says('done')),
    says('yes?')
  )
  fake.session.start()
  await fake.say('go')
  expect(fake.session.state()).toMatchObject({ turn: 1, lastTurn: { outcome: 'completed' } })
  expect(fake.spoken(1).at(-1)).toBe('user: wait')
})

test('each queued row is a turn of its own', async () => {
  const fake = fakeSession()
  fake.script(
    meanwhile(() => {
      fake.session.submit('b', 'queue', 'operator')
      fake.session.submit('c', 'queue', 'operator')
    }, says('1')),
    says('2'),
    says('3')
  )
  fake.session.start()
  await fake.say('a')
  expect(fake.session.state().turn).toBe(3)
  expect(fake.spoken(1).at(-1)).toBe('user: b')
  expect(fake.spoken(2).at(-1)).toBe('user: c')
})

test('input behind a compaction waits for it, although it steers (SESS-034, SESS-041)', async () => {
  const fake = fakeSession()
  const { session } = fake
  session.start()
  for (const n of [1, 2, 3]) {
    fake.script(says(`answer ${n} ${'x'.repeat(300)}`))
    await fake.say(`question ${n} ${'y'.repeat(300)}`)
  }
  fake.script(
    meanwhile(
      () => {
        session.submit('/compact', 'steer', 'operator')
        session.submit('after it', 'steer', 'operator')
      },
      calls(['a', 'bash'])
    ),
    says('done'),
    says('in short'),
    says('well')
  )
  await fake.say('question 4')
  expect(fake.left()).toBe(0)
  const [, last, compaction, after] = fake.requests.slice(-4)
  expect(last!.messages.at(-1)!.role).toBe('tool')
  expect(compaction!.tools).toBeUndefined()
  expect(after!.messages.at(-1)).toEqual({ role: 'user', content: 'after it' })
  expect(after!.messages[0]!.content).toContain('in short')
})

test('a pending row can be taken back until it is promoted', async () => {
  const fake = fakeSession()
  let seen: string | null = null
  fake.script(
    meanwhile(() => {
      fake.session.submit('not this', 'queue', 'operator')
      const { seq } = fake.session.state().inbox[0]!
      seen = fake.session.takeBack(seq)
      expect(fake.session.takeBack(seq)).toBeNull()
    }, says('done'))
  )
  fake.session.start()
  await fake.say('go')
  expect(seen).toBe('not this')
  expect(fake.session.state()).toMatchObject({ turn: 1, inbox: [] })
})

test('the inbox refuses aloud when it is full (SESS-038)', async () => {
  const fake = fakeSession()
  fake.script(hangs())
  fake.session.start()
  fake.session.submit('go', 'steer', 'operator')
  await fake.untilEvent((event) => event.kind === 'waiting-changed')
  for (let n = 0; n < 65; n++) fake.session.submit(`${n}`, 'queue', 'operator')
  expect(fake.session.state().inbox).toHaveLength(64)
  expect(fake.notices()).toEqual(['✗ 64 inputs are waiting'])
})

test('a held session is released by the operator and not by others; steering goes first (SESS-092)', async () => {
  const fake = fakeSession()
  fake.script(hangs('x'))
  fake.session.start()
  fake.session.submit('go', 'steer', 'operator')
  await fake.untilEvent((event) => event.kind === 'reply-delta')
  fake.session.submit('queued', 'queue', 'operator')
  fake.session.interrupt()
  await fake.untilEvent((event) => event.kind === 'turn-ended')
  fake.session.submit('from a hook', 'steer', 'hook')
  fake.session.submit('from afar', 'queue', 'remote')
  await settled()
  expect(fake.requests).toHaveLength(1)
  fake.script(says('1'), says('2'), says('3'))
  await fake.say('mine')
  expect(fake.spoken(1).slice(-2)).toEqual(['user: from a hook', 'user: mine'])
  expect(fake.spoken(2).at(-1)).toBe('user: queued')
  expect(fake.spoken(3).at(-1)).toBe('user: from afar')
})

test('input before READY becomes a row and starts the first turn (SESS-027)', async () => {
  const fake = fakeSession()
  fake.session.submit('early', 'steer', 'operator')
  expect(fake.store.pending(fake.session.state().session)).toMatchObject([{ text: 'early' }])
  fake.script(says('good morning'))
  fake.session.start()
  await fake.idle()
  expect(fake.session.state().turn).toBe(1)
})

test('a new input starts the tool depth again (SESS-036)', async () => {
  const fake = fakeSession()
  fake.setTool(() => toolDone('ok'))
  const depths: number[] = []
  fake.script(
    calls(['a', 'bash'], ['b', 'bash']),
    meanwhile(
      () => {
        depths.push(fake.session.state().toolDepth)
        fake.session.submit('also', 'steer', 'operator')
      },
      calls(['c', 'bash'])
    ),
    meanwhile(() => depths.push(fake.session.state().toolDepth), says('done'))
  )
  fake.session.start()
  await fake.say('go')
  expect(depths).toEqual([2, 0])
})
