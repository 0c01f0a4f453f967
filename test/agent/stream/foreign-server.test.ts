import { LLMock } from '@copilotkit/aimock'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dialectFor, newReplyReader, readReply } from '../../../src/agent/dialects/index.ts'
import type { AssistantEntry, ContextEntry } from '../../../src/protocol/entry.ts'
import { dialectFamilies, type ModelOutcome, type ModelReply } from '../../../src/protocol/model.ts'
import { assistant, call, note, tool, user } from '../../support/entries.ts'
import { type ClientUnderTest, clientFor } from '../../support/model-client.ts'

// The client against a server that somebody else wrote, with the dialects at both ends of the exchange.

const mock = new LLMock({ port: 0 })
let client: ClientUnderTest

beforeAll(async () => {
  await mock.start()
})
afterAll(() => mock.stop())
beforeEach(() => {
  client = clientFor(`${mock.url}/v1`, { key: 'mock' })
})
afterEach(async () => {
  await client.close()
  mock.clearChaos().clearFixtures()
  mock.clearRequests()
})

function replyOf(outcome: ModelOutcome): ModelReply {
  if (outcome.kind !== 'reply') throw new Error(`no reply: ${outcome.failure.message}`)
  return outcome.reply
}
const bodies = () => mock.getRequests().map(({ body }) => body as unknown as Record<string, unknown>)

describe('streaming', () => {
  test('MODEL-035 reasoning and text in many pieces, usage at the end', async () => {
    const content = 'Größe matters: 日本語 and 😀, '.repeat(20)
    mock.onMessage('hello', { content, reasoning: 'think first' }, { chunkSize: 3 })
    const reply = replyOf(await client.ask())
    expect(reply).toMatchObject({ content, reasoningContent: 'think first', finishReason: 'stop', partial: false })
    expect(reply.usage?.prompt).toBeGreaterThan(0)
    expect(reply.requestId).toMatch(/^req-/)
    expect(client.deltas.length).toBeGreaterThan(100)
  })

  test('MODEL-036 text and two tool calls', async () => {
    mock.onMessage(
      'hello',
      {
        content: 'I look.',
        toolCalls: [
          { id: 'c1', name: 'bash', arguments: '{"command":"ls -la"}' },
          { id: 'c2', name: 'grep', arguments: '{"pattern":"größe"}' }
        ]
      },
      { chunkSize: 2 }
    )
    expect(replyOf(await client.ask())).toMatchObject({
      content: 'I look.',
      toolCalls: [
        { id: 'c1', name: 'bash', arguments: '{"command":"ls -la"}' },
        { id: 'c2', name: 'grep', arguments: '{"pattern":"größe"}' }
      ],
      finishReason: 'tool_calls'
    })
  })

  test('MODEL-043 a reply cut at the output limit is complete and says so', async () => {
    mock.onMessage('hello', { content: 'as far as', finishReason: 'length' })
    expect(replyOf(await client.ask())).toMatchObject({ content: 'as far as', finishReason: 'length', partial: false })
  })

  test('MODEL-040 a stream that stops after some chunks is partial', async () => {
    mock.onMessage(
      'hello',
      { content: 'one two three four five six' },
      { chunkSize: 4, truncateAfterChunks: 4, latency: 5 }
    )
    const reply = replyOf(await client.ask())
    expect(reply.partial).toBe(true)
    expect('one two three four five six').toContain(reply.content)
    expect(reply.content).not.toBe('')
  })
})

describe('chaos', () => {
  beforeEach(() => {
    mock.onMessage('hello', { content: 'hi' })
  })

  test.each([
    ['dropped requests', { dropRate: 1 }, 500],
    ['malformed bodies', { malformedRate: 1 }, null],
    ['lost connections', { disconnectRate: 1 }, null]
  ])('MODEL-050 %s are worth a retry', async (_name, chaos, statusCode) => {
    mock.setChaos(chaos)
    expect(await client.ask()).toMatchObject({
      kind: 'failure',
      failure: { code: 'stream-failed', retryable: true, statusCode }
    })
  })

  test('MODEL-054 a rate limit with its wait', async () => {
    mock.setChaos({ rateLimitRate: 1 })
    expect(await client.ask()).toMatchObject({
      kind: 'failure',
      failure: { code: 'rate-limited', statusCode: 429, retryAfterSeconds: 1, retryable: true }
    })
  })

  test.each([
    [401, { message: 'bad key mock' }, { code: 'auth-failed', retryable: false }],
    [400, { message: 'x', code: 'context_length_exceeded' }, { contextTooLong: true, retryable: false }],
    [404, { message: 'no such model' }, { code: 'stream-failed', retryable: false, message: 'no such model' }],
    [503, { message: 'overloaded' }, { code: 'stream-failed', retryable: true, message: 'overloaded' }]
  ])('MODEL-050 an error %i once, then all is well', async (status, error, expected) => {
    mock.nextRequestError(status, error)
    expect(await client.ask()).toMatchObject({ kind: 'failure', failure: { statusCode: status, ...expected } })
    expect(replyOf(await client.ask()).content).toBe('hi')
  })

  test('whatever fails in whatever order, no attempt rejects and none hangs', async () => {
    mock.setChaos({ dropRate: 0.2, malformedRate: 0.2, rateLimitRate: 0.2, disconnectRate: 0.3 })
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => client.ask()))
    for (const outcome of outcomes) {
      if (outcome.kind === 'failure') expect(outcome.failure.retryable).toBe(true)
      else expect(outcome.reply).toMatchObject({ content: 'hi', partial: false })
    }
  })
})

describe.each(dialectFamilies)('%s on the wire', (family) => {
  const dialect = dialectFor(family)
  const id = family === 'kimi' ? 'functions.read_file:0' : 'c-1'
  const made = { ...call(id, 'read_file', { path: 'a.ts' }) }
  const answered: AssistantEntry = {
    ...assistant('a1', { text: '', calls: [made] }),
    family,
    reasoning: 'because'
  }
  const history: ContextEntry[] = [
    note('n1', 'summary', 'story'),
    user('u1', 'look at it'),
    answered,
    tool('t1', 'a1', made, { text: 'content of a.ts' }),
    user('u2', 'and now?')
  ]

  test('MODEL-022…025 the request is what the tables say', async () => {
    mock.onMessage('and now?', { content: 'fine' })
    const { messages, repairs } = dialect.buildMessages(history, 'PROMPT')
    await client.ask({ messages })
    expect(repairs).toBe(0)
    expect(bodies()[0]?.messages).toEqual([
      { role: 'system', content: 'PROMPT\n\n## Summary of the conversation so far\n\nstory' },
      { role: 'user', content: 'look at it' },
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'because',
        tool_calls: [{ id, type: 'function', function: { name: 'read_file', arguments: '{"path":"a.ts"}' } }]
      },
      { role: 'tool', content: 'content of a.ts', tool_call_id: id, name: 'read_file' },
      { role: 'user', content: 'and now?' }
    ])
  })

  test('two turns: reasoning and id of the first come back in the second request', async () => {
    mock.onToolResult(id, { content: 'done' })
    mock.onMessage('first', {
      content: '',
      reasoning: 'so that',
      toolCalls: [{ id, name: 'bash', arguments: '{"command":"ls"}' }]
    })
    const origin = { turn: 1, callsSoFar: 0 }
    const opening: ContextEntry[] = [user('u1', 'first')]
    const reader = newReplyReader(dialect, origin)
    const first = replyOf(
      await client.request(
        { model: 'm', messages: dialect.buildMessages(opening, 'P').messages },
        new AbortController().signal,
        (delta) => void reader.feed(delta)
      )
    )
    const { text, reasoning, calls, refusal } = reader.finish(first)
    expect({ text, reasoning, refusal, ids: calls.map((one) => one.id) }).toEqual({
      text: '',
      reasoning: 'so that',
      refusal: null,
      ids: [id]
    })
    const entry: AssistantEntry = { ...assistant('a1', { text, calls: [...calls] }), family, reasoning }

    const entries = [...opening, entry, tool('t1', 'a1', calls[0]!, { text: 'a b c' })]
    const second = replyOf(await client.ask({ messages: dialect.buildMessages(entries, 'P').messages }))
    expect(second.content).toBe('done')
    expect((bodies()[1]!.messages as object[]).slice(2)).toEqual([
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'so that',
        tool_calls: [{ id, type: 'function', function: { name: 'bash', arguments: '{"command":"ls"}' } }]
      },
      { role: 'tool', content: 'a b c', tool_call_id: id, name: 'bash' }
    ])
  })
})

test('MODEL-074 kimi refuses an id made up by the server, and nothing runs', async () => {
  const uuid = '3f0e7c1a-8a55-4f0b-9c7e-5d0a0c3b2f11'
  mock.onMessage('hello', { content: 'text', toolCalls: [{ id: uuid, name: 'bash', arguments: '{}' }] })
  const finished = readReply(dialectFor('kimi'), { turn: 1, callsSoFar: 0 }, replyOf(await client.ask()))
  expect(finished).toMatchObject({ text: 'text', calls: [], refusal: { code: 'parse-refused', offending: uuid } })
})
