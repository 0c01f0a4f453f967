import { expect, test } from 'vitest'
import {
  calls,
  type FakeSession,
  facts,
  fails,
  fakeSession,
  routing,
  says,
  type Turnout,
  tooLong,
  toolDone
} from '../../support/session.ts'

const one = { ...routing, deepModel: null, contextDepthThreshold: 1_000_000 }
const question = (n: number) => `question ${n} ${'y'.repeat(1500)}`
const answer = (n: number) => `answer ${n} ${'x'.repeat(1500)}`

async function fill(fake: FakeSession, turns: number): Promise<void> {
  fake.session.start()
  for (let n = 1; n <= turns; n++) {
    fake.script(says(answer(n)))
    await fake.say(question(n))
  }
}
const firstLines = (fake: FakeSession) => fake.checkpoints.map(({ summary }) => summary.split('\n')[0])

test('above 90 % the context is compacted before the request, with its checkpoint; three turns stay as they were (SESS-006, SESS-080)', async () => {
  const fake = fakeSession({ routing: one, models: { fast: facts('fast', 'minimax', 4600) } })
  await fill(fake, 4)
  const before = fake.requests.length
  fake.script(says('the story so far'), says(answer(5)))
  await fake.say(question(5))
  expect(fake.requests.slice(before).map(({ tools }) => tools === undefined)).toEqual([true, false])
  expect(fake.spoken(fake.requests.length - 1)).toEqual([
    `user: ${question(3)}`,
    `assistant: ${answer(3)}`,
    `user: ${question(4)}`,
    `assistant: ${answer(4)}`,
    `user: ${question(5)}`
  ])
  expect(fake.notices()).toEqual([expect.stringMatching(/^ℹ compacted context \(\d+ tokens\)$/)])
  expect(firstLines(fake)).toEqual(['compaction at turn 5'])
  expect(fake.checkpoints[0]!.summary).toBe('compaction at turn 5\nthe story so far')
  expect(fake.session.state().usage.map(({ purpose }) => purpose)).toEqual(['turn', 'compaction'])
  const phases = fake.events.flatMap((event) => (event.kind === 'phase-changed' ? [event.to] : []))
  expect(phases.slice(-4)).toEqual(['turn', 'compact', 'turn', 'ready'])
})

test('a compaction that fails leaves the context alone and ends the turn (SESS-081)', async () => {
  const fake = fakeSession({ routing: one, models: { fast: facts('fast', 'minimax', 4600) } })
  await fill(fake, 4)
  const { history } = fake.session.state()
  fake.script(fails({ retryable: false, message: 'HTTP 400' }))
  await fake.say(question(5))
  expect(fake.notices()).toEqual(['✗ compaction failed: HTTP 400'])
  expect(fake.session.state().history.slice(0, -1)).toEqual(history)
  expect(fake.session.state().lastTurn).toMatchObject({ outcome: 'failed', code: 'compaction-failed' })
})

test('a summarising call is retried once, after half a second (MODEL-055)', async () => {
  const fake = fakeSession({ routing: one })
  await fill(fake, 4)
  fake.script(fails(), says('the story so far'))
  fake.session.submit('/compact', 'steer', 'operator')
  await fake.clock.sleeper()
  await fake.clock.advance(499)
  expect(fake.left()).toBe(1)
  await fake.clock.advance(1)
  await fake.idle()
  expect(fake.left()).toBe(0)
  fake.script(fails(), fails())
  fake.session.submit('/compact', 'steer', 'operator')
  await fake.clock.sleeper()
  await fake.clock.advance(500)
  await fake.idle()
  expect(fake.notices().at(-1)).toBe('✗ compaction failed: HTTP 503')
})

test.each([
  ['empty', '  \n', 'the summary is empty'],
  ['too long', 'z'.repeat(5000), 'the summary is too long for what it replaces']
])('a summary that is %s is refused (CTX-030)', async (_, summary, why) => {
  const fake = fakeSession({ routing: one })
  await fill(fake, 4)
  fake.script(says(summary))
  await fake.say('/compact')
  expect(fake.notices()).toEqual([`✗ compaction failed: ${why}`])
  expect(fake.session.state().inbox).toEqual([])
  expect(fake.session.state().held).toBe(false)
})

test('/compact with three turns is a warning and no request (CTX-022)', async () => {
  const fake = fakeSession({ routing: one })
  await fill(fake, 3)
  await fake.say('/compact')
  expect(fake.requests).toHaveLength(3)
  expect(fake.notices()).toEqual(['⚠ nothing to compact: the last turns are kept as they are'])
})

test('the second summary contains the first (CTX-027)', async () => {
  const fake = fakeSession({ routing: one })
  await fill(fake, 4)
  fake.script(says('first story'))
  await fake.say('/compact')
  fake.script(says('more'), says('second story'))
  await fake.say('one more')
  await fake.say('/compact')
  expect(fake.requests.at(-1)!.messages[1]!.content).toContain('first story')
})

test('a summary that was cut off counts, and says so (MODEL-043)', async () => {
  const fake = fakeSession({ routing: one })
  await fill(fake, 4)
  fake.script(says('the story so', { finishReason: 'length' }))
  await fake.say('/compact')
  expect(fake.notices()).toEqual([
    expect.stringContaining('compacted context'),
    "⚠ the summary is incomplete: response cut off at the model's output limit"
  ])
})

test('an endpoint that counts more tokens than the estimate gets smaller pieces until it takes them (CTX-026, MODEL-011)', async () => {
  const fake = fakeSession({ routing: one, models: { fast: facts('fast', 'minimax', 12_000) } })
  // One token per two characters, where the estimate has one per four.
  const dense: Turnout = (request, signal, onDelta) => {
    const text = request.messages.map(({ content }) => content).join('')
    return text.length / 2 > 12_000 ? tooLong(request, signal, onDelta) : says('so far')(request, signal, onDelta)
  }
  await fill(fake, 11)
  const before = fake.requests.length
  fake.script(...Array.from({ length: 12 }, () => dense))
  await fake.say('/compact')
  expect(fake.notices()).toEqual([expect.stringContaining('compacted context')])
  expect(fake.requests.length - before).toBeGreaterThan(2)
})

test('one that takes nothing at all is given up after a few (SESS-081)', async () => {
  const fake = fakeSession({ routing: one })
  await fill(fake, 4)
  const before = fake.requests.length
  fake.script(...Array.from({ length: 20 }, () => tooLong))
  await fake.say('/compact')
  expect(fake.notices()).toEqual(['✗ compaction failed: prompt is too long'])
  expect(fake.requests.length - before).toBeLessThan(10)
})

test('what cannot be sent is not: above 95 % the turn fails with advice (CTX-012)', async () => {
  const fake = fakeSession({ routing: one, models: { fast: facts('fast', 'minimax', 4600) } })
  fake.session.start()
  await fake.say('z'.repeat(30_000))
  expect(fake.requests).toEqual([])
  expect(fake.session.state().lastTurn).toMatchObject({ outcome: 'failed', code: 'context-too-long' })
  const told = fake.events.find((event) => event.kind === 'notice' && event.level === 'error')
  expect(told).toMatchObject({ hint: expect.stringContaining('/compact') })
})

test('one long turn of tools is shortened in the middle of itself (CTX-021)', async () => {
  const fake = fakeSession({ routing: one, models: { fast: facts('fast', 'minimax', 6000) } })
  fake.setTool(() => toolDone('line of output\n'.repeat(250)))
  const some = (n: number) => calls([`a${n}`, 'bash'], [`b${n}`, 'bash'])
  fake.script(some(1), some(2), some(3), says('read so far: nothing of note'), says('done'))
  fake.session.start()
  await fake.say('read it all')
  expect(fake.session.state().lastTurn).toMatchObject({ outcome: 'completed' })
  expect(fake.left()).toBe(0)
  const spoken = fake.spoken(fake.requests.length - 1)
  expect(spoken[0]).toBe('user: read it all')
  expect(fake.requests.at(-1)!.messages[0]!.content).toContain('nothing of note')
})

test('the context is measured after every change, with limit and threshold (CTX-014)', async () => {
  const fake = fakeSession()
  fake.script(says('hello'))
  fake.session.start()
  await fake.say('hi')
  const measured = fake.events.filter((event) => event.kind === 'context-measured')
  expect(measured).toHaveLength(2)
  expect(measured[1]!.tokens).toBeGreaterThan(measured[0]!.tokens)
  expect(measured[0]).toMatchObject({ limit: 100_000, threshold: 32_000, toolDepth: 0 })
})

test('estimates learn from what an endpoint reports (MODEL-011)', async () => {
  const fake = fakeSession()
  const tokens = () => fake.events.filter((event) => event.kind === 'context-measured').map((event) => event.tokens)
  fake.script(says('hello', { usage: { prompt: 5000, completion: 1, total: 5001 } }))
  fake.session.start()
  await fake.say('hi')
  // The endpoint counted far more; the estimate is doubled at most.
  expect(tokens()[1]! / tokens()[0]!).toBeGreaterThan(1.9)
  expect(tokens()[1]! / tokens()[0]!).toBeLessThan(2.2)
})

test('drift is measured after a compaction and at its interval; what comes back stands before the conversation (SESS-068, CTX-049)', async () => {
  const asked: string[] = []
  const fake = fakeSession({
    routing,
    driftCheckIntervalTurns: 2,
    drift: {
      async check({ reason, turn }) {
        asked.push(`${reason} ${turn}`)
        if (reason !== 'interval') return { notes: [], notices: [] }
        const text = 'drift detected, backfilling from checkpoints 1, 3'
        return { notes: ['what we once knew'], notices: [{ level: 'info', text }] }
      }
    }
  })
  fake.script(says('1'), says('2'))
  fake.session.start()
  await fake.say('a')
  await fake.say('b')
  expect(asked).toEqual(['interval 2'])
  expect(fake.notices()).toContain('ℹ drift detected, backfilling from checkpoints 1, 3')
  fake.script(says('3'))
  await fake.say('c')
  // Backfill sends the next step to the deep model (ROUTE-004 row 7).
  expect(fake.requests.at(-1)).toMatchObject({ model: 'deep' })
  expect(fake.requests.at(-1)!.messages[0]!.content).toContain('what we once knew')
  expect(asked).toEqual(['interval 2', 'switch 3'])
})

test('backfill that does not fit has the context compacted first, then takes what fits (CTX-048)', async () => {
  const asked: { readonly reason: string; readonly canGrow: boolean; readonly budget: number }[] = []
  const fake = fakeSession({
    routing: { ...one, contextDepthThreshold: 3000 },
    driftCheckIntervalTurns: 5,
    drift: {
      async check({ reason, canGrow, budget }) {
        asked.push({ reason, canGrow, budget })
        return canGrow
          ? { notes: [], notices: [], crowded: true }
          : { notes: ['what we once knew'], notices: [{ level: 'info', text: 'backfill from checkpoints 1' }] }
      }
    }
  })
  fake.session.start()
  const long = 'words '.repeat(400)
  for (const n of [1, 2, 3, 4]) {
    fake.script(says(`${n} ${long}`))
    await fake.say(`q${n}`)
  }
  fake.script(says('5'), says('they asked four questions'))
  await fake.say('q5')
  expect(fake.left()).toBe(0)
  expect(asked).toMatchObject([
    { reason: 'interval', canGrow: true },
    { reason: 'compaction', canGrow: false }
  ])
  expect(asked[1]!.budget).toBeGreaterThan(asked[0]!.budget)
  expect(fake.notices().slice(-2)).toEqual([
    expect.stringContaining('compacted context'),
    'ℹ backfill from checkpoints 1'
  ])
  fake.script(says('6'))
  await fake.say('q6')
  expect(fake.requests.at(-1)!.messages[0]!.content).toContain('what we once knew')
})
