import { expect, test } from 'vitest'
import { evolve } from '../../../src/agent/session/evolve.ts'
import { initialState, type SessionState } from '../../../src/agent/session/state.ts'
import type { GhyllEvent } from '../../../src/protocol/event.ts'
import type { ModelRequest } from '../../../src/protocol/model.ts'
import { fc, runs } from '../../support/laws.ts'
import {
  aborted,
  breaks,
  calls,
  type FakeSession,
  facts,
  fails,
  fakeSession,
  hangs,
  says,
  settled,
  type Turnout,
  tooLong,
  toolDone
} from '../../support/session.ts'

// Laws that hold for every script of outcomes, whatever the operator does meanwhile.

const outcomes: Readonly<Record<string, Turnout>> = {
  text: says('some words'),
  long: says('many words '.repeat(300)),
  empty: says(''),
  broken: breaks('half'),
  retryable: fails(),
  limited: fails({ code: 'rate-limited', statusCode: 429, retryAfterSeconds: 3 }),
  banned: fails({ code: 'rate-limited', statusCode: 429, retryAfterSeconds: 600 }),
  auth: fails({ code: 'auth-failed', message: 'authentication failed', statusCode: 401, retryable: false }),
  odd: fails({ statusCode: 404, retryable: false }),
  overflow: tooLong,
  silent: hangs(),
  stuck: hangs('begun'),
  one: calls(['a', 'bash']),
  two: calls(['a', 'read_file'], ['b', 'nonsense']),
  plan: calls(['p', 'enter_plan_mode', { reason: 'x' }], ['q', 'exit_plan_mode']),
  agent: calls(['g', 'agent', { task: 'look' }]),
  many: calls(...Array.from({ length: 30 }, (_, n) => [`m${n}`, 'bash'] as const)),
  crowd: calls(...Array.from({ length: 60 }, (_, n) => [`c${n}`, 'grep'] as const)),
  refused: says('', { malformedToolCalls: '{"not":"a list"}' })
}

const deeds = [
  'none',
  'steer',
  'queue',
  'compact',
  'interrupt',
  'retry',
  'deep',
  'fast',
  'take',
  'take up',
  'shell',
  'file'
] as const

const scripts = fc.array(
  fc.record({
    outcome: fc.constantFrom(...Object.keys(outcomes)),
    before: fc.constantFrom(...deeds),
    idle: fc.constantFrom(...deeds),
    hangingTool: fc.boolean(),
    /** How often in a row; enough to use up a budget. */
    times: fc.constantFrom(1, 1, 1, 4)
  }),
  { maxLength: 25, size: 'max' }
)

function act({ session }: FakeSession, deed: (typeof deeds)[number]): void {
  const last = session.state().inbox.at(-1)
  if (deed === 'steer' || deed === 'queue') session.submit(`${deed} ${'w'.repeat(700)}`, deed, 'operator')
  else if (deed === 'shell') session.submit('!!ls', 'steer', 'operator')
  else if (deed === 'interrupt') session.interrupt()
  else if (deed === 'take up') session.takeUp()
  else if (deed === 'take') session.takeBack(last?.seq ?? 0)
  else if (deed !== 'none') session.submit(`/${deed}`, 'queue', 'operator')
}

type Script = typeof scripts extends fc.Arbitrary<infer T> ? T : never

/** Plays the script to its end; what is left of it is dropped. */
async function play(script: Script): Promise<FakeSession> {
  const scenes = script.flatMap((scene) => Array.from({ length: scene.times }, () => scene))
  const fake = fakeSession({
    models: { fast: facts('fast', 'qwen', 6000), deep: facts('deep', 'glm', 4000) },
    checkpointIntervalTurns: 2,
    files: { file: 'do the usual' }
  })
  let at = 0
  let isHanging = false
  const next: Turnout = async (...all) => {
    fake.script(next)
    const scene = scenes[at++]
    if (scene === undefined) return says('done')(...all)
    isHanging = scene.hangingTool
    await settled()
    act(fake, scene.before)
    return outcomes[scene.outcome]!(...all)
  }
  fake.script(next)
  fake.setTool(async (_, signal) => {
    if (!isHanging) return toolDone('line\n'.repeat(200))
    await aborted(signal)
    return { ...toolDone('', { kind: 'interrupted' }), error: 'interrupted by operator' }
  })
  fake.session.start()
  fake.session.submit('begin', 'steer', 'operator')
  // Whatever hangs is interrupted in the end, and a held session asked to go on, until nothing is left to do.
  for (let round = 0; round < 6000; round++) {
    await settled()
    await fake.clock.advance(1000)
    const { run, inbox, held } = fake.session.state()
    if (run.phase !== 'ready' && round % 40 === 39) fake.session.interrupt()
    if (run.phase !== 'ready' || run.errands.length > 0 || run.retrying) continue
    if (held) fake.session.takeUp()
    else if (inbox.length > 0) continue
    else if (at >= scenes.length) return fake
    else {
      act(fake, scenes[at]?.idle ?? 'none')
      fake.session.submit('go on', 'steer', 'operator')
    }
  }
  throw new Error(`stranded: ${JSON.stringify({ ...fake.session.state().run, copy: null })}`)
}

const durable = ({ run: _, ...state }: SessionState) => state

/** Every message with tool calls is followed by one result per call, in order (SESS-094, MODEL-026). */
function isPaired({ messages }: ModelRequest): boolean {
  let owed: readonly string[] = []
  for (const message of messages) {
    if (message.role === 'tool') {
      if (owed[0] !== message.tool_call_id) return false
      owed = owed.slice(1)
      continue
    }
    if (owed.length > 0) return false
    if (message.role === 'assistant') owed = (message.tool_calls ?? []).map((call) => call.id)
  }
  return owed.length === 0
}

function longestChain(events: readonly GhyllEvent[]): number {
  let chain = 0
  let longest = 0
  for (const event of events) {
    if (event.kind === 'input-promoted' && event.entries.length > 0) chain = 0
    if (event.kind === 'tool-started') longest = Math.max(longest, ++chain)
  }
  return longest
}

test('no script of outcomes strands the session, passes the tool ceiling, or sends unpaired calls; a replay gives the live state', async () => {
  await fc.assert(
    fc.asyncProperty(scripts, async (script) => {
      const fake = await play(script)
      expect(fake.requests.every(isPaired)).toBe(true)
      expect(longestChain(fake.events)).toBeLessThanOrEqual(50)
      expect(fake.logged.filter((line) => line.includes('mended'))).toEqual([])

      const { session } = fake
      await fake.say('last words')
      // A window this small may be too full for any answer; every other trouble of the past is over.
      const { lastTurn } = session.state()
      const isFull = lastTurn?.code === 'compaction-failed' || lastTurn?.code === 'context-too-long'
      if (!isFull) expect(lastTurn, fake.notices().slice(-6).join('\n')).toMatchObject({ outcome: 'completed' })

      const state = session.state()
      const replayed = fake.store
        .load(state.session)
        .reduce<SessionState>(evolve, initialState(state.session, state.rules))
      expect(durable(replayed)).toEqual(durable(state))

      const end = await session.shutdown({ signal: false })
      expect(end.state.lifecycle).toBe('closed')
      expect(fake.events.at(-1)?.kind).toBe('session-closed')
    }),
    { numRuns: runs(100) }
  )
})
