import { expect, test } from 'vitest'
import { calls, type FakeSession, facts, fakeSession, routing, says } from '../../support/session.ts'

const models = (fake: FakeSession) => fake.requests.map(({ model }) => model)
const switches = (fake: FakeSession) =>
  fake.events.flatMap((event) => (event.kind === 'model-switched' ? [`${event.from}→${event.to} ${event.reason}`] : []))

test('six calls deep the deep model takes over, in the middle of the turn, the turn kept whole (SESS-062, SESS-084)', async () => {
  const fake = fakeSession()
  const six = [1, 2, 3, 4, 5, 6].map((n): [string, string] => [`c${n}`, 'bash'])
  fake.script(says('before'), calls(...six), says('done'))
  fake.session.start()
  await fake.say('earlier')
  await fake.say('go')
  expect(models(fake)).toEqual(['fast', 'fast', 'deep'])
  expect(switches(fake)).toEqual(['fast→deep tool-depth'])
  expect(fake.notices()).toEqual(['⟳ switched to deep, loaded from checkpoint 0'])
  expect(fake.checkpoints).toMatchObject([
    { model: 'fast', turn: 2, summary: expect.stringMatching(/^model switch: fast → deep \(reason: tool-depth\)\n/) }
  ])
  expect(fake.spoken(2)).toEqual([
    'user: earlier',
    'assistant: before',
    'user: go',
    'assistant:  [c1] [c2] [c3] [c4] [c5] [c6]',
    ...six.map(() => 'tool: did bash')
  ])
  expect(fake.requests[2]!.messages[0]!.content).toContain('model switch: fast → deep')
})

test('five calls do not (ROUTE-005)', async () => {
  const fake = fakeSession()
  fake.script(calls(...[1, 2, 3, 4, 5].map((n): [string, string] => [`c${n}`, 'bash'])), says('done'))
  fake.session.start()
  await fake.say('go')
  expect(models(fake)).toEqual(['fast', 'fast'])
})

const small = { ...routing, contextDepthThreshold: 1500 }

async function fill(fake: FakeSession, turns: number): Promise<void> {
  fake.session.start()
  for (let n = 1; n <= turns; n++) {
    fake.script(says(`answer ${n} ${'x'.repeat(700)}`))
    await fake.say(`question ${n} ${'y'.repeat(700)}`)
  }
}

test('a deep context is compacted on the old model first, then handed over; it does not come straight back (SESS-008, ROUTE-008)', async () => {
  const fake = fakeSession({ routing: { ...routing, contextDepthThreshold: 2300 } })
  await fill(fake, 4)
  const before = fake.requests.length
  expect(models(fake).every((model) => model === 'fast')).toBe(true)
  fake.script(says('the story so far'), says('deep thought'))
  await fake.say(`question 5 ${'y'.repeat(700)}`)
  expect(fake.requests.slice(before).map(({ model, tools }) => [model, tools !== undefined])).toEqual([
    ['fast', false],
    ['deep', true]
  ])
  expect(fake.checkpoints.map(({ summary }) => summary.split('\n')[0])).toEqual([
    'compaction at turn 5',
    'model switch: fast → deep (reason: context-depth)'
  ])
  expect(fake.requests.at(-1)!.messages[0]!.content).toContain('the story so far')
  expect(fake.session.state().model).toBe('deep')
  // Three turns stay verbatim.
  expect(fake.spoken(fake.requests.length - 1).filter((line) => line.startsWith('user'))).toHaveLength(3)
})

test('a compaction on the deep model brings the default back once the context is small again (ROUTE-004 row 10)', async () => {
  const fake = fakeSession({ routing: small, models: { fast: facts('fast'), deep: facts('deep', 'minimax') } })
  await fill(fake, 5).catch(() => undefined)
  fake.script(says('the story so far'), says('deep'))
  await fake.say('short')
  for (const n of [1, 2, 3]) {
    fake.script(says('yes'))
    await fake.say(`brief ${n}`)
  }
  expect(fake.session.state().model).toBe('deep')
  fake.script(says('all of it, in brief'))
  await fake.say('/compact')
  expect(fake.session.state().compactedBelow).toBeLessThan(1500)
  fake.script(says('quick again'))
  await fake.say('and now')
  expect(models(fake).at(-1)).toBe('fast')
  expect(switches(fake).at(-1)).toBe('deep→fast context-compacted')
  expect(fake.notices().at(-1)).toMatch(/^⟳ switched to fast, loaded from checkpoint \d+ \[deep→fast\]$/)
  expect(fake.session.state().compactedBelow).toBeNull()
})

test('/deep switches at once without a model call and holds until /fast (SESS-110, SESS-111, SESS-115)', async () => {
  const fake = fakeSession()
  fake.session.start()
  await fake.say('/deep')
  expect(fake.requests).toEqual([])
  expect(fake.outputs()).toEqual(['switched to deep tier'])
  // No checkpoint before the first turn (SESS-082), so none is named (SESS-083).
  expect(fake.notices()).toEqual(['⟳ switched to deep'])
  expect(fake.session.state()).toMatchObject({ model: 'deep', deepOverride: true, turn: 0 })
  fake.script(says('deep'))
  await fake.say('go')
  await fake.say('/plan')
  await fake.say('/fast')
  expect(fake.outputs().at(-1)).toBe('auto-routing restored, plan mode off')
  expect(fake.session.state()).toMatchObject({ model: 'fast', deepOverride: false, planMode: false })
  expect(fake.notices().at(-1)).toBe('⟳ switched to fast, loaded from checkpoint 0 [deep→fast]')
  expect(models(fake)).toEqual(['deep'])
})

test('/fast stays on the deep model while the context is deep or a gate floor is active', async () => {
  const fake = fakeSession({ routing: { ...routing, contextDepthThreshold: 10 } })
  fake.session.start()
  await fake.say('/deep')
  await fake.say('/fast')
  expect(fake.session.state().model).toBe('deep')

  const other = fakeSession()
  other.session.start()
  await other.say('/deep')
  other.setFloor(2)
  await other.say('/fast')
  expect(other.session.state().model).toBe('deep')
})

test.each([
  ['locked', { locked: true }, '/deep ignored, model locked via --model flag'],
  ['no deep model', { routing: { ...routing, deepModel: null } }, '/deep ignored, no deep_model configured'],
  ['routing off', { routing: { ...routing, enableAutoRouting: false } }, '/deep ignored, auto-routing is off']
] as const)('/deep says why it does nothing: %s (SESS-110)', async (_, options, text) => {
  const fake = fakeSession(options)
  fake.session.start()
  await fake.say('/deep')
  expect(fake.notices()).toEqual([`ℹ ${text}`])
  expect(fake.session.state()).toMatchObject({ model: 'fast', deepOverride: false })
})

test('/fast under a lock still clears plan mode (SESS-111)', async () => {
  const fake = fakeSession({ locked: true })
  fake.session.start()
  await fake.say('/plan')
  await fake.say('/fast')
  expect(fake.notices()).toEqual(['ℹ /fast ignored, model locked via --model flag'])
  expect(fake.session.state().planMode).toBe(false)
})

test('a gate floor escalates, and tells the gate (ROUTE-009)', async () => {
  const fake = fakeSession()
  fake.setFloor(2)
  fake.script(says('deep'))
  fake.session.start()
  await fake.say('go')
  expect(models(fake)).toEqual(['deep'])
  expect(fake.events.find((event) => event.kind === 'gate-routed')).toMatchObject({
    outcome: 'gate-floor',
    requiredRank: 2
  })
})

test.each([
  [
    'unsatisfiable',
    { routing: { ...routing, deepModel: null } },
    2,
    "[attestation-pending] reason=gate-unsatisfiable action=gate_unsatisfiable detail=gate-unsatisfiable: no configured tier meets this arrow's floor (active fast); operator attestation needed"
  ],
  [
    'locked',
    { locked: true },
    2,
    '[attestation-pending] reason=gate-locked-conflict action=gate_locked_conflict detail=gate-locked-conflict: --model fast forbids the tier this arrow needs; operator attestation needed'
  ],
  [
    'invalid',
    {},
    7,
    '[attestation-pending] reason=invalid-input action=invalid detail=routing: gate floor 7 is out of range 0..3'
  ]
] as const)('no request is sent when routing forbids it: %s (SESS-073)', async (_, options, floor, line) => {
  const fake = fakeSession(options)
  fake.setFloor(floor)
  fake.session.start()
  await fake.say('go')
  expect(fake.requests).toEqual([])
  expect(fake.outputs()).toEqual([line])
  expect(fake.session.state().lastTurn).toMatchObject({ outcome: 'failed' })
  expect(fake.session.state().history).toMatchObject([{ kind: 'user', text: 'go' }])
})

test('plan mode and override survive a handoff and a compaction (SESS-085)', async () => {
  const fake = fakeSession()
  await fill(fake, 4)
  await fake.say('/plan')
  await fake.say('/deep')
  fake.script(says('in short'))
  await fake.say('/compact')
  expect(fake.session.state()).toMatchObject({ planMode: true, deepOverride: true, model: 'deep' })
  fake.script(says('yes'))
  await fake.say('go')
  const { messages } = fake.requests.at(-1)!
  await fake.say('/fast')
  fake.script(says('no'))
  await fake.say('go')
  expect(messages[0]!.content).not.toBe(fake.requests.at(-1)!.messages[0]!.content)
})

test('a long turn behind a short one escalates without a summary of next to nothing', async () => {
  const fake = fakeSession({ routing: { ...routing, contextDepthThreshold: 2300 } })
  fake.session.start()
  for (const text of ['hi', 'a', 'b']) {
    fake.script(says('hello'))
    await fake.say(text)
  }
  fake.script(says('deep thought'))
  await fake.say('y'.repeat(9000))
  expect(models(fake)).toEqual(['fast', 'fast', 'fast', 'deep'])
  expect(fake.session.state().lastTurn).toMatchObject({ outcome: 'completed' })
})
