import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runGhyll } from '../support/ghyll.ts'
import { startModelServer } from '../support/model-server.ts'
import { makePlace, twoModels } from '../support/place.ts'

// What the built program sends, family by family, as a server records it (models.md 3).

type Sent = {
  model: string
  stream: boolean
  stream_options?: unknown
  tools: { type: string; function: { name: string; parameters: { type: string } } }[]
  messages: Record<string, unknown>[]
}

const families = [
  ['minimax', 'call_1'],
  ['glm', 'call_1'],
  ['deepseek', 'call_1'],
  ['qwen', 'call_1'],
  ['kimi', 'functions.bash:0'],
  ['kimi-code', 'call_1']
] as const

test.each(families)('%s: request, tool call and result in the shapes of the wire tables', async (family, id) => {
  const server = await startModelServer()
  onTestFinished(() => server.close())
  const config = twoModels(server.url)
    .replace('dialect = "minimax"', `dialect = "${family}"`)
    .replace('model = "scripted-fast"', `model = "${family === 'kimi' ? 'moonshotai/Kimi-K2.6' : family}"`)
  const place = await makePlace({ config })
  onTestFinished(place.remove)

  server.reply({
    reasoning: 'It is asked.',
    text: 'Looking.',
    calls: [{ tool: 'bash', args: { command: 'echo here' } }],
    pace: 0
  })
  server.reply({ text: 'Done.', pace: 0 })
  expect(await runGhyll(place, ['exec', 'look'])).toMatchObject({ code: 0 })

  const [first, second] = server.requests.map((request) => JSON.parse(request.raw) as Sent)
  expect(first).toMatchObject({ stream: true, stream_options: { include_usage: true } })
  for (const absent of ['tool_choice', 'temperature', 'max_tokens']) expect(first).not.toHaveProperty(absent)
  expect(server.requests[0]?.headers).toMatchObject({ accept: 'text/event-stream', 'content-type': 'application/json' })
  expect(server.requests[0]?.headers).not.toHaveProperty('authorization')
  expect(first?.tools).toHaveLength(12)
  expect(first?.tools.every((tool) => tool.type === 'function' && tool.function.parameters.type === 'object')).toBe(
    true
  )
  expect(first?.messages.map((message) => message.role)).toEqual(['system', 'user'])

  expect(second?.messages.slice(2)).toEqual([
    {
      role: 'assistant',
      content: 'Looking.',
      reasoning_content: 'It is asked.',
      tool_calls: [{ id, type: 'function', function: { name: 'bash', arguments: '{"command":"echo here"}' } }]
    },
    { role: 'tool', tool_call_id: id, name: 'bash', content: expect.stringContaining('here') }
  ])
  expect(second?.tools).toEqual(first?.tools)
})

test('what a tool reads reaches the model as it is, but for every key known here, which is nowhere (MODEL-066)', async () => {
  const server = await startModelServer()
  onTestFinished(() => server.close())
  const inFile = 'sentinel-file-6b20'
  const inEnvironment = 'sentinel-env-91c4'
  const place = await makePlace({
    config: twoModels(server.url).replace('dialect = "minimax"', `dialect = "minimax"\napi_key = "${inFile}"`)
  })
  onTestFinished(place.remove)
  const code = 'headers: { authorization: "Bearer " + token, key: "sk-1234567890" } // task-scheduler\n'
  await writeFile(place.at('code.ts'), code)

  const calls = [
    { tool: 'read_file', args: { path: 'code.ts' } },
    { tool: 'bash', args: { command: 'env; cat ~/.ghyll/config.toml; echo $GHYLL_API_KEY >&2; exit 3' } },
    { tool: 'edit_file', args: { path: 'code.ts', old_string: '"Bearer " + token', new_string: 'auth' } }
  ] as const
  server.reply({ calls, pace: 0 })
  server.reply({ text: 'Done.', pace: 0 })
  const ran = await runGhyll(place, ['exec', '--json', 'look'], {
    env: { GHYLL_API_KEY: inEnvironment, GHYLL_LOG_LEVEL: 'debug' }
  })
  expect(ran.code).toBe(0)
  const sent = JSON.parse(server.requests[1]?.raw ?? '') as Sent
  const results = sent.messages.filter((message) => message.role === 'tool').map((message) => String(message.content))
  expect(results[0]).toBe(code)
  expect(results[1]).toContain('GHYLL_API_KEY=<redacted>')
  expect(results[1]).toContain('api_key = "<redacted>"')
  expect(await place.read('code.ts')).toBe(code.replace('"Bearer " + token', 'auth'))

  const files = await readdir(place.at('.ghyll'), { recursive: true, withFileTypes: true })
  const kept = await Promise.all(
    files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name), 'latin1'))
  )
  for (const secret of [inFile, inEnvironment]) {
    expect(server.requests[1]?.raw).not.toContain(secret)
    expect(ran.stdout + ran.stderr).not.toContain(secret)
    expect(kept.join('\n')).not.toContain(secret)
  }
  expect(kept.length).toBeGreaterThan(1)
})
