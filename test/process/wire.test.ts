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
