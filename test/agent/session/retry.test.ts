import { expect, test } from 'vitest'
import { backoffMs, judge } from '../../../src/agent/session/retry.ts'
import type { StepState } from '../../../src/agent/session/state.ts'
import { stepId } from '../../../src/protocol/ids.ts'
import type { ModelFailure } from '../../../src/protocol/model.ts'
import {
  type FakeSession,
  fails,
  fakeSession,
  hangs,
  routing,
  says,
  settled,
  type Turnout,
  tooLong
} from '../../support/session.ts'

const failure: ModelFailure = {
  code: 'stream-failed',
  message: 'HTTP 503',
  statusCode: 503,
  retryable: true,
  retryAfterSeconds: null,
  contextTooLong: false,
  requestId: null
}
const step: StepState = {
  id: stepId('s'),
  model: 'fast',
  retriesUsed: 0,
  compacted: false,
  fellBack: false,
  reply: null
}

test.each([
  ['first failure', {}, {}, { kind: 'retry', delayMs: 1000, rateLimited: false }],
  ['second', {}, { retriesUsed: 1 }, { kind: 'retry', delayMs: 2000, rateLimited: false }],
  ['third', {}, { retriesUsed: 2 }, { kind: 'retry', delayMs: 4000, rateLimited: false }],
  ['fourth', {}, { retriesUsed: 3 }, { kind: 'exhausted' }],
  ['not worth retrying', { retryable: false }, {}, { kind: 'fail', code: 'stream-failed', text: 'HTTP 503' }],
  [
    'authentication',
    { code: 'auth-failed', message: 'authentication failed', retryable: false },
    {},
    { kind: 'fail', code: 'auth-failed', text: 'authentication failed' }
  ],
  ['too long', { contextTooLong: true, retryable: false }, { retriesUsed: 3 }, { kind: 'restart' }],
  [
    'too long again',
    { contextTooLong: true, retryable: false },
    { compacted: true },
    { kind: 'fail', code: 'reactive-retry-failed', text: 'context: reactive compaction retry failed' }
  ],
  [
    '429 with a longer Retry-After',
    { code: 'rate-limited', retryAfterSeconds: 5 },
    {},
    { kind: 'retry', delayMs: 5000, rateLimited: true }
  ],
  [
    '429 with a shorter one',
    { code: 'rate-limited', retryAfterSeconds: 1 },
    { retriesUsed: 2 },
    { kind: 'retry', delayMs: 4000, rateLimited: true }
  ],
  [
    '429 at the cap',
    { code: 'rate-limited', retryAfterSeconds: 120 },
    {},
    { kind: 'retry', delayMs: 120_000, rateLimited: true }
  ],
  [
    '429 above it',
    { code: 'rate-limited', retryAfterSeconds: 121 },
    {},
    { kind: 'fail', code: 'rate-limited', text: 'rate limited, retry after 121s' }
  ]
] as const)('%s (SESS-045, SESS-046, MODEL-054)', (_, failed, state, verdict) => {
  expect(judge({ ...failure, ...failed }, { ...step, ...state }, 0.5)).toEqual(verdict)
})

test('jitter moves a wait by at most a tenth either way (MODEL-053)', () => {
  expect(backoffMs(1, 0)).toBe(900)
  expect(backoffMs(1, 0.999999)).toBe(1100)
  expect(backoffMs(3, 0)).toBe(3600)
  expect(backoffMs(99, 0.5)).toBe(64_000)
})

/** Times of the requests, in milliseconds after the first. */
async function timesOf(fake: FakeSession, turnouts: readonly Turnout[]): Promise<readonly number[]> {
  const times: number[] = []
  fake.script(
    ...turnouts.map(
      (turnout): Turnout =>
        (...all) => {
          times.push(fake.clock.now())
          return turnout(...all)
        }
    )
  )
  fake.session.start()
  fake.session.submit('go', 'steer', 'operator')
  for (let round = 0; round < 200 && fake.session.state().lastTurn === null; round++) {
    await settled()
    await fake.clock.advance(500)
  }
  return times.map((time) => time - times[0]!)
}

test('503 three times, then an answer: one response, waits of 1, 2 and 4 s', async () => {
  const fake = fakeSession()
  expect(await timesOf(fake, [fails(), fails(), fails(), says('hello')])).toEqual([0, 1000, 3000, 7000])
  expect(fake.session.state().lastTurn).toMatchObject({ outcome: 'completed' })
  const replies = fake.session.state().history.filter((entry) => entry.kind === 'assistant')
  expect(replies.map((entry) => [entry.text, entry.status])).toEqual([['hello', 'done']])
})

test('a rate limit is waited for once, and says so (MODEL-054)', async () => {
  const fake = fakeSession()
  const limited = fails({ code: 'rate-limited', statusCode: 429, retryAfterSeconds: 5 })
  expect(await timesOf(fake, [limited, says('hello')])).toEqual([0, 5000])
  expect(fake.notices()).toEqual(['ℹ rate limited, retrying in 5s'])
})

test('a wait says once since when and for how long, and ends at once with an interrupt (SESS-047)', async () => {
  const fake = fakeSession()
  fake.script(fails(), fails(), fails())
  fake.session.start()
  fake.session.submit('go', 'steer', 'operator')
  await fake.clock.sleeper()
  await fake.clock.advance(1000)
  await fake.clock.sleeper()
  await fake.clock.advance(1000)
  const waits = fake.events.flatMap((event) =>
    event.kind === 'waiting-changed' && event.waiting?.what === 'retry' ? [event.waiting] : []
  )
  const since = waits[0]?.since ?? Number.NaN
  // The second wait began a second after the first and is under way since another one.
  expect(waits).toEqual([
    { what: 'retry', label: 'fast: retrying in', since, count: 1 },
    { what: 'retry', label: 'fast: retrying in', since: since + 1000, count: 2 }
  ])
  fake.session.interrupt()
  await fake.idle()
  expect(fake.session.state().lastTurn).toMatchObject({ outcome: 'interrupted', code: 'interrupted' })
  expect(fake.requests).toHaveLength(2)
})

test('an answer that fails after it began leaves no second copy of itself (SESS-051)', async () => {
  const fake = fakeSession()
  const begins: Turnout = (request, signal, onDelta) => {
    onDelta({ channel: 'content', text: 'half an' })
    return fails()(request, signal, onDelta)
  }
  await timesOf(fake, [begins, says('whole')])
  fake.script(says('next'))
  await fake.say('more')
  expect(fake.spoken(2)).toEqual(['user: go', 'assistant: whole', 'user: more'])
  const rows = fake.session.state().history.flatMap((entry) => (entry.kind === 'assistant' ? [entry.status] : []))
  expect(rows).toEqual(['superseded', 'done', 'done'])
})

test('a second rejection as too long ends the turn (SESS-046)', async () => {
  const fake = fakeSession({ routing: { ...routing, deepModel: null } })
  fake.session.start()
  for (const n of [1, 2, 3, 4]) {
    fake.script(says(`answer ${n} ${'x'.repeat(300)}`))
    await fake.say(`question ${n} ${'y'.repeat(300)}`)
  }
  fake.script(tooLong, says('summary'), tooLong)
  await fake.say('again')
  // What the endpoint said tells which limit it was (MODEL-027, MODEL-050).
  expect(fake.notices()).toContain('ℹ prompt is too long')
  expect(fake.notices().at(-1)).toBe('✗ context: reactive compaction retry failed')
  expect(fake.session.state().lastTurn).toMatchObject({ outcome: 'failed', code: 'reactive-retry-failed' })
})

test('an open answer is written down at most once a second (SESS-050)', async () => {
  const fake = fakeSession()
  fake.script(async (request, signal, onDelta) => {
    for (let piece = 0; piece < 30; piece++) {
      onDelta({ channel: 'content', text: `${piece} ` })
      await fake.clock.advance(100)
    }
    return says('')(request, signal, onDelta)
  })
  fake.session.start()
  await fake.say('count')
  expect(fake.events.filter((event) => event.kind === 'reply-updated').map((event) => event.text.length)).toEqual([
    23, 53, 80
  ])
  const deltas = fake.events.filter((event) => event.kind === 'reply-delta')
  expect(deltas).toHaveLength(30)
})

test('nothing is heard of a stream after its abort', async () => {
  const fake = fakeSession()
  let late: () => void = () => undefined
  fake.script(async (request, signal, onDelta) => {
    late = () => onDelta({ channel: 'content', text: 'too late' })
    return hangs('begun')(request, signal, onDelta)
  })
  fake.session.start()
  fake.session.submit('go', 'steer', 'operator')
  await fake.untilEvent((event) => event.kind === 'reply-delta')
  fake.session.interrupt()
  late()
  await fake.idle()
  const count = fake.events.length
  late()
  expect(fake.events).toHaveLength(count)
  expect(fake.session.state().history.at(-1)).toMatchObject({ text: 'begun', status: 'partial' })
})

test('a stream that will not end holds the session for five seconds at most (SESS-049)', async () => {
  const fake = fakeSession()
  fake.script(() => new Promise(() => undefined))
  fake.session.start()
  fake.session.submit('go', 'steer', 'operator')
  await fake.untilEvent((event) => event.kind === 'waiting-changed')
  fake.session.interrupt()
  await settled()
  expect(fake.session.state().run.phase).toBe('turn')
  await fake.clock.advance(5000)
  await fake.idle()
  expect(fake.logged).toEqual(['a model stream did not end within 5 s of its abort'])
})
