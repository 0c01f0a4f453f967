import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordFile } from '../../src/memory/record-file.ts'
import { serveVault } from '../../src/vault/serve.ts'
import { vector1 } from '../memory/support.ts'
import { temporaryFolder } from '../support/temporary.ts'

async function serve() {
  const running = await serveVault({
    databasePath: join(temporaryFolder(), 'vault.db'),
    address: { host: '127.0.0.1', port: 0 },
    token: null,
    allowSegments: true,
    keyFor: null,
    onError: () => undefined
  })
  const [host = '', port = ''] = running.address.split(':')
  return { running, host, port: Number(port) }
}

test('a request under way is finished while new ones are refused (CLI-033)', async () => {
  const { running, host, port } = await serve()
  const body = `{"checkpoint":${recordFile(vector1)}}`
  const socket = connect(port, host)
  await once(socket, 'connect')
  socket.write(
    `POST /v1/checkpoints HTTP/1.1\r\nHost: x\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body.slice(0, 100)}`
  )
  // The server has the request once it answers another one on a later connection.
  expect((await fetch(`http://${host}:${port}/v1/health`)).status).toBe(200)
  const drained = running.drain()
  await expect(fetch(`http://${host}:${port}/v1/health`)).rejects.toThrow()
  socket.write(body.slice(100))
  const [answer] = (await once(socket, 'data')) as [Buffer]
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 201 /)
  await drained
})

test('a request that never ends is cut off when patience is over (CLI-033)', async () => {
  const { running, host, port } = await serve()
  const socket = connect(port, host)
  await once(socket, 'connect')
  socket.write('POST /v1/checkpoints HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{')
  expect((await fetch(`http://${host}:${port}/v1/health`)).status).toBe(200)
  const closed = once(socket, 'close')
  socket.on('error', () => undefined)
  await running.drain(50)
  await closed
})
