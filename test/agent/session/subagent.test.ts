import { expect, test } from 'vitest'
import type { ToolEntry } from '../../../src/protocol/entry.ts'
import {
  calls,
  type FakeSession,
  fails,
  fakeSession,
  hangs,
  routing,
  says,
  settled,
  toolDone,
  toolHangs
} from '../../support/session.ts'

const agent = calls(['g', 'agent', { task: 'look around' }])
const limits = { defaultModel: 'deep', maxTurns: 20, tokenBudget: 50_000, timeoutSeconds: 300 }

function made(subAgent: Partial<typeof limits> = {}): FakeSession {
  const fake = fakeSession({ subAgent: { ...limits, ...subAgent }, maxResultBytes: 4000 })
  fake.session.start()
  return fake
}
const resultOf = (fake: FakeSession) =>
  fake.session.state().history.find((entry): entry is ToolEntry => entry.kind === 'tool')!

test('it has its own conversation, nine tools, its own model; the parent gets its last words (CTX-080…083)', async () => {
  const fake = made()
  fake.script(says('earlier'), agent, calls(['a', 'grep', { pattern: 'x' }]), says('found it'), says('thanks'))
  await fake.say('before')
  await fake.say('/plan')
  await fake.say('go')
  const own = fake.requests.slice(2, 4)
  expect(own.map(({ model, tools }) => [model, tools?.length])).toEqual([
    ['deep', 9],
    ['deep', 9]
  ])
  expect(own[0]!.messages.slice(1)).toEqual([{ role: 'user', content: 'look around' }])
  // No plan overlay: the prompt is that of the dialect and the instructions.
  expect(fake.requests[1]!.messages[0]!.content!.length).toBeGreaterThan(fake.requests[0]!.messages[0]!.content!.length)
  expect(resultOf(fake)).toMatchObject({ text: 'found it', status: 'done' })
  expect(fake.session.state().model).toBe('fast')
  const usage = fake.session.state().usage.find(({ purpose }) => purpose === 'sub-agent')
  expect(usage).toMatchObject({ model: 'deep' })
  const told = fake.events.flatMap((event) => (event.kind === 'sub-agent-told' ? [event.text] : []))
  expect(told.join('')).toContain('found it')
  expect(fake.events.some((event) => event.kind === 'phase-changed' && event.to === 'sub-agent')).toBe(true)
})

test('its calls do not count into the depth of the parent, the agent call counts one (CTX-091)', async () => {
  const fake = made()
  fake.script(agent, calls(['a', 'bash'], ['b', 'glob'], ['c', 'grep']), says('ok'))
  let depth = 0
  fake.script((...all) => {
    depth = fake.session.state().toolDepth
    return says('done')(...all)
  })
  await fake.say('go')
  expect(depth).toBe(1)
})

test('it starts no other and changes no mode (CTX-080)', async () => {
  const fake = made()
  fake.script(agent, calls(['a', 'agent', { task: 'more' }], ['b', 'enter_plan_mode']), says('ok'), says('done'))
  await fake.say('go')
  expect(fake.requests[2]!.messages.slice(-2).map((message) => message.content)).toEqual([
    'tool "agent" is not available to sub-agents',
    'tool "enter_plan_mode" is not available to sub-agents'
  ])
  expect(fake.session.state().planMode).toBe(false)
})

test('a limit ends it with what it has (CTX-084, CTX-087)', async () => {
  const fake = made({ maxTurns: 2 })
  fake.script(
    agent,
    says('first I look', { toolCalls: [{ id: 'a', name: 'grep', arguments: '{"pattern":"x"}' }] }),
    calls(['b', 'glob']),
    says('well')
  )
  await fake.say('go')
  expect(resultOf(fake)).toMatchObject({ status: 'done' })
  expect(resultOf(fake).text).toBe(
    '[sub-agent stopped: turn limit after 2 turns]\n\nfirst I look\n\nTool calls made:\n- grep {"pattern":"x"}\n- glob {}'
  )
})

test('the token budget counts what was reported, else what was estimated (CTX-086)', async () => {
  const fake = made({ tokenBudget: 1000 })
  fake.script(
    agent,
    says('x', {
      toolCalls: [{ id: 'a', name: 'grep', arguments: '{}' }],
      usage: { prompt: 990, completion: 20, total: 1010 }
    }),
    says('well')
  )
  await fake.say('go')
  expect(resultOf(fake).text).toMatch(/^\[sub-agent stopped: token budget after 1 turns, 1010 tokens\]\n\nx\n/)
})

test('the wall clock ends it in the middle of a call (CTX-085)', async () => {
  const fake = made({ timeoutSeconds: 60 })
  fake.script(agent, hangs('thinking'), says('well'))
  fake.session.submit('go', 'steer', 'operator')
  await fake.untilEvent((event) => event.kind === 'sub-agent-told')
  await fake.clock.advance(60_000)
  await fake.idle()
  expect(resultOf(fake).text).toBe('[sub-agent stopped: wall-clock timeout after 0 turns]')
  expect(fake.session.state().lastTurn).toMatchObject({ outcome: 'completed' })
})

test('an overflow ends it, for it has no compaction (CTX-091)', async () => {
  const fake = made()
  fake.script(agent, fails({ contextTooLong: true, retryable: false }), says('well'))
  await fake.say('go')
  expect(resultOf(fake).text).toBe('[sub-agent stopped: context overflow after 0 turns]')
})

test('an endpoint that fails is an error result after its retries, without fallback (CTX-082, CTX-088)', async () => {
  const fake = made()
  fake.script(agent, fails(), fails(), fails(), fails({ message: 'overloaded' }), says('well'))
  fake.session.submit('go', 'steer', 'operator')
  for (let second = 0; second < 9; second++) {
    await settled()
    await fake.clock.advance(1000)
  }
  await fake.idle()
  expect(resultOf(fake)).toMatchObject({
    status: 'failed',
    text: 'sub-agent model unreachable (HTTP 503): overloaded'
  })
  expect(fake.session.state().lastTurn).toMatchObject({ outcome: 'completed' })
})

test('an unknown model and an empty task are errors', async () => {
  const fake = made({ defaultModel: 'nobody' })
  fake.script(agent, says('well'))
  await fake.say('go')
  expect(resultOf(fake).text).toBe('sub-agent model "nobody" not configured')
  const other = made()
  other.script(calls(['g', 'agent', { task: ' ' }]), says('well'))
  await other.say('go')
  expect(resultOf(other)).toMatchObject({ status: 'failed', text: 'the task must not be empty' })
})

test('the same call a fourth time in a row is not made (CTX-089)', async () => {
  const fake = made()
  const same = calls(['a', 'grep', { pattern: 'x' }])
  fake.script(agent, same, same, same, same, calls(['b', 'glob']), same, says('ok'), says('done'))
  await fake.say('go')
  expect(fake.ran.map(({ name }) => name)).toEqual(['grep', 'grep', 'grep', 'glob', 'grep'])
  expect(fake.requests[5]!.messages.at(-1)!.content).toMatch(/^not executed: the same call/)
})

test('the ceiling of fifty calls holds inside (CTX-089)', async () => {
  const fake = made()
  const many = calls(...Array.from({ length: 51 }, (_, n) => [`a${n}`, 'grep', { pattern: `${n}` }] as const))
  fake.script(agent, many, says('done'))
  await fake.say('go')
  expect(fake.ran).toHaveLength(50)
  expect(resultOf(fake).text).toMatch(/^\[sub-agent stopped: tool call depth exceeded \(50\) after 1 turns\]/)
})

test('an interrupt reaches its tool; the parent records it as interrupted (CTX-090)', async () => {
  const fake = made()
  fake.setTool(toolHangs)
  fake.script(agent, calls(['a', 'bash']))
  fake.session.submit('go', 'steer', 'operator')
  await fake.untilEvent((event) => event.kind === 'sub-agent-told')
  await settled()
  fake.session.interrupt()
  await fake.idle()
  expect(resultOf(fake)).toMatchObject({ status: 'interrupted', text: 'interrupted by operator' })
  expect(fake.requests).toHaveLength(2)
})

test('a long answer is cut like every result (CTX-093)', async () => {
  const fake = made()
  fake.setTool(() => toolDone('ok'))
  fake.script(agent, says('line of findings\n'.repeat(1000)), says('well'))
  await fake.say('go')
  expect(resultOf(fake).text.length).toBeLessThanOrEqual(4000)
  expect(resultOf(fake).text).toContain('limit tools.max_result_bytes')
})

test('the sub-agent keeps to its model whatever the routing says', async () => {
  const fake = fakeSession({ routing: { ...routing, deepModel: null }, subAgent: { ...limits, defaultModel: 'fast' } })
  fake.session.start()
  fake.script(agent, calls(...Array.from({ length: 8 }, (_, n) => [`a${n}`, 'grep', { pattern: `${n}` }] as const)))
  fake.script(says('ok'), says('done'))
  await fake.say('go')
  expect(fake.requests.every(({ model }) => model === 'fast')).toBe(true)
})

test('what a sub-agent uses is counted under a label of its own (CTX-092)', async () => {
  const fake = fakeSession()
  const usage = { prompt: 70, completion: 7, total: 77 }
  fake.script(calls(['a', 'agent', { task: 'look' }]), says('seen', { usage }), says('done'))
  fake.session.start()
  await fake.say('go')
  const own = fake.session.state().usage.filter(({ purpose }) => purpose === 'sub-agent')
  expect(own).toMatchObject([{ model: 'fast', prompt: 70, completion: 7, total: 77 }])
})
