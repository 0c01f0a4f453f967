import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { recordFile } from '../../src/memory/record-file.ts'
import { createVaultClient, vaultAccess } from '../../src/memory/vault-client.ts'
import { webServer } from '../support/web-server.ts'
import { chainOf, startVault } from '../vault/support.ts'
import { signedRecord, vector1 } from './support.ts'

const never = new AbortController().signal
const query = { embedding: Float32Array.of(1, 0, 0), repo: vector1.repo, topK: 5 }
const failure = (code: string, message: string | RegExp, facts: object = {}) =>
  expect.objectContaining({ code, message: expect.stringMatching(message), facts: expect.objectContaining(facts) })

/** A server that gives every request this answer. */
async function answering(status: number, body: string, headers: Record<string, string> = {}) {
  const server = await webServer((_request, response) => response.writeHead(status, headers).end(body))
  return { server, client: createVaultClient({ url: server.url, token: 's3cret' }) }
}

describe('against a real vault', () => {
  test('a push is stored once and known from then on (MEM-098)', async () => {
    const vault = await startVault()
    const client = createVaultClient({ url: `${vault.url}/`, token: null })
    expect(await client.push(vector1, never)).toBe('stored')
    expect(await client.push(vector1, never)).toBe('known')
  })

  test('what was pushed is found, with every digit of its timestamp (MEM-016)', async () => {
    const vault = await startVault()
    const client = createVaultClient({ url: vault.url, token: null })
    const chain = chainOf(
      { ts: 9007199254740993n, emb: Float32Array.of(0.1, 1, 0) },
      { ts: 9007199254740995n, emb: Float32Array.of(1, 0.1, 0) }
    )
    for (const record of chain) await client.push(record, never)
    const hits = await client.search(query, never)
    expect(hits.map(({ record }) => record)).toEqual(chain.toReversed())
    expect(hits[0]!.similarity).toBeGreaterThan(hits[1]!.similarity)
  })

  test('a refusal names the reason (403)', async () => {
    const vault = await startVault()
    const client = createVaultClient({ url: vault.url, token: null })
    const stranger = signedRecord({ device: 'nobody' })
    await expect(client.push(stranger, never)).rejects.toEqual(
      failure('vault-rejected', 'vault: unknown device key', { status: 403, hash: stranger.hash, operation: 'push' })
    )
  })
})

describe('a server that does what it wants (MEM-098)', () => {
  test.each([
    [401, 'unauthorized', 'vault-unauthorized', 'unauthorized'],
    [500, 'internal error', 'vault-unavailable', 'HTTP 500'],
    [429, 'slow down', 'vault-unavailable', 'HTTP 429'],
    [404, 'a page', 'vault-unavailable', 'HTTP 404'],
    [400, 'bad request', 'vault-rejected', 'bad request'],
    [413, '', 'vault-rejected', 'HTTP 413'],
    [200, 'not json', 'vault-unavailable', 'not the answer of a vault'],
    [200, '{"results":7}', 'vault-unavailable', 'not the answer of a vault']
  ])('%d %s', async (status, body, code, message) => {
    const { client } = await answering(status, body)
    await expect(client.search(query, never)).rejects.toEqual(failure(code, message, { operation: 'search' }))
  })

  test('names in capitals are read as well, what is no checkpoint is left out (MEM-098)', async () => {
    const [record] = chainOf({})
    const { client } = await answering(
      200,
      `{"Results":[{"Checkpoint":${recordFile(record!).replace(/^ {2}"(\w)/gm, (_, first) => `  "${first.toUpperCase()}`)},"Similarity":0.5},{"checkpoint":{},"similarity":1},7,{"checkpoint":null}]}`
    )
    expect(await client.search(query, never)).toEqual([{ record, similarity: 0.5 }])
  })

  test('more results than were asked for are not looked at (MEM-092)', async () => {
    const found = chainOf(...Array.from({ length: 9 }, () => ({})))
    const results = found.map((record) => `{"checkpoint":${recordFile(record)},"similarity":0.5}`)
    const { client } = await answering(200, `{"results":[${results.join(',')}]}`)
    expect((await client.search(query, never)).map(({ record }) => record.hash)).toEqual(
      found.slice(0, query.topK).map(({ hash }) => hash)
    )
  })

  test('no results at all', async () => {
    const { client } = await answering(200, '{"results":null}')
    expect(await client.search(query, never)).toEqual([])
  })

  test('a redirect is not followed, so the token goes nowhere else', async () => {
    const elsewhere = await answering(200, '{"results":[]}')
    const { client } = await answering(302, '', { location: elsewhere.server.url })
    await expect(client.search(query, never)).rejects.toEqual(failure('vault-unavailable', 'HTTP 302', { status: 302 }))
    expect(elsewhere.server.requests).toHaveLength(0)
  })

  test('the token goes in the header, and no header without one (MEM-099)', async () => {
    const { server, client } = await answering(200, '{"results":[]}')
    await client.search(query, never)
    await createVaultClient({ url: server.url, token: null }).search(query, never)
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer s3cret', undefined])
  })

  test('an endless answer is cut off', async () => {
    const server = await webServer((_request, response) => response.end('x'.repeat(100_000)))
    const client = createVaultClient({ url: server.url, token: null }, { timeoutMs: 5000, maxBytes: 65_536 })
    await expect(client.search(query, never)).rejects.toEqual(failure('vault-unavailable', 'more than 65536 bytes'))
  })

  test('silence ends at the time limit, also in the middle of an answer', async () => {
    for (const begin of [false, true]) {
      const server = await webServer((_request, response) => void (begin && response.writeHead(200).write('{"res')))
      const client = createVaultClient({ url: server.url, token: null }, { timeoutMs: 50, maxBytes: 1000 })
      await expect(client.search(query, never)).rejects.toEqual(failure('vault-unavailable', 'no answer within 50 ms'))
    }
  })

  test('nobody there', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    server.close()
    const client = createVaultClient({ url: `http://127.0.0.1:${port}`, token: null })
    await expect(client.push(vector1, never)).rejects.toEqual(failure('vault-unavailable', 'ECONNREFUSED'))
  })

  test("the caller's own signal is the caller's own reason", async () => {
    const server = await webServer(() => undefined)
    const stop = new AbortController()
    const pending = createVaultClient({ url: server.url, token: null }).search(query, stop.signal)
    stop.abort(new Error('enough'))
    await expect(pending).rejects.toThrow('enough')
  })
})

describe('whether there is a vault (MEM-099)', () => {
  const config = { url: null, token: null, keysDir: null, listen: null, allowSegments: true }
  test.each([
    [null, { kind: 'off', warning: null }],
    [config, { kind: 'off', warning: null }],
    [
      { ...config, url: 'https://vault.example' },
      { kind: 'off', warning: 'vault.token missing, vault disabled' }
    ],
    [
      { ...config, url: 'http://127.0.0.1:9090' },
      { kind: 'on', address: { url: 'http://127.0.0.1:9090', token: null } }
    ],
    [
      { ...config, url: 'https://vault.example', token: 't' },
      { kind: 'on', address: { url: 'https://vault.example', token: 't' } }
    ]
  ])('%j', (given, access) => {
    expect(vaultAccess(given)).toEqual(access)
  })
})
