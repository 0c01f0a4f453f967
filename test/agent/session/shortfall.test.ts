import { expect, test } from 'vitest'
import { calls, fakeSession, says } from '../../support/session.ts'

const filter = { finishReason: 'content_filter' }

test.each([
  ['nothing at all', says(''), 'the model answered with nothing'],
  ['white space', says(' \n\n'), 'the model answered with nothing'],
  ['reasoning alone', says('', { reasoningContent: 'hm' }), 'the model reasoned, but answered with nothing'],
  ['what a filter let through', says('I was', filter), "response cut off by the endpoint's content filter"],
  ['what a filter kept back', says('', filter), "answer withheld by the endpoint's content filter"],
  [
    'reasoning up to the limit',
    says('', { reasoningContent: 'hm', finishReason: 'length' }),
    "response cut off at the model's output limit"
  ]
])('%s ends the turn with one line that says so (SESS-011, MODEL-043)', async (_, turnout, text) => {
  const fake = fakeSession()
  fake.session.start()
  fake.script(turnout)
  await fake.say('go')
  expect(fake.notices().filter((line) => line.startsWith('⚠'))).toEqual([`⚠ ${text}`])
  expect(fake.session.state()).toMatchObject({ held: false, lastTurn: { outcome: 'completed' } })
})

test('a reply of tool calls alone, or a whole one, is short of nothing', async () => {
  const fake = fakeSession()
  fake.session.start()
  fake.script(calls(['a', 'bash']), says('done'))
  await fake.say('go')
  expect(fake.notices().filter((line) => line.startsWith('⚠'))).toEqual([])
})

test.each([
  ['cut off', says('half of', { finishReason: 'length' }), "half of\n\n[response cut off at the model's output limit]"],
  ['empty', says(''), '[the model answered with nothing]']
])('the parent reads that the answer of its sub-agent is %s (CTX-087, MODEL-043)', async (_, turnout, text) => {
  const fake = fakeSession()
  fake.session.start()
  fake.script(calls(['a', 'agent', { task: 'look' }]), turnout, says('seen'))
  await fake.say('go')
  expect(fake.spoken(2).at(-1)).toBe(`tool: ${text}`)
})
