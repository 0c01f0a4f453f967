import { expect, test } from 'vitest'
import { calls, fakeSession, routing, says, toolDone } from '../../support/session.ts'

const single = { routing: { ...routing, deepModel: null } }

test('calls run one after the other, in order, and each has one result (SESS-066, TOOL-007)', async () => {
  const fake = fakeSession(single)
  const log: string[] = []
  fake.setTool(async (call) => {
    log.push(`start ${call.id}`)
    await Promise.resolve()
    log.push(`end ${call.id}`)
    return toolDone(call.id)
  })
  fake.script(calls(['a', 'bash'], ['b', 'grep'], ['c', 'glob']), says('done'))
  fake.session.start()
  await fake.say('go')
  expect(log).toEqual(['start a', 'end a', 'start b', 'end b', 'start c', 'end c'])
  expect(fake.spoken(1)).toEqual(['user: go', 'assistant:  [a] [b] [c]', 'tool: a', 'tool: b', 'tool: c'])
})

test('the fifty-first call of a chain does not run; the model reads why on the next turn (SESS-072)', async () => {
  const fake = fakeSession(single)
  const twenty = (prefix: string) => calls(...Array.from({ length: 20 }, (_, n) => [`${prefix}${n}`, 'bash'] as const))
  fake.script(twenty('a'), twenty('b'), twenty('c'))
  fake.session.start()
  await fake.say('go')
  expect(fake.ran).toHaveLength(50)
  const refusedText = 'tool call depth exceeded (50), stopping'
  const results = fake.session.state().history.filter((entry) => entry.kind === 'tool')
  expect(results).toHaveLength(60)
  expect(results.slice(50).map(({ text, status }) => `${status} ${text}`)).toEqual(
    Array.from({ length: 10 }, () => `failed ${refusedText}`)
  )
  expect(fake.notices()).toEqual([`✗ ${refusedText}`])
  expect(fake.session.state().lastTurn).toMatchObject({ outcome: 'failed', code: 'tool-depth-exceeded' })

  fake.script(says('I see'))
  await fake.say('why did you stop?')
  expect(fake.spoken(3).slice(-2)).toEqual([`tool: ${refusedText}`, 'user: why did you stop?'])
})

test('fifty calls are allowed', async () => {
  const fake = fakeSession(single)
  fake.script(calls(...Array.from({ length: 50 }, (_, n) => [`a${n}`, 'bash'] as const)), says('done'))
  fake.session.start()
  await fake.say('go')
  expect(fake.session.state().lastTurn).toMatchObject({ outcome: 'completed' })
})

test('the plan-mode tools set the flag, which is an overlay of the prompt and nothing else (SESS-113, SESS-116)', async () => {
  const fake = fakeSession(single)
  fake.script(
    calls(['a', 'enter_plan_mode', { reason: 'big' }], ['b', 'enter_plan_mode', { reason: 'again' }]),
    calls(['c', 'exit_plan_mode']),
    says('done')
  )
  fake.session.start()
  await fake.say('go')
  const prompts = fake.requests.map(({ messages }) => messages[0]!.content!)
  expect(prompts[1]!.startsWith(prompts[0]!)).toBe(true)
  expect(prompts[1]!.length).toBeGreaterThan(prompts[0]!.length)
  expect(prompts[2]).toBe(prompts[0])
  expect(fake.requests[1]!.tools).toEqual(fake.requests[0]!.tools)
  expect(fake.spoken(2).filter((line) => line.startsWith('tool'))).toEqual([
    'tool: plan mode activated',
    'tool: plan mode activated',
    'tool: plan mode deactivated'
  ])
  expect(fake.events.filter((event) => event.kind === 'plan-mode-changed').map(({ on }) => on)).toEqual([true, false])
  expect(fake.ran).toEqual([])
  expect(fake.checkpoints).toEqual([])
})

test('an unknown tool is answered, and the chain goes on (MODEL-074)', async () => {
  const fake = fakeSession(single)
  fake.script(calls(['a', 'teleport'], ['b', 'bash']), says('done'))
  fake.session.start()
  await fake.say('go')
  expect(fake.spoken(1).slice(-2)).toEqual(['tool: unknown tool: teleport', 'tool: did bash'])
  const failed = fake.session.state().history.find((entry) => entry.kind === 'tool')
  expect(failed).toMatchObject({ status: 'failed', meta: { kind: 'unknown-tool' } })
})

test('when one call cannot be read none runs; the text stays, the turn ends (SESS-064, MODEL-075)', async () => {
  const fake = fakeSession(single)
  fake.script(says('let me see', { malformedToolCalls: '{"a":1}' }))
  fake.session.start()
  await fake.say('go')
  expect(fake.ran).toEqual([])
  expect(fake.notices()).toEqual([expect.stringMatching(/^⚠ tool call refused: /)])
  expect(fake.session.state().history.at(-1)).toMatchObject({ text: 'let me see', toolCalls: [], status: 'done' })
  expect(fake.session.state().lastTurn).toMatchObject({ outcome: 'failed', code: 'parse-refused' })
})

test('an answer cut off at the output limit is kept with a warning (MODEL-043)', async () => {
  const fake = fakeSession(single)
  fake.script(says('so much to s', { finishReason: 'length' }))
  fake.session.start()
  await fake.say('go')
  expect(fake.notices()).toEqual(["⚠ response cut off at the model's output limit"])
  expect(fake.session.state().lastTurn).toMatchObject({ outcome: 'completed' })
})

test('what a step tells comes in order: busy, text, calls, outcome (SESS-017)', async () => {
  const fake = fakeSession(single)
  fake.script(says('first ', { toolCalls: [{ id: 'a', name: 'bash', arguments: '{}' }] }), says('done'))
  fake.session.start()
  await fake.idle()
  const from = fake.events.length
  await fake.say('go')
  const kinds = fake.events
    .slice(from)
    .map((event) => (event.kind === 'phase-changed' ? `→ ${event.to}` : event.kind))
    .filter((kind) => kind !== 'waiting-changed')
  expect(kinds).toEqual([
    'input-submitted',
    '→ turn',
    'turn-started',
    'input-promoted',
    'context-measured',
    'step-opened',
    'reply-opened',
    'reply-delta',
    'reply-settled',
    'usage-counted',
    'tool-started',
    'tool-ended',
    'step-ended',
    'context-measured',
    'step-opened',
    'reply-opened',
    'reply-delta',
    'reply-settled',
    'usage-counted',
    'step-ended',
    'context-measured',
    'turn-ended',
    '→ ready'
  ])
})
