import { once } from 'node:events'
import { createServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createModelClient } from '../../../src/agent/stream/index.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import type { ModelOutcome, ModelReply } from '../../../src/protocol/model.ts'
import type { ToolSpec } from '../../../src/protocol/tool.ts'
import { type ClientUnderTest, clientFor } from '../../support/model-client.ts'
import { chunk, done, event, openStream, type WireServer, wireServer, write } from '../../support/wire-server.ts'

let server: WireServer
const clients: ClientUnderTest[] = []
const client = (over: Parameters<typeof clientFor>[1] = {}) => {
  const made = clientFor(server.endpoint, over)
  clients.push(made)
  return made
}

beforeEach(async () => {
  server = await wireServer()
})
afterEach(async () => {
  for (const made of clients.splice(0)) await made.close()
  await server.close()
})

const streaming = (text: string, headers = {}) => {
  server.answer = (response) => void openStream(response, headers).end(text)
}
const answering = (status: number, body: unknown, headers: Record<string, string> = {}) => {
  server.answer = (response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
}
function replyOf(outcome: ModelOutcome): ModelReply {
  if (outcome.kind !== 'reply') throw new Error(`no reply: ${outcome.failure.message}`)
  return outcome.reply
}
function failureOf(outcome: ModelOutcome) {
  if (outcome.kind !== 'failure') throw new Error('no failure')
  return outcome.failure
}
const hello = chunk({ content: 'hello' })
const usage = event({ choices: [], usage: { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 } })

describe('request', () => {
  const tools: ToolSpec[] = [
    { name: 'bash', description: 'runs', parameters: { type: 'object', properties: {}, required: [] } }
  ]

  test('MODEL-020, MODEL-021 address, headers and body', async () => {
    streaming(hello + done)
    const asked = clientFor(`${server.endpoint}//`, { key: 'k-1', model: { model: 'org/wire-name' } })
    clients.push(asked)
    await asked.ask({ tools })
    const [request] = server.seen
    expect(request?.path).toBe('/v1/chat/completions')
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      accept: 'text/event-stream',
      authorization: 'Bearer k-1'
    })
    expect(JSON.parse(request?.body ?? '')).toEqual({
      model: 'org/wire-name',
      messages: [{ role: 'user', content: 'hello' }],
      stream: true,
      tools: [
        {
          type: 'function',
          function: { name: 'bash', description: 'runs', parameters: { type: 'object', properties: {}, required: [] } }
        }
      ],
      stream_options: { include_usage: true }
    })
  })

  test.each([
    [{ model: 'wire' }, 'wire'],
    [{ model: null, dialect: 'GLM51' }, 'GLM51'],
    [{ model: null, dialect: null }, 'default']
  ])('MODEL-021 the wire model of %j is %s', async (model, name) => {
    streaming(done)
    await client({ model }).ask()
    expect(JSON.parse(server.seen[0]?.body ?? '').model).toBe(name)
  })

  test('MODEL-020, MODEL-021 without key no authorization, without tools no such field', async () => {
    streaming(done)
    await client().ask()
    expect(server.seen[0]?.headers).not.toHaveProperty('authorization')
    expect(JSON.parse(server.seen[0]?.body ?? '')).not.toHaveProperty('tools')
  })

  test('MODEL-065 the key is resolved for each request, of the model that is called', async () => {
    streaming(done)
    let round = 0
    const base = { endpoint: server.endpoint, dialect: null, family: 'glm', maxContext: 9, model: null } as const
    const rest = {
      apiKey: null,
      stampLabel: '',
      maxRequestBytes: 0,
      priceInput: null,
      priceOutput: null,
      priceCached: null
    }
    const made = createModelClient({
      models: { a: { name: 'a', ...base, ...rest }, b: { name: 'b', ...base, ...rest } },
      keyFor: ({ name }) => `${name}${++round}`,
      clock: systemClock(),
      log: () => undefined
    })
    for (const model of ['a', 'b', 'a']) {
      await made.request({ model, messages: [] }, new AbortController().signal, () => undefined)
    }
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer a1', 'Bearer b2', 'Bearer a3'])
    await made.close()
  })

  test('MODEL-027 a body over the limit is not sent', async () => {
    const failure = failureOf(await client({ model: { maxRequestBytes: 50 } }).ask())
    expect(server.seen).toHaveLength(0)
    expect(failure).toMatchObject({ contextTooLong: true, retryable: false })
    expect(failure.message).toMatch(/^request body of \d+ bytes exceeds max_request_bytes 50$/)
  })

  test('MODEL-021 refused stream_options are left out at once, and from then on', async () => {
    server.answer = (response, { body }) => {
      if (!body.includes('stream_options')) return void openStream(response).end(hello + done)
      response.writeHead(422).end('{"detail":[{"loc":["body","stream_options"],"msg":"extra fields not permitted"}]}')
    }
    const asked = client()
    expect(replyOf(await asked.ask()).content).toBe('hello')
    expect(replyOf(await asked.ask()).content).toBe('hello')
    expect(server.seen.map(({ body }) => body.includes('stream_options'))).toEqual([true, false, false])
    expect(asked.log).toHaveLength(1)
  })

  test('MODEL-021 a refusal that only mentions the field is told, and not remembered', async () => {
    answering(400, { error: { message: 'messages[3]: bad text "stream_options"' } })
    const asked = client()
    expect(failureOf(await asked.ask())).toMatchObject({ statusCode: 400, retryable: false })
    await asked.ask()
    expect(server.seen.map(({ body }) => body.includes('stream_options'))).toEqual([true, false, true, false])
  })

  test('MODEL-067 redirects are not followed, and the key goes nowhere else', async () => {
    const elsewhere = await wireServer()
    answering(307, '', { Location: `${elsewhere.endpoint}/chat/completions` })
    const failure = failureOf(await client({ key: 'k-1' }).ask())
    expect(failure).toMatchObject({ statusCode: 307, retryable: false })
    expect(elsewhere.seen).toHaveLength(0)
    await elsewhere.close()
  })
})

describe('response', () => {
  test('MODEL-034, MODEL-035 text as it arrives, usage in the last event', async () => {
    streaming(chunk({ reasoning_content: 'hm' }) + hello + chunk({ content: ' world' }, 'stop') + usage + done, {
      'X-Request-ID': 'req-1'
    })
    const asked = client()
    expect(await asked.ask()).toEqual({
      kind: 'reply',
      reply: {
        content: 'hello world',
        reasoningContent: 'hm',
        toolCalls: [],
        usage: { prompt: 11, completion: 5, total: 16 },
        finishReason: 'stop',
        partial: false,
        requestId: 'req-1'
      }
    })
    expect(asked.deltas.map(({ text }) => text)).toEqual(['hm', 'hello', ' world'])
  })

  test('MODEL-036 tool calls of indices 0 and 2, both of two events in one packet', async () => {
    const part = (index: number, text: string) =>
      chunk({ tool_calls: [{ index, id: `c${index}`, function: { name: 'bash', arguments: text } }] })
    server.answer = async (response) => {
      openStream(response)
      await write(response, part(2, '{"a"') + part(0, '{}'))
      response.end(part(2, ':1}') + chunk({}, 'tool_calls') + done)
    }
    expect(replyOf(await client().ask())).toMatchObject({
      toolCalls: [
        { id: 'c0', name: 'bash', arguments: '{}' },
        { id: 'c2', name: 'bash', arguments: '{"a":1}' }
      ],
      finishReason: 'tool_calls',
      partial: false
    })
  })

  test('MODEL-031 a code point in two packets', async () => {
    const bytes = Buffer.from(chunk({ content: 'grüße 😀' }))
    server.answer = async (response) => {
      openStream(response)
      for (const byte of bytes) await write(response, Uint8Array.of(byte))
      response.end(done)
    }
    expect(replyOf(await client().ask()).content).toBe('grüße 😀')
  })

  test('MODEL-032 an event that is no JSON object is skipped and logged', async () => {
    streaming(`data: {"choices\n\ndata: 7\n\n: ping\n\n${hello}${done}`)
    const asked = client()
    expect(replyOf(await asked.ask())).toMatchObject({ content: 'hello', partial: false })
    expect(asked.log).toHaveLength(2)
  })

  test('MODEL-031 what follows [DONE] does not count', async () => {
    streaming(hello + done + hello)
    expect(replyOf(await client().ask()).content).toBe('hello')
  })

  test('MODEL-031 a server that never hangs up after [DONE] is not waited for', async () => {
    server.answer = (response) => void openStream(response).write(hello + done)
    expect(replyOf(await client().ask())).toMatchObject({ content: 'hello', partial: false })
  })

  test('MODEL-028 one JSON object instead of a stream', async () => {
    answering(200, {
      choices: [
        {
          message: {
            content: 'hello',
            reasoning_content: 'hm',
            tool_calls: [{ id: 'c1', type: 'function', function: { name: 'bash', arguments: '{}' } }]
          },
          finish_reason: 'tool_calls'
        }
      ],
      usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 }
    })
    const asked = client()
    expect(replyOf(await asked.ask())).toMatchObject({
      content: 'hello',
      reasoningContent: 'hm',
      toolCalls: [{ id: 'c1', name: 'bash', arguments: '{}' }],
      usage: { prompt: 1, completion: 2, total: 3 },
      partial: false
    })
    expect(asked.deltas).toHaveLength(2)
  })

  test('MODEL-074 tool calls of an unknown shape are handed on to be refused', async () => {
    streaming(chunk({ tool_calls: { bash: {} } }) + chunk({}, 'tool_calls') + done)
    expect(replyOf(await client().ask())).toMatchObject({ toolCalls: [], malformedToolCalls: '{"bash":{}}' })
  })
})

describe('MODEL-040 how a stream ends', () => {
  const cases: [string, string, Partial<ModelReply> | 'retryable'][] = [
    ['[DONE] alone', done, { content: '', partial: false }],
    ['[DONE] without finish_reason', hello + done, { content: 'hello', partial: false }],
    ['end after a finish_reason', hello + chunk({}, 'stop'), { content: 'hello', partial: false }],
    ['end without either', hello, { content: 'hello', partial: true, toolCalls: [] }],
    ['end inside an event', `${hello}data: {"choices":[{"del`, { content: 'hello', partial: true }],
    ['end after an event without its blank line', hello.trimEnd(), { content: 'hello', partial: true }],
    ['reasoning only', chunk({ reasoning: 'hm' }), { content: '', reasoningContent: 'hm', partial: true }],
    ['nothing', '', 'retryable'],
    ['a role and nothing else', chunk({ role: 'assistant', content: '' }), 'retryable'],
    ['comments only', ': ping\n\n', 'retryable']
  ]

  function check(outcome: ModelOutcome, expected: Partial<ModelReply> | 'retryable') {
    if (expected !== 'retryable') return expect(replyOf(outcome)).toMatchObject(expected)
    return expect(failureOf(outcome)).toMatchObject({ code: 'stream-failed', retryable: true, contextTooLong: false })
  }

  test.each(cases)('%s, orderly', async (_name, text, expected) => {
    streaming(text)
    check(await client().ask(), expected)
  })

  test.each(cases)('%s, cut off', async (_name, text, expected) => {
    server.answer = async (response) => {
      openStream(response)
      if (text !== '') await write(response, text)
      response.destroy()
    }
    check(await client().ask(), expected)
  })

  test('MODEL-040 output that arrives together with the break is kept', async () => {
    const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n'
    const cut = createServer((socket) => {
      socket.once('data', () => socket.end(`${head}${hello.length.toString(16)}\r\n${hello}\r\n`))
    }).listen(0, '127.0.0.1')
    await once(cut, 'listening')
    const asked = clientFor(`http://127.0.0.1:${(cut.address() as { port: number }).port}`)
    for (let n = 0; n < 20; n += 1)
      expect(replyOf(await asked.ask())).toMatchObject({ content: 'hello', partial: true })
    await asked.close()
    cut.close()
  })

  test('MODEL-042 half a tool call is no call', async () => {
    streaming(hello + chunk({ tool_calls: [{ index: 0, id: 'c', function: { name: 'bash', arguments: '{"comm' } }] }))
    expect(replyOf(await client().ask())).toMatchObject({ content: 'hello', partial: true, toolCalls: [] })
  })

  test('MODEL-040 after 200 tokens the text is kept', async () => {
    server.answer = async (response) => {
      openStream(response)
      for (let n = 0; n < 200; n += 1) await write(response, chunk({ content: 't ' }))
      response.destroy()
    }
    expect(replyOf(await client().ask())).toMatchObject({ content: 't '.repeat(200), partial: true })
  })

  test('an abort before any output is an interruption, after some a partial reply', async () => {
    const asked = client()
    const early = new AbortController()
    server.answer = () => early.abort()
    expect(failureOf(await asked.ask({}, early.signal))).toMatchObject({ code: 'interrupted', retryable: false })

    const late = new AbortController()
    server.answer = (response) => void openStream(response).write(hello)
    const pending = asked.request({ model: 'm', messages: [] }, late.signal, () => late.abort())
    expect(replyOf(await pending)).toMatchObject({ content: 'hello', partial: true })

    expect(failureOf(await asked.ask({}, AbortSignal.abort()))).toMatchObject({ code: 'interrupted' })
    expect(server.seen).toHaveLength(2)
  })

  test('an abort ends the connection', async () => {
    const stop = new AbortController()
    const closed = new Promise<void>((resolve) => {
      server.answer = (response) => {
        response.on('close', resolve)
        openStream(response).write(hello)
      }
    })
    const outcome = await client().request({ model: 'm', messages: [] }, stop.signal, () => stop.abort())
    expect(outcome).toMatchObject({ kind: 'reply', reply: { partial: true } })
    await closed
  })
})

describe('MODEL-039 time limits', () => {
  test('no headers', async () => {
    server.answer = () => undefined
    expect(failureOf(await client({ limits: { headersMs: 60 } }).ask())).toMatchObject({
      code: 'stream-failed',
      retryable: true,
      message: 'no response within 0.06 s'
    })
  })

  test('headers and then nothing', async () => {
    server.answer = (response) => void openStream(response)
    expect(failureOf(await client({ limits: { headersMs: 60 } }).ask())).toMatchObject({ retryable: true })
  })

  test('comments are no events: after output the reply is partial', async () => {
    server.answer = (response) => {
      openStream(response).write(hello)
      const ping = setInterval(() => response.write(': ping\n\n'), 10)
      response.on('close', () => clearInterval(ping))
    }
    expect(replyOf(await client({ limits: { gapMs: 80 } }).ask())).toMatchObject({ content: 'hello', partial: true })
  })

  test('a role, then nothing: no output, so worth a retry', async () => {
    server.answer = (response) => void openStream(response).write(chunk({ role: 'assistant' }))
    expect(failureOf(await client({ limits: { gapMs: 60 } }).ask())).toMatchObject({
      retryable: true,
      message: 'no event for 0.06 s'
    })
  })

  test('a handshake that does not happen', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as { port: number }
    const asked = clientFor(`https://127.0.0.1:${port}`, { limits: { connectMs: 100 } })
    const failure = failureOf(await asked.ask())
    expect(failure).toMatchObject({ code: 'stream-failed', retryable: true, statusCode: null })
    await asked.close()
    silent.close()
  })
})

describe('MODEL-050 errors', () => {
  test('nobody listens', async () => {
    await server.close()
    expect(failureOf(await client().ask())).toMatchObject({
      retryable: true,
      message: expect.stringContaining('ECONNREFUSED')
    })
    server = await wireServer()
  })

  test('a reset before the headers', async () => {
    server.answer = (response) => void response.destroy()
    expect(failureOf(await client().ask())).toMatchObject({ code: 'stream-failed', retryable: true })
  })

  test('bytes that are no HTTP', async () => {
    const rude = createServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n')).listen(0, '127.0.0.1')
    await once(rude, 'listening')
    const asked = clientFor(`http://127.0.0.1:${(rude.address() as { port: number }).port}`)
    expect(failureOf(await asked.ask())).toMatchObject({ code: 'stream-failed', retryable: true })
    await asked.close()
    rude.close()
  })

  test('a 401 that echoes the key: neither message nor log has it', async () => {
    const key = 'sentinel-9d1c-key'
    for (const status of [401, 403]) {
      answering(status, { error: { message: `key ${key} is wrong` } }, { 'X-Request-ID': 'abc.1:2' })
      const asked = client({ key })
      const failure = failureOf(await asked.ask())
      expect(failure).toEqual({
        code: 'auth-failed',
        message: 'authentication failed (request-id=abc.1:2)',
        statusCode: status,
        retryable: false,
        retryAfterSeconds: null,
        contextTooLong: false,
        requestId: 'abc.1:2'
      })
      expect(JSON.stringify([failure, asked.log])).not.toContain('sentinel')
    }
  })

  test('a content-encoding that is the key is not told (MODEL-066)', async () => {
    const key = 'Sentinel-9D1C-Key'
    answering(200, '', { 'Content-Encoding': key })
    expect(failureOf(await client({ key }).ask()).message).toContain('content-encoding <redacted>,')
  })

  test.each([
    ['the key', 'sentinel-9d1c-key', 'sentinel-9d1c-key'],
    ['a key among other things', 'sentinel-9d1c-key', 'req:sentinel-9d1c-key:1'],
    ['a key longer than what is shown', 'sentinel-'.repeat(10), 'sentinel-'.repeat(10)]
  ])('a request id that is %s is not told (MODEL-066)', async (_, key, sent) => {
    for (const status of [401, 500]) {
      answering(status, '', { 'X-Request-ID': sent })
      const failure = failureOf(await client({ key }).ask())
      expect(failure.requestId).toBeNull()
      expect(JSON.stringify(failure)).not.toContain('sentinel')
    }
  })

  test.each([
    ['a', 'a'],
    ['x'.repeat(80), 'x'.repeat(64)],
    ['two words', null],
    ['"quoted"', null]
  ])('a request id of %s is told as %s', async (sent, told) => {
    answering(401, '', { 'X-Request-ID': sent })
    expect(failureOf(await client().ask()).requestId).toBe(told)
  })

  test.each([400, 404, 429, 500, 503])('MODEL-052 a %i that echoes the key does not pass it on', async (status) => {
    const key = 'sentinel-9d1c-key'
    for (const body of [{ error: { message: `no ${key}` } }, `no ${key}, authorization:${key}`]) {
      answering(status, body)
      const asked = client({ key })
      const failure = failureOf(await asked.ask())
      expect(failure.message).toContain('<redacted>')
      expect(JSON.stringify([failure, asked.log])).not.toContain('sentinel')
    }
  })

  test('MODEL-054 Retry-After in seconds or as a date', async () => {
    answering(429, '', { 'Retry-After': '5' })
    expect(failureOf(await client().ask())).toMatchObject({
      code: 'rate-limited',
      retryable: true,
      retryAfterSeconds: 5
    })
    answering(429, '', { 'Retry-After': new Date(Date.now() + 90_000).toUTCString() })
    const { retryAfterSeconds } = failureOf(await client().ask())
    expect(retryAfterSeconds).toBeGreaterThan(80)
    expect(retryAfterSeconds).toBeLessThanOrEqual(90)
    answering(429, '', { 'Retry-After': 'soon' })
    expect(failureOf(await client().ask())).toMatchObject({ retryAfterSeconds: null })
  })

  test('MODEL-033 an error object instead of the first event', async () => {
    streaming(event({ error: { message: 'This model has a maximum context length of 9', code: 400 } }) + done)
    expect(failureOf(await client().ask())).toMatchObject({ contextTooLong: true, retryable: false, statusCode: 400 })
    streaming(event({ error: { message: 'slow down', code: '429' } }))
    expect(failureOf(await client().ask())).toMatchObject({ code: 'rate-limited', message: 'slow down' })
    streaming(event({ error: 'engine died' }) + done)
    expect(failureOf(await client().ask())).toMatchObject({ retryable: true, statusCode: null, message: 'engine died' })
  })

  test('MODEL-033 a 200 with an error object', async () => {
    answering(200, { error: { message: 'no such model', code: 404 } })
    expect(failureOf(await client().ask())).toMatchObject({
      retryable: false,
      statusCode: 404,
      message: 'no such model'
    })
  })

  test('MODEL-033 an error after output leaves the output', async () => {
    streaming(hello + event({ error: { message: 'engine died' } }) + done)
    const asked = client()
    expect(replyOf(await asked.ask())).toMatchObject({ content: 'hello', partial: true })
    expect(asked.log.join()).toContain('engine died')
  })

  test('a web page with status 200 is no completion', async () => {
    server.answer = (response) => {
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end('<html>Sign in</html>')
    }
    expect(failureOf(await client().ask())).toMatchObject({ retryable: false, statusCode: 200 })
  })

  test('compressed answers, which nobody asked for, are told as such and not read', async () => {
    const zipped = gzipSync(hello + done)
    server.answer = (response) => void openStream(response, { 'Content-Encoding': 'gzip' }).end(zipped)
    expect(failureOf(await client().ask())).toMatchObject({
      message: 'the endpoint answers in content-encoding gzip, which was not asked for; turn compression off',
      retryable: false
    })
    server.answer = (response) => void response.writeHead(503, { 'Content-Encoding': 'br' }).end(zipped)
    expect(failureOf(await client().ask())).toMatchObject({ message: 'HTTP 503', retryable: true })
    streaming(hello + done, { 'Content-Encoding': 'identity' })
    expect(replyOf(await client().ask()).content).toBe('hello')
  })

  test('JSON that is none, or says nothing, is worth a retry', async () => {
    for (const body of ['{"choices": [', '{}', '[]']) {
      answering(200, body)
      expect(failureOf(await client().ask())).toMatchObject({ code: 'stream-failed', retryable: true })
    }
  })

  test('an error body without end is not read to its end', async () => {
    server.answer = (response) => {
      response.writeHead(503)
      const flood = () => {
        while (!response.destroyed && response.write('x'.repeat(64 * 1024)));
      }
      response.on('drain', flood)
      flood()
    }
    const failure = failureOf(await client().ask())
    expect(failure).toMatchObject({ statusCode: 503, retryable: true })
    expect(failure.message.length).toBeLessThanOrEqual(2048)
  })
})

describe('MODEL-037 limits of size', () => {
  test('a line without end stops the reading, before and after output', async () => {
    for (const start of ['', hello]) {
      let written = 0
      const closed = new Promise<void>((resolve) => {
        server.answer = (response) => {
          openStream(response).write(start)
          const flood = () => {
            while (!response.destroyed && response.write('x'.repeat(64 * 1024))) written += 64 * 1024
          }
          response.on('drain', flood)
          response.on('close', resolve)
          flood()
        }
      })
      const failure = failureOf(await client().ask())
      expect(failure).toMatchObject({ retryable: false, message: 'stream line exceeds cap' })
      await closed
      expect(written).toBeLessThan(64 * 1024 * 1024)
    }
  })

  test('arguments beyond their limit', async () => {
    const half = 'x'.repeat(600 * 1024)
    const part = chunk({ tool_calls: [{ index: 0, id: 'c', function: { name: 'bash', arguments: half } }] })
    streaming(part + part + done)
    expect(failureOf(await client().ask())).toMatchObject({
      retryable: false,
      message: 'tool call arguments exceed cap'
    })
  })
})

test('connections are used again, and closing leaves none', async () => {
  streaming(hello + chunk({}, 'stop') + done)
  const asked = client()
  const ports = new Set<number | undefined>()
  const plain = server.answer
  server.answer = (response, request) => {
    ports.add(response.socket?.remotePort)
    return plain(response, request)
  }
  for (let n = 0; n < 5; n += 1) expect(replyOf(await asked.ask()).partial).toBe(false)
  expect(ports.size).toBeLessThan(5)
})
