import { expect, test } from 'vitest'
import { manualClock } from '../../support/clock.ts'
import { type FakeSession, fails, fakeSession, memoryStore, says, settled, tooLong } from '../../support/session.ts'
import { openStore, temporaryRepository } from '../store/open.ts'

const answer = 'the answer T'

const stores = [
  ['in memory', (clock: { now(): number }) => memoryStore(clock)],
  ['on disk', (clock: { now(): number }) => openStore(temporaryRepository(), { now: clock.now })]
] as const

/** Four turns of conversation, so that a compaction has something to summarise. */
async function withTurns(count: number, makeStore: (clock: { now(): number }) => unknown): Promise<FakeSession> {
  const clock = manualClock()
  const fake = fakeSession({ clock, store: makeStore(clock) as never })
  fake.session.start()
  for (let turn = 1; turn <= count; turn++) {
    fake.script(says(`reply ${turn} ${'x'.repeat(400)}`))
    await fake.say(`question ${turn} ${'y'.repeat(400)}`)
  }
  return fake
}

test.each(stores)(
  'an answer after retry, overflow and compaction stays in the context (SESS-054), store %s',
  async (_, make) => {
    const fake = await withTurns(4, make)
    const before = fake.requests.length
    fake.script(fails(), tooLong, says('what was said so far'), says(answer))
    fake.session.submit('question 5', 'steer', 'operator')
    await fake.clock.sleeper()
    await fake.clock.advance(1000)
    await fake.idle()

    fake.script(says('fine'))
    await fake.say('and now this')
    expect(fake.requests.length - before).toBe(5)
    const last = fake.requests.at(-1)!
    const system = last.messages[0]!.content!
    expect(system).toContain('what was said so far')
    const spoken = fake.spoken(fake.requests.length - 1)
    expect(spoken.slice(-3)).toEqual(['user: question 5', `assistant: ${answer}`, 'user: and now this'])
    expect(spoken.some((line) => line.startsWith('user: question 1'))).toBe(false)
  }
)

test('a restart neither uses the budget of a step nor resets it (SESS-045, SESS-054)', async () => {
  const fake = await withTurns(4, (clock) => memoryStore(clock))
  const times: number[] = []
  const timed =
    (turnout: ReturnType<typeof fails>): ReturnType<typeof fails> =>
    (...all) => {
      times.push(fake.clock.now())
      return turnout(...all)
    }
  fake.script(timed(fails()), timed(tooLong), says('summary'), timed(fails()), timed(fails()), timed(fails()))
  // The alternate then has a budget of its own; it answers at once.
  fake.script(says('from the other'))
  fake.session.submit('question 5', 'steer', 'operator')
  for (let second = 0; second < 8; second++) {
    await settled()
    await fake.clock.advance(1000)
  }
  await fake.idle()
  const waits = times.slice(1).map((time, index) => time - times[index]!)
  // Attempt 2 after 1 s, attempt 3 at once after the compaction, attempt 4 after the second wait, the last after the third.
  expect(waits).toEqual([1000, 0, 2000, 4000])
  expect(fake.notices()).toContain('⚠ fast unreachable, falling back to deep')
})
