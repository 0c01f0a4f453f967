import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { afterEach, describe, expect, test } from 'vitest'
import { type Endpoint, EndpointUnavailable, type ReceivedRequest, startEndpoint } from '../../src/demo/endpoint.ts'
import { defaultScript } from '../../src/demo/scenes/index.ts'
import { prose } from '../../src/demo/scenes/load.ts'

const tools = ['bash', 'read_file', 'glob', 'edit_file', 'git', 'agent'].map((name) => ({
  type: 'function',
  function: { name, description: '', parameters: {} }
}))
const system = { role: 'system', content: 'You are a coding assistant.' }

type Delta = {
  content?: string
  reasoning_content?: string
  tool_calls?: { index: number; id?: string; function: { name?: string; arguments: string } }[]
}
type Chunk = {
  choices: { delta: Delta; finish_reason: string | null }[]
  usage?: { completion_tokens: number }
  error?: { message: string }
}

let endpoint: Endpoint | undefined
afterEach(async () => {
  await endpoint?.close()
  endpoint = undefined
})

async function post(body: object, options: RequestInit = {}): Promise<Response> {
  return await fetch(`${endpoint?.url}/chat/completions`, { method: 'POST', body: JSON.stringify(body), ...options })
}

/** The data of every event until the stream ends; `broken` when the connection did. */
async function events(response: Response): Promise<{ data: string[]; broken: boolean }> {
  const data: string[] = []
  const stream = response.body!.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
  try {
    for await (const event of stream) data.push(event.data)
  } catch {
    return { data, broken: true } // The outcome under test.
  }
  return { data, broken: false }
}

const chunksOf = (data: readonly string[]) =>
  data.filter((each) => each !== '[DONE]').map((each) => JSON.parse(each) as Chunk)
const textOf = (data: readonly string[]) =>
  chunksOf(data)
    .map((chunk) => chunk.choices[0]?.delta.content ?? '')
    .join('')

async function ask(said: string, more: object = {}): Promise<{ data: string[]; broken: boolean }> {
  const messages = [system, { role: 'user', content: said }]
  return await events(await post({ model: 'scripted-fast', stream: true, tools, messages, ...more }))
}

describe('the scripted endpoint (CLI-035)', () => {
  test('says in its list of models that they are scripted', async () => {
    endpoint = await startEndpoint({ script: defaultScript })
    const { data } = (await (await fetch(`${endpoint.url}/models`)).json()) as { data: { id: string }[] }
    expect(data.map((each) => each.id)).toEqual(['scripted-fast', 'scripted-deep'])
  })

  test('streams exactly the tokens asked for, then the finish reason, the usage and [DONE]', async () => {
    endpoint = await startEndpoint({ script: defaultScript })
    const { data } = await ask('bench 700 0', { stream_options: { include_usage: true } })
    expect(data.at(-1)).toBe('[DONE]')
    const chunks = chunksOf(data)
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop')
    expect(chunks.at(-1)?.usage?.completion_tokens).toBe(700)
    expect(textOf(data)).toBe([...prose(700)].join(''))
  })

  test('sends no usage that was not asked for', async () => {
    endpoint = await startEndpoint({ script: defaultScript })
    const { data } = await ask('bench 3 0')
    expect(chunksOf(data).some((chunk) => chunk.usage !== undefined)).toBe(false)
  })

  test('keeps the pace on average', async () => {
    endpoint = await startEndpoint({ script: defaultScript })
    const start = performance.now()
    await ask('bench 100 500')
    const took = performance.now() - start
    expect(took).toBeGreaterThanOrEqual(195)
  })

  test('streams a tool call in pieces and answers its result', async () => {
    endpoint = await startEndpoint({ script: defaultScript })
    const said = 'call bash {"command":"pwd"}'
    const { data } = await ask(said)
    const calls = chunksOf(data).flatMap((chunk) => chunk.choices[0]?.delta.tool_calls ?? [])
    expect(calls[0]).toMatchObject({ index: 0, id: 'call_1', function: { name: 'bash' } })
    expect(calls.map((call) => call.function.arguments).join('')).toBe('{"command":"pwd"}')
    expect(calls.length).toBeGreaterThan(2)

    const call = { id: 'call_1', type: 'function', function: { name: 'bash', arguments: '{"command":"pwd"}' } }
    const messages = [
      system,
      { role: 'user', content: said },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', name: 'bash', content: '/somewhere' }
    ]
    expect(textOf((await ask('', { messages })).data)).toContain('/somewhere')
  })

  test('numbers the calls of kimi models the way that family does (MODEL-029)', async () => {
    endpoint = await startEndpoint({ script: defaultScript })
    const { data } = await ask('call bash {"command":"pwd"}', { model: 'moonshotai/Kimi-K2.6' })
    const ids = chunksOf(data).flatMap((chunk) => chunk.choices[0]?.delta.tool_calls?.[0]?.id ?? [])
    expect(ids).toEqual(['functions.bash:0'])
  })

  test('sends reasoning in its own channel', async () => {
    endpoint = await startEndpoint({ script: defaultScript })
    const { data } = await ask('think 50 0')
    const reasoning = chunksOf(data).filter((chunk) => chunk.choices[0]?.delta.reasoning_content !== undefined)
    expect(reasoning).toHaveLength(50)
  })

  test('answers a request without stream as one object (MODEL-028)', async () => {
    endpoint = await startEndpoint({ script: defaultScript })
    const messages = [system, { role: 'user', content: 'bench 40 0' }]
    const body = (await (await post({ model: 'x', tools, messages })).json()) as {
      choices: { message: { content: string }; finish_reason: string }[]
    }
    expect(body.choices[0]?.message.content).toBe([...prose(40)].join(''))
    expect(body.choices[0]?.finish_reason).toBe('stop')
  })

  test.each([
    ['fail cut 20', { tokens: 20, broken: true, done: false }],
    ['fail error 20', { tokens: 20, broken: false, done: false }],
    ['fail length', { tokens: 200, broken: false, done: true }]
  ])('%s ends as it says', async (said, expected) => {
    endpoint = await startEndpoint({ script: defaultScript })
    const { data, broken } = await ask(said)
    const chunks = chunksOf(data).filter((chunk) => chunk.error === undefined)
    const tokens = chunks.filter((chunk) => (chunk.choices[0]?.delta.content ?? '') !== '').length
    expect({ tokens, broken, done: data.at(-1) === '[DONE]' }).toEqual(expected)
    if (said.includes('error')) expect(chunksOf(data).at(-1)?.error?.message).toContain('failed as asked')
    if (said.includes('length')) expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('length')
  })

  test('fail silence keeps the connection and says nothing more, until the reader leaves', async () => {
    endpoint = await startEndpoint({ script: defaultScript })
    const leave = new AbortController()
    const messages = [system, { role: 'user', content: 'fail silence 5' }]
    const response = await post({ model: 'x', stream: true, tools, messages }, { signal: leave.signal })
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while ((text.match(/"content":"[^"]/g) ?? []).length < 5) text += (await reader.read()).value ?? ''
    const next = reader.read()
    leave.abort()
    await expect(next).rejects.toThrow()
    expect(text).not.toContain('[DONE]')
  })

  test('fail status answers with that status and the shape of an error', async () => {
    endpoint = await startEndpoint({ script: defaultScript })
    const messages = [system, { role: 'user', content: 'fail status 503' }]
    const response = await post({ model: 'x', stream: true, tools, messages })
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ error: { message: 'refused as asked', type: 'server_error' } })
  })

  test('reports every request with its raw body and the scene that answers it', async () => {
    const seen: ReceivedRequest[] = []
    endpoint = await startEndpoint({ script: defaultScript, onRequest: (request) => seen.push(request) })
    await ask('hello there')
    expect(seen).toHaveLength(1)
    expect(seen[0]?.scene).toBe('otherwise')
    expect(JSON.parse(seen[0]?.raw ?? '')).toMatchObject({ model: 'scripted-fast', stream: true })
  })

  test('free text is answered with what it heard and what can be tried', async () => {
    endpoint = await startEndpoint({ script: defaultScript })
    const text = textOf((await ask('good morning, who are you?')).data)
    expect(text).toContain('"good morning, who are you?"')
    expect(text).toContain('make the cart total include tax')
  })

  test('a request without tools is a compaction and is answered with a summary', async () => {
    endpoint = await startEndpoint({ script: defaultScript })
    const { data } = await ask('bench 10 0', { tools: undefined })
    expect(textOf(data)).toContain('Task:')
  })

  test.each([
    ['no messages', { model: 'x', messages: [] }, 'messages'],
    ['no system message', { model: 'x', messages: [{ role: 'user', content: 'a' }] }, 'first message'],
    ['nonsense', 'nonsense', 'body']
  ])('refuses %s with a line that says what is wrong', async (_, body, complaint) => {
    endpoint = await startEndpoint({ script: defaultScript })
    const response = await post(body as object)
    expect(response.status).toBe(400)
    expect(((await response.json()) as { error: { message: string } }).error.message).toContain(complaint)
  })

  test('a taken port is a failure that names it', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => taken.once('listening', resolve))
    const { port } = taken.address() as AddressInfo
    const failure = await startEndpoint({ script: defaultScript, port }).catch((thrown: unknown) => thrown)
    expect(failure).toBeInstanceOf(EndpointUnavailable)
    expect((failure as Error).message).toBe(`cannot listen on 127.0.0.1:${port}: EADDRINUSE`)
    taken.close()
  })

  test('closing breaks what is being answered', async () => {
    endpoint = await startEndpoint({ script: defaultScript })
    const messages = [system, { role: 'user', content: 'fail silence 0' }]
    const response = await post({ model: 'x', stream: true, tools, messages })
    const reading = events(response)
    await endpoint.close()
    expect((await reading).broken).toBe(true)
  })
})
