import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { Agent } from 'undici'
import { afterAll, afterEach, expect, test } from 'vitest'
import { type Body, exchange, type HttpResponse, readText } from '../../../src/agent/stream/exchange.ts'

const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 })
const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})
afterAll(() => agent.destroy())

/** A server that answers on the bare socket once a request is there. */
async function listen(answer: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => answer(socket))
    closing.push(() => socket.destroy())
  }).listen(0, '127.0.0.1')
  closing.push(() => server.close())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as { port: number }).port}/v1?x=1`
}

async function open(url: string, signal = new AbortController().signal): Promise<HttpResponse> {
  const response = await exchange({ url, headers: {}, body: Buffer.from('{}') }, agent, signal)
  if ('thrown' in response) throw response.thrown
  return response
}

const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
const piece = `3e8\r\n${'x'.repeat(1000)}\r\n`

/** Reads to the end, `pause` between pieces. */
async function drain(body: Body, pause: () => Promise<unknown>): Promise<{ bytes: number; how: string }> {
  let bytes = 0
  for (;;) {
    const next = await body.next()
    if (next.kind !== 'bytes') return { bytes, how: next.kind }
    bytes += next.bytes.length
    await pause()
  }
}

test('what arrived before a connection broke is delivered, however slowly it is read', async () => {
  const url = await listen((socket) => socket.end(head + piece.repeat(500)))
  const { body } = await open(url)
  expect(await drain(body, async () => await turn())).toEqual({ bytes: 500_000, how: 'broken' })
})

test('a sender waits for its reader', async () => {
  let written = 0
  const url = await listen((socket) => {
    socket.write(head)
    const flood = () => {
      while (!socket.destroyed && written < 200_000_000) {
        written += piece.length
        if (!socket.write(piece)) return
      }
    }
    socket.on('drain', flood)
    flood()
  })
  const { body } = await open(url)
  await body.next()
  let before = -1
  for (let still = 0; still < 50; still += before === written ? 1 : 0) {
    before = written
    await turn()
  }
  expect(written).toBeLessThan(100_000_000)
  for (let n = 0; n < 100; n += 1) expect((await body.next()).kind).toBe('bytes')
  body.discard()
})

test('an abort ends the waiting, the reading and the connection', async () => {
  const sockets: Socket[] = []
  const url = await listen((socket) => void sockets.push(socket))
  const stop = new AbortController()
  const pending = exchange({ url, headers: {}, body: Buffer.from('{}') }, agent, stop.signal)
  while (sockets.length === 0) await turn()
  const closed = once(sockets[0]!, 'close')
  stop.abort()
  expect(await pending).toMatchObject({ thrown: { name: 'AbortError' } })
  await closed

  const halfway = await listen((socket) => socket.write(head + piece))
  const later = new AbortController()
  const { body } = await open(halfway, later.signal)
  expect((await body.next()).kind).toBe('bytes')
  const waiting = body.next()
  later.abort()
  expect(await waiting).toMatchObject({ kind: 'broken' })
})

test('what cannot be asked at all is a value too', async () => {
  const signal = new AbortController().signal
  const body = Buffer.from('{}')
  expect(await exchange({ url: 'nowhere', headers: {}, body }, agent, signal)).toHaveProperty('thrown')
  const headers = { Authorization: 'Bearer line\nbreak' }
  expect(await exchange({ url: 'http://127.0.0.1:1/', headers, body }, agent, signal)).toMatchObject({
    thrown: { code: 'UND_ERR_INVALID_ARG' }
  })
})

test('a body is read as text up to a limit', async () => {
  const whole = await listen((socket) => socket.end(`${head}5\r\ngr\u00fc!\r\n0\r\n\r\n`))
  expect(await readText((await open(whole)).body, 100)).toEqual({ text: 'gr\u00fc!', how: 'whole' })
  const large = await listen((socket) => socket.write(head + piece))
  const { body } = await open(large)
  expect(await readText(body, 10)).toEqual({ text: 'x'.repeat(10), how: 'too-large' })
  body.discard()
  const broken = await listen((socket) => socket.end(`${head}3e8\r\nabc`))
  expect(await readText((await open(broken)).body, 100)).toMatchObject({ text: 'abc', how: 'broken' })
})
