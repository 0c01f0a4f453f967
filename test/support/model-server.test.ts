import { expect, onTestFinished, test } from 'vitest'
import { type ModelServer, rawReply, startModelServer } from './model-server.ts'

async function start(): Promise<ModelServer> {
  const server = await startModelServer()
  onTestFinished(() => server.close())
  return server
}

const post = (server: ModelServer, said: string) =>
  fetch(`${server.url}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({
      model: 'm',
      tools: [{ type: 'function', function: { name: 'bash' } }],
      messages: [
        { role: 'system', content: 's' },
        { role: 'user', content: said }
      ]
    })
  })

test('queued replies come first and once each, then the script answers', async () => {
  const server = await start()
  server.reply({ text: 'first' }, { text: 'second' })
  expect(await (await post(server, 'a')).text()).toContain('first')
  expect(await (await post(server, 'b')).text()).toContain('second')
  expect(await (await post(server, 'c')).text()).toContain('I am a script')
  expect(server.requests.map((request) => request.body.messages.at(-1)?.content)).toEqual(['a', 'b', 'c'])
})

test('a request can be waited for before it is made', async () => {
  const server = await start()
  const second = server.request(2)
  await post(server, 'a')
  await post(server, 'b')
  expect((await second).raw).toContain('"b"')
})

test('a raw reply is sent byte for byte, and can break off', async () => {
  const server = await start()
  const rubbish = Buffer.from([0xff, 0xfe, 0x0a])
  server.reply(rawReply([rubbish, 'data: {'], { status: 502, type: 'text/html' }), rawReply(['data: '], { cut: true }))
  const whole = await post(server, 'a')
  expect(whole.status).toBe(502)
  expect(whole.headers.get('content-type')).toBe('text/html')
  expect(Buffer.from(await whole.arrayBuffer())).toEqual(Buffer.concat([rubbish, Buffer.from('data: {')]))
  await expect((await post(server, 'b')).text()).rejects.toThrow()
})
