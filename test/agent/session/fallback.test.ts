import { expect, test } from 'vitest'
import {
  breaks,
  calls,
  type FakeSession,
  facts,
  fails,
  fakeSession,
  routing,
  says,
  settled
} from '../../support/session.ts'

async function exhaust(fake: FakeSession, text = 'go'): Promise<void> {
  fake.session.start()
  fake.session.submit(text, 'steer', 'operator')
  const { turn } = fake.session.state()
  for (let round = 0; round < 100; round++) {
    await settled()
    await fake.clock.advance(1000)
    const { lastTurn } = fake.session.state()
    if (lastTurn !== null && lastTurn.turn > turn) return
  }
}
const down = [fails(), fails(), fails(), fails()]

test('the alternate serves the rest of the turn in its own dialect, the next turn starts from the routing state (MODEL-061)', async () => {
  const fake = fakeSession()
  fake.script(...down, calls(['a', 'bash']), says('done'))
  await exhaust(fake)
  expect(fake.notices()).toEqual(['⚠ fast unreachable, falling back to deep'])
  expect(fake.requests.map(({ model }) => model)).toEqual(['fast', 'fast', 'fast', 'fast', 'deep', 'deep'])
  expect(fake.requests[4]!.messages[0]!.content).not.toBe(fake.requests[3]!.messages[0]!.content)
  expect(fake.session.state().model).toBe('fast')
  expect(fake.checkpoints).toEqual([])
  expect(fake.session.state().usage.map(({ model }) => model)).toEqual(['deep'])

  fake.script(says('back'))
  await fake.say('next')
  expect(fake.requests.at(-1)!.model).toBe('fast')
})

test('the checkpoint of such a turn names the model that answered', async () => {
  const fake = fakeSession({ checkpointIntervalTurns: 1 })
  fake.script(...down, says('done'))
  await exhaust(fake)
  expect(fake.checkpoints).toMatchObject([{ model: 'deep', summary: expect.stringMatching(/^turns 1-1\n/) }])
})

test('the alternate has a budget of its own; when it is used up, everything is down (SESS-045, SESS-075)', async () => {
  const fake = fakeSession({ checkpointIntervalTurns: 1 })
  fake.script(...down, ...down)
  await exhaust(fake)
  expect(fake.requests).toHaveLength(8)
  expect(fake.notices().at(-1)).toBe('✗ all model endpoints unreachable')
  expect(fake.session.state().lastTurn).toMatchObject({ outcome: 'failed', code: 'all-tiers-down' })
  expect(fake.checkpoints).toEqual([])
})

test.each([
  ['locked', { locked: true }, 'fast unreachable (model locked via --model flag)', 'model-locked-down'],
  ['one tier', { routing: { ...routing, deepModel: null } }, 'all model endpoints unreachable', 'all-tiers-down'],
  ['routing off', { routing: { ...routing, enableAutoRouting: false } }, 'fast unreachable', 'stream-failed']
] as const)('no fallback: %s (MODEL-060, MODEL-063, MODEL-064)', async (_, options, text, code) => {
  const fake = fakeSession(options)
  fake.script(...down)
  await exhaust(fake)
  expect(fake.requests).toHaveLength(4)
  expect(fake.notices()).toEqual([`✗ ${text}`])
  expect(fake.session.state().lastTurn).toMatchObject({ outcome: 'failed', code })
  // The words stay for another try (SESS-076).
  fake.script(says('there'))
  fake.session.retry()
  await fake.untilEvent((event) => event.kind === 'turn-ended' && event.outcome === 'completed')
  expect(fake.spoken(4)).toEqual(['user: go'])
  expect(fake.session.state().turn).toBe(1)
})

test('an active gate floor forbids the fall from deep to fast (MODEL-060)', async () => {
  const fake = fakeSession()
  fake.setFloor(3)
  fake.script(...down)
  await exhaust(fake)
  expect(fake.requests.map(({ model }) => model)).toEqual(['deep', 'deep', 'deep', 'deep'])
  expect(fake.session.state().lastTurn).toMatchObject({ outcome: 'failed' })
})

test('a copy too large for the alternate is compacted by it; the context itself stays whole (MODEL-062)', async () => {
  const fake = fakeSession({ models: { fast: facts('fast'), deep: facts('deep', 'glm', 3000) } })
  fake.session.start()
  for (const n of [1, 2, 3, 4]) {
    fake.script(says(`answer ${n} ${'x'.repeat(900)}`))
    await fake.say(`question ${n} ${'y'.repeat(900)}`)
  }
  fake.script(...down, says('in short'), says('from the alternate'))
  await exhaust(fake, 'question 5')
  expect(fake.requests.slice(-2).map(({ model, tools }) => [model, tools === undefined])).toEqual([
    ['deep', true],
    ['deep', false]
  ])
  expect(fake.requests.at(-1)!.messages[0]!.content).toContain('in short')
  expect(fake.events.some((event) => event.kind === 'anchored')).toBe(false)

  fake.script(says('fine'))
  await fake.say('question 6')
  expect(fake.spoken(fake.requests.length - 1).slice(0, 2)).toEqual([
    `user: question 1 ${'y'.repeat(900)}`,
    `assistant: answer 1 ${'x'.repeat(900)}`
  ])
  expect(fake.spoken(fake.requests.length - 1).slice(-3)).toEqual([
    'user: question 5',
    'assistant: from the alternate',
    'user: question 6'
  ])
})

test('a cut-off answer is kept, shown, and not retried; its tools do not run (SESS-075, MODEL-042)', async () => {
  const fake = fakeSession({ checkpointIntervalTurns: 1 })
  fake.script(breaks('half an answer'))
  await exhaust(fake)
  expect(fake.notices()).toEqual([expect.stringMatching(/^⚠ stream interrupted after \d+ tokens$/)])
  expect(fake.session.state().lastTurn).toMatchObject({ outcome: 'partial', code: 'stream-interrupted' })
  expect(fake.session.state().held).toBe(true)
  expect(fake.checkpoints).toEqual([])
  expect(fake.session.state().history.at(-1)).toMatchObject({ text: 'half an answer', status: 'partial' })
})

test('authentication fails at once: no retry, no fallback (SESS-075)', async () => {
  const fake = fakeSession()
  fake.script(fails({ code: 'auth-failed', message: 'authentication failed', statusCode: 401, retryable: false }))
  await exhaust(fake)
  expect(fake.notices()).toEqual(['✗ authentication failed'])
  expect(fake.session.state().lastTurn).toMatchObject({ code: 'auth-failed' })
})
