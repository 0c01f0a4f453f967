import { expect, test } from 'vitest'
import { type ChatRequest, chatRequest } from '../../src/demo/script.ts'
import { objection } from '../../src/demo/strict.ts'

const system = { role: 'system', content: 's' }
const user = { role: 'user', content: 'u' }
const call = (id: string, args = '{}') => ({ id, type: 'function', function: { name: 'bash', arguments: args } })
const asks = (...ids: string[]) => ({ role: 'assistant', content: null, tool_calls: ids.map((id) => call(id)) })
const result = (id: string) => ({ role: 'tool', tool_call_id: id, name: 'bash', content: 'r' })

const request = (messages: object[], model = 'scripted-fast'): ChatRequest => chatRequest.parse({ model, messages })

test.each([
  ['a question', [system, user]],
  ['calls with their results in order', [system, user, asks('a', 'b'), result('a'), result('b'), user]],
  ['an empty answer', [system, user, { role: 'assistant', content: '' }, user]]
])('accepts %s', (_, messages) => {
  expect(objection(request(messages))).toBeNull()
})

test.each([
  ['no system message', [user], 'the first message must be the system message'],
  ['a later system message', [system, user, system], 'messages[2]: a second system message'],
  ['a missing result', [system, user, asks('a')], 'the result of a is missing'],
  [
    'a result out of order',
    [system, user, asks('a', 'b'), result('b'), result('a')],
    'messages[3]: the result of b where that of a is due'
  ],
  ['a result nobody asked for', [system, user, result('a')], 'messages[2]: a tool message without a call'],
  [
    'talk between call and result',
    [system, user, asks('a'), user],
    'messages[3]: user message while the result of a is due'
  ],
  [
    'arguments that are not JSON',
    [system, user, { role: 'assistant', content: null, tool_calls: [call('a', '{')] }, result('a')],
    'messages[2]: arguments of a are not JSON'
  ],
  [
    'an assistant message with nothing in it',
    [system, user, { role: 'assistant', content: null }],
    'messages[2]: an assistant message with nothing in it'
  ]
])('refuses %s (MODEL-022, MODEL-025, MODEL-026)', (_, messages, complaint) => {
  expect(objection(request(messages))).toBe(complaint)
})

test('refuses foreign ids for kimi models, and only for them (MODEL-029)', () => {
  const foreign = [system, user, asks('call_1'), result('call_1')]
  const own = [system, user, asks('functions.bash:0'), result('functions.bash:0')]
  expect(objection(request(foreign, 'moonshotai/Kimi-K2.6'))).toBe('messages[2]: id call_1 is not functions.<name>:<n>')
  expect(objection(request(own, 'kimi-k2'))).toBeNull()
  expect(objection(request(foreign, 'kimi-for-coding'))).toBeNull()
})
