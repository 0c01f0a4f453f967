import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openEmbedder } from '../../../src/memory/embedder/embedder.ts'
import {
  type FetchLimits,
  type FetchProgress,
  type FetchRequest,
  fetchModel
} from '../../../src/memory/embedder/fetch-model.ts'
import { outcomeText, progressText } from '../../../src/memory/embedder/fetch-report.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { writeTinyModel } from '../../support/tiny-model.ts'
import { webServer } from '../../support/web-server.ts'

const never = new AbortController().signal
const model = Buffer.from('pretend these are weights '.repeat(1000))
const sha256 = createHash('sha256').update(model).digest('hex')

type Respond = (request: IncomingMessage, response: ServerResponse) => void

async function setUp(respond: Respond, more: Partial<FetchRequest> = {}) {
  const server = await webServer(respond)
  const path = join(temporaryFolder(), 'models', 'm.onnx')
  const seen: FetchProgress[] = []
  const request: FetchRequest = { url: `${server.url}/m.onnx`, path, sha256: null, force: false, ...more }
  return {
    server,
    path,
    seen,
    url: request.url,
    run: (signal = never, limits?: FetchLimits) => fetchModel(request, (step) => seen.push(step), signal, limits),
    /** Files in the target's folder. */
    left: () => (existsSync(dirname(path)) ? readdirSync(dirname(path)) : [])
  }
}

const serve: Respond = (_request, response) => response.writeHead(200, { 'content-length': model.length }).end(model)
const refusal = (message: string | RegExp) =>
  expect.objectContaining({ code: 'embedder-unavailable', message: expect.stringMatching(message) })

test('a real model comes over loopback, is installed with mode 0644 and embeds (MEM-126)', async () => {
  const source = join(temporaryFolder(), 'source.onnx')
  writeTinyModel(source)
  const bytes = readFileSync(source)
  const digest = createHash('sha256').update(bytes).digest('hex')
  const { run, path, left } = await setUp((_request, response) => response.end(bytes), { sha256: digest })
  expect(await run()).toEqual({ kind: 'ready', bytes: bytes.length, sha256: digest })
  expect(left()).toEqual(['m.onnx'])
  expect(statSync(path).mode & 0o777).toBe(0o644)
  const settings = { modelPath: path, modelSha256: digest, dimensions: 384, tokenizer: 'wordpiece' } as const
  const embedder = await openEmbedder(settings)
  expect(await embedder.embed('hello')).toHaveLength(384)
  await embedder.close()
})

test('the steps are told: where from, how large, how far (MEM-127)', async () => {
  const { run, seen, url } = await setUp(serve)
  await run()
  expect(seen.slice(0, 2)).toEqual([
    { kind: 'started', url },
    { kind: 'size', bytes: model.length }
  ])
  expect(seen.at(-1)).toEqual({ kind: 'received', bytes: model.length, total: model.length })
})

test('a model that is there stays unless forced, and then nothing is asked of the network (MEM-124)', async () => {
  const { run, path, server } = await setUp(serve)
  mkdirSync(dirname(path))
  writeFileSync(path, 'old')
  expect(await run()).toEqual({ kind: 'present', bytes: 3 })
  expect(server.requests).toHaveLength(0)
})

test('forced, the old one is replaced (MEM-124)', async () => {
  const { run, path } = await setUp(serve, { force: true })
  mkdirSync(dirname(path))
  writeFileSync(path, 'old')
  expect(await run()).toMatchObject({ kind: 'ready', sha256 })
  expect(readFileSync(path)).toEqual(model)
})

describe('refused, with an existing model untouched and nothing left behind (MEM-125, MEM-126)', () => {
  const cases: readonly [string, Respond, string | RegExp, Partial<FetchRequest>?][] = [
    ['404', (_q, r) => r.writeHead(404).end('no such\nfile'), /^HTTP 404 from http:.*\/m\.onnx: no such\nfile$/],
    ['a web page', (_q, r) => r.writeHead(200, { 'content-type': 'text/HTML; charset=x' }).end('x'), /is a web page/],
    ['a web page under another type', (_q, r) => r.end('<!doctype html><p>Sign in'), /\/m\.onnx is a web page/],
    ['an empty body', (_q, r) => r.end(), /is empty/],
    [
      'more than 1 GiB declared',
      (_q, r) => void r.writeHead(200, { 'content-length': 2 ** 30 + 1 }).write('x'),
      /has 1073741825 bytes, more than 1 GiB$/
    ],
    [
      'an answer that breaks off',
      (_q, r) => void r.writeHead(200, { 'content-length': 99 }).write('x', () => r.destroy()),
      /broke off/
    ],
    ['no answer', (q) => q.socket.destroy(), /^cannot download/],
    [
      'another digest',
      serve,
      `model_sha256 mismatch: expected ${'a'.repeat(64)}, got ${sha256}; not installed`,
      { sha256: 'a'.repeat(64) }
    ]
  ]
  test.each(cases)('%s', async (_name, respond, message, more = {}) => {
    const { run, path, left } = await setUp(respond, { ...more, force: true })
    mkdirSync(dirname(path))
    writeFileSync(path, 'old')
    await expect(run()).rejects.toEqual(refusal(message))
    expect(left()).toEqual(['m.onnx'])
    expect(readFileSync(path, 'utf8')).toBe('old')
  })

  test('at most 4 KiB of an error are shown', async () => {
    const { run } = await setUp((_q, r) => r.writeHead(500).end('x'.repeat(100_000)))
    const error: Error = await run().then(
      () => expect.unreachable(),
      (thrown) => thrown
    )
    expect(error.message.length).toBeLessThan(4096 + 100)
  })

  test('too slow', async () => {
    const { run, left } = await setUp((_q, r) => void r.writeHead(200).write('x'))
    await expect(run(never, { timeMs: 100, maxBytes: 1e9 })).rejects.toEqual(refusal(/took longer than 0\.1 s/))
    expect(left()).toEqual([])
  })

  test('more than is allowed, without having said so', async () => {
    const { run, path, left } = await setUp((_q, r) => r.writeHead(200).end(model))
    const limits = { timeMs: 60_000, maxBytes: model.length }
    await expect(run(never, { ...limits, maxBytes: model.length - 1 })).rejects.toEqual(
      refusal(new RegExp(`has more than ${model.length - 1} bytes$`))
    )
    expect(left()).toEqual([])
    expect(await run(never, limits)).toMatchObject({ kind: 'ready' })
    expect(readFileSync(path)).toEqual(model)
  })

  test('interrupted halfway', async () => {
    const stop = new AbortController()
    const { run, left } = await setUp((_q, r) => r.writeHead(200).write('x', () => stop.abort(new Error('enough'))))
    await expect(run(stop.signal)).rejects.toThrow('enough')
    expect(left()).toEqual([])
  })

  test('a folder that cannot be', async () => {
    const blocker = join(temporaryFolder(), 'file')
    writeFileSync(blocker, '')
    const { run } = await setUp(serve, { path: join(blocker, 'm.onnx') })
    await expect(run()).rejects.toEqual(refusal(/^cannot read .*ENOTDIR/))
  })
})

describe('only https, or this machine (MEM-122)', () => {
  test.each([
    ['http://192.0.2.1/m', 'model_url must be https \\(got scheme "http"\\)'],
    ['ftp://127.0.0.1/m', 'model_url must be https \\(got scheme "ftp"\\)'],
    ['file:///etc/passwd', 'model_url must be https \\(got scheme "file"\\)'],
    ['nonsense', 'model_url is not a URL']
  ])('%s', async (url, message) => {
    const { run } = await setUp(serve, { url })
    await expect(run()).rejects.toEqual(refusal(message))
  })

  test('every hop is checked', async () => {
    const { run } = await setUp((_q, r) => r.writeHead(302, { location: 'http://192.0.2.1/m' }).end())
    await expect(run()).rejects.toEqual(refusal('must be https'))
  })

  test('ten redirects are followed, relative ones too; the eleventh is not', async () => {
    const redirecting =
      (hops: number): Respond =>
      (request, response) => {
        const hop = Number(/\d+$/.exec(request.url ?? '')?.[0] ?? 0)
        if (hop === hops) serve(request, response)
        else response.writeHead(307, { location: `hop${hop + 1}` }).end()
      }
    expect(await (await setUp(redirecting(10))).run()).toMatchObject({ kind: 'ready', sha256 })
    await expect((await setUp(redirecting(11))).run()).rejects.toEqual(refusal('more than 10 redirects'))
  })
})

test('the lines of the command (MEM-124, MEM-127)', () => {
  const received = { kind: 'received', bytes: 5 * 1024 ** 2, total: 10 * 1024 ** 2 } as const
  expect(progressText({ kind: 'started', url: 'https://a/m' }, false)).toBe('ℹ downloading embedder from https://a/m\n')
  expect(progressText({ kind: 'size', bytes: 7 }, true)).toBe('ℹ size: 7 bytes\n')
  expect(progressText(received, false)).toBe('')
  expect(progressText(received, true)).toMatch(/^\r {2}50 % +$/)
  expect(progressText({ ...received, total: null }, true)).toMatch(/^\r {2}5 MiB +$/)
  expect(outcomeText({ kind: 'present', bytes: 7 }, '/m', false)).toMatch(
    /^ℹ embedder already present at \/m \(7 bytes\); use --force to download again\nℹ .*ghyll doctor.*\n$/
  )
  expect(outcomeText({ kind: 'ready', bytes: 7, sha256: 'ab' }, '/m', false)).toMatch(
    /^✓ embedder ready at \/m \(7 bytes, sha256=ab\)\nℹ .*\n$/
  )
})
