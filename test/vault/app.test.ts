import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { sha256Hex } from '../../src/lib/hash.ts'
import { publicPemOf } from '../../src/memory/key-files.ts'
import { parseRecord } from '../../src/memory/record.ts'
import { recordFile } from '../../src/memory/record-file.ts'
import { privateKeyOf } from '../../src/memory/sign.ts'
import { signedRecord, vector1, vector2, vector3b } from '../memory/support.ts'
import { chainOf, startVault } from './support.ts'

const repo = vector1.repo
const embedding = [1, 0, 0]
const proxied = { 'x-forwarded-for': '203.0.113.9' }

describe('push: shape, hash, key, signature, root, store, in this order (MEM-093)', () => {
  test('201 with an empty body, and 409 when it is there already', async () => {
    const vault = await startVault()
    expect(await vault.push(vector1)).toMatchObject({ status: 201, text: '' })
    expect(await vault.push(vector2)).toMatchObject({ status: 201, text: '' })
    expect(await vault.push(vector2)).toMatchObject({ status: 409, text: 'already exists' })
  })

  test.each([
    ['not JSON', '{"checkpoint":'],
    ['no checkpoint', '{}'],
    ['an empty body', ''],
    ['a list', '[]'],
    ['a record without summary', `{"checkpoint":${recordFile(vector1).replace('"summary"', '"resume"')}}`],
    ['a device that is a path', `{"checkpoint":${recordFile(vector1).replace('"dev-1"', '"../dev-1"')}}`],
    ['a ts with a fraction', `{"checkpoint":${recordFile(vector1).replace('"ts": ', '"ts": 0.5e1')}}`]
  ])('400 for %s', async (_name, body) => {
    const vault = await startVault()
    expect(await vault.post('/v1/checkpoints', body)).toMatchObject({ status: 400, text: 'bad request' })
  })

  test.each([
    ['hash mismatch', { ...vector1, summary: 'changed' }],
    ['hash mismatch', { ...vector1, v: 3 }],
    ['hash mismatch', { ...vector1, device: 'nobody' }],
    ['unknown device key', signedRecord({ device: 'nobody' })],
    ['signature verification failed', { ...vector1, sig: '0'.repeat(128) }],
    ['signature verification failed', signedRecord({}, privateKeyOf(new Uint8Array(32)))]
  ])('403 %s', async (text, record) => {
    const vault = await startVault()
    expect(await vault.push(record)).toMatchObject({ status: 403, text })
    expect(JSON.parse((await vault.get('/v1/health')).text)).toMatchObject({ checkpoints: 0 })
  })

  test('lists that another writer left out verify too (MEM-018)', async () => {
    const vault = await startVault()
    writeFileSync(
      join(vault.keysDir, 'ci.pub'),
      publicPemOf(privateKeyOf(Uint8Array.from({ length: 32 }, (_, n) => n)))
    )
    expect(await vault.push(vector3b)).toMatchObject({ status: 201 })
  })

  test('a key that is added while the server runs counts, a broken one does not (MEM-095)', async () => {
    const vault = await startVault()
    const seed = new Uint8Array(32).fill(9)
    const record = signedRecord({ device: 'late' }, privateKeyOf(seed))
    writeFileSync(join(vault.keysDir, 'late.pub'), 'no key')
    expect(await vault.push(record)).toMatchObject({ status: 403, text: 'unknown device key' })
    writeFileSync(join(vault.keysDir, 'late.pub'), publicPemOf(privateKeyOf(seed)))
    expect(await vault.push(record)).toMatchObject({ status: 201 })
  })

  test('a second root of a chain is refused in strict teams, also after a restart, and accepted otherwise (MEM-094)', async () => {
    const [root, other] = [signedRecord({ ts: 1n }), signedRecord({ ts: 2n })]
    const strict = await startVault({ allowSegments: false })
    const refusal = { status: 403, text: 'chain root already pinned for device' }
    expect(await strict.push(root!)).toMatchObject({ status: 201 })
    expect(await strict.push(other!)).toMatchObject(refusal)
    expect(await strict.push(root!)).toMatchObject({ status: 409 })
    expect(await strict.push(signedRecord({ ts: 3n, repo: 'elsewhere' }))).toMatchObject({ status: 201 })
    const again = await startVault({ allowSegments: false, databasePath: join(strict.folder, 'vault.db') })
    expect(await again.push(other!)).toMatchObject(refusal)
    const lenient = await startVault()
    expect(await lenient.push(root!)).toMatchObject({ status: 201 })
    expect(await lenient.push(other!)).toMatchObject({ status: 201 })
  })

  test('what was pushed comes back byte for byte, digits of the timestamp included (MEM-016)', async () => {
    const vault = await startVault()
    const [sent] = chainOf({ ts: 9007199254740993n, emb: Float32Array.of(1, -0.5, 0.1), summary: vector2.summary })
    await vault.push(sent!)
    const { text } = await vault.search({ embedding, repo })
    const inner = /^\{"results":\[\{"checkpoint":(.*),"similarity":[\d.]+\}\]\}$/s.exec(text)?.[1]
    expect(parseRecord(inner!)).toEqual({ record: sent })
  })

  test('without verification a wrong signature passes, and health tells (MEM-095)', async () => {
    const vault = await startVault({ verify: false })
    expect(await vault.push({ ...vector1, sig: '0'.repeat(128) })).toMatchObject({ status: 201 })
    expect(await vault.push({ ...vector2, summary: 'changed' })).toMatchObject({ status: 403, text: 'hash mismatch' })
    expect(JSON.parse((await vault.get('/v1/health')).text)).toEqual({
      status: 'ok',
      checkpoints: 1,
      devices: 1,
      verification: 'disabled'
    })
  })
})

describe('search (MEM-091, MEM-092)', () => {
  const summaries = (text: string) =>
    (JSON.parse(text) as { results: { checkpoint: { summary: string } }[] }).results.map(
      (each) => each.checkpoint.summary
    )

  test('descending by similarity, of that repository only, by its name or the sha256 of it', async () => {
    const vault = await startVault()
    const chain = chainOf(
      { summary: 'far', emb: Float32Array.of(0, 1, 0) },
      { summary: 'near', emb: Float32Array.of(1, 0.1, 0) },
      { summary: 'nearest', emb: Float32Array.of(2, 0, 0) },
      { summary: 'other size', emb: Float32Array.of(1, 0) },
      { summary: 'no vector', emb: null }
    )
    for (const record of [...chain, signedRecord({ repo: 'elsewhere', emb: Float32Array.of(1, 0, 0) })])
      expect(await vault.push(record)).toMatchObject({ status: 201 })
    const { status, text, headers } = await vault.search({ embedding, repo, top_k: 0 })
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/json')
    expect(summaries(text)).toEqual(['nearest', 'near', 'far'])
    expect(JSON.parse(text).results[0].similarity).toBeCloseTo(1, 12)
    expect((await vault.search({ embedding, repo: sha256Hex(repo) })).text).toBe(text)
    expect(summaries((await vault.search({ embedding, repo, top_k: 2 })).text)).toEqual(['nearest', 'near'])
    expect((await vault.search({ embedding, repo: 'nowhere' })).text).toBe('{"results":[]}')
  })

  test('a checkpoint pushed after the first search is found by the next one', async () => {
    const vault = await startVault()
    const [one, two] = chainOf(
      { summary: 'one', emb: Float32Array.of(0, 1, 0) },
      { summary: 'two', emb: Float32Array.of(1, 0, 0) }
    )
    await vault.push(one!)
    expect(summaries((await vault.search({ embedding, repo })).text)).toEqual(['one'])
    await vault.push(two!)
    expect(summaries((await vault.search({ embedding, repo })).text)).toEqual(['two', 'one'])
  })

  test('five results unless asked otherwise, never more than a hundred', async () => {
    const vault = await startVault()
    for (const record of chainOf(...Array.from({ length: 101 }, (_, n) => ({ emb: Float32Array.of(1, n, 0) }))))
      await vault.push(record)
    expect(summaries((await vault.search({ embedding, repo })).text)).toHaveLength(5)
    expect(summaries((await vault.search({ embedding, repo, top_k: 1000 })).text)).toHaveLength(100)
  })

  test.each([
    ['no embedding', { repo }, 'bad request'],
    ['an empty one', { repo, embedding: [] }, 'bad request'],
    ['no repo', { embedding }, 'bad request'],
    ['an empty repo', { embedding, repo: '' }, 'bad request'],
    ['a negative top_k', { embedding, repo, top_k: -1 }, 'bad request'],
    ['a broken top_k', { embedding, repo, top_k: 1.5 }, 'bad request'],
    ['a word in the embedding', { repo, embedding: ['1'] }, 'bad request'],
    ['a number beyond float32', { repo, embedding: [1e300] }, 'bad request'],
    ['4097 numbers', { repo, embedding: new Array(4097).fill(0) }, 'embedding too long']
  ])('400 for %s', async (_name, body, text) => {
    const vault = await startVault()
    expect(await vault.search(body)).toMatchObject({ status: 400, text })
  })

  test('400 for a number beyond double', async () => {
    const vault = await startVault()
    expect(await vault.post('/v1/search', '{"repo":"a","embedding":[1e999]}')).toMatchObject({ status: 400 })
  })
})

describe('who gets in (MEM-090)', () => {
  const right = { authorization: 'Bearer s3cret' }

  test.each([
    ['no token through a proxy', {}, 401],
    ['a wrong one', { authorization: 'Bearer other' }, 401],
    ['another scheme', { authorization: 'Basic s3cret' }, 401],
    ['the right one', right, 200],
    ['the scheme in small letters', { authorization: 'bearer s3cret' }, 200]
  ])('%s', async (_name, headers, status) => {
    const vault = await startVault({ token: 's3cret' })
    const answer = await vault.search({ embedding, repo }, { ...proxied, ...headers })
    expect(answer.status).toBe(status)
    if (status === 401) expect(answer.text).toBe('unauthorized')
  })

  test('a request from this machine needs none, unless a proxy passed it on in either notation', async () => {
    const vault = await startVault({ token: 's3cret' })
    expect(await vault.search({ embedding, repo })).toMatchObject({ status: 200 })
    expect(await vault.search({ embedding, repo }, { forwarded: 'for=203.0.113.9' })).toMatchObject({ status: 401 })
  })

  test('without a configured token nobody else gets in, whatever they send', async () => {
    const vault = await startVault()
    expect(await vault.push(vector1, { ...proxied, ...right })).toMatchObject({ status: 401 })
    expect(await vault.push(vector1, { ...proxied, authorization: 'Bearer null' })).toMatchObject({ status: 401 })
    expect(await vault.push(vector1)).toMatchObject({ status: 201 })
  })

  test('health needs none', async () => {
    const vault = await startVault({ token: 's3cret' })
    const response = await fetch(`${vault.url}/v1/health`, { headers: proxied })
    expect(await response.json()).toEqual({ status: 'ok', checkpoints: 0, devices: 0 })
  })
})

test('there is nothing else, and no other method (MEM-097)', async () => {
  const vault = await startVault()
  for (const path of ['/', '/v1', '/v1/gates', '/v1/checkpoints/x', '/v1/search/'])
    expect(await vault.get(path)).toMatchObject({ status: 404, text: 'not found' })
  for (const path of ['/v1/search', '/v1/checkpoints']) {
    const answer = await vault.get(path)
    expect(answer).toMatchObject({ status: 405, text: 'method not allowed' })
    expect(answer.headers.get('allow')).toBe('POST')
  }
  expect(await vault.post('/v1/health', '')).toMatchObject({ status: 405 })
})

test('a body of more than 4 MiB is refused, announced or not (MEM-092)', async () => {
  const vault = await startVault()
  const large = ' '.repeat(4 * 1024 * 1024 + 1)
  expect(await vault.post('/v1/search', large)).toMatchObject({ status: 413, text: 'body too large' })
  const chunked = new Blob([large]).stream()
  const response = await fetch(`${vault.url}/v1/checkpoints`, {
    method: 'POST',
    body: chunked,
    duplex: 'half'
  } as RequestInit)
  expect(response.status).toBe(413)
})

test('trouble with the database is an internal error without details, told to the operator', async () => {
  const vault = await startVault()
  const db = new Database(join(vault.folder, 'vault.db'))
  db.exec('DROP TABLE gx_root')
  db.close()
  expect(await vault.push(vector1)).toMatchObject({ status: 500, text: 'internal error' })
  expect(vault.errors).toHaveLength(1)
})
