import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { homeWith } from '../config/support.ts'
import { cli } from './support.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
const answering = (status: number, seen: string[] = []): Promise<string> =>
  serve((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.authorization ?? '-'}`)
    response.writeHead(status, { location: '/elsewhere' }).end('SENTINEL')
  })

async function doctor(text: string | null, more: Record<string, string> = {}, handlers = {}) {
  const { home } = homeWith(text)
  const env = { HOME: home, PATH: process.env.PATH ?? '', GHYLL_SANDBOX_ASSUME_SAFE: 'test', ...more }
  const result = await cli(['doctor'], { env, cwd: home, handlers })
  const line = (name: string) => result.out.split('\n').find((each) => each.slice(2).startsWith(`${name} `)) ?? ''
  return { ...result, line, home }
}
const model = (endpoint: string, rest = '') => `[models.m25]\nendpoint = "${endpoint}/v1"\ndialect = "glm"\n${rest}`

describe('CLI-022', () => {
  test('everything in order is exit 0, one line per check', async () => {
    const seen: string[] = []
    const { code, line } = await doctor(model(await answering(200, seen)), { GHYLL_API_KEY: 'SENTINEL' })
    expect(code).toBe(0)
    expect(line('config')).toMatch(/^✓ config .*config\.toml$/)
    expect(line('key mode')).toMatch(/^ℹ .*no device key yet/)
    expect(line('sandbox')).toMatch(/^✓ .*GHYLL_SANDBOX_ASSUME_SAFE=test/)
    expect(line('git')).toMatch(/^✓ .*git version/)
    expect(line('sqlite')).toMatch(/^✓ .*\d+\.\d+/)
    expect(line('embedder')).toMatch(/^ℹ .*no model at/)
    expect(line('model m25')).toMatch(/^✓ .*HTTP 200 \(key from GHYLL_API_KEY\)$/)
    expect(seen).toEqual(['GET /v1/models Bearer SENTINEL'])
  })

  test.each([
    [401, '✗', 1],
    [302, '✗', 1],
    [500, '✗', 1],
    [404, 'ℹ', 0]
  ])(
    'a server that answers %d is %s; neither body nor key is shown and no redirect followed',
    async (status, glyph, exit) => {
      const seen: string[] = []
      const { code, out, err, line } = await doctor(model(await answering(status, seen), 'api_key = "SENTINEL"'))
      expect(code).toBe(exit)
      expect(line('model m25')).toMatch(new RegExp(`^${glyph} .*HTTP ${status} \\(key from the file\\)`))
      expect(out + err).not.toContain('SENTINEL')
      expect(seen).toHaveLength(1)
    }
  )

  test('a server that is not there, and an address of the template', async () => {
    const gone = await doctor(model('http://127.0.0.1:1'))
    expect(gone.code).toBe(1)
    expect(gone.line('model m25')).toMatch(/^✗ .*127\.0\.0\.1:1/)
    const template = await doctor('[models.m25]\nendpoint = "https://inference.internal/m25/v1"')
    expect(template.code).toBe(1)
    expect(template.line('model m25')).toMatch(/^✗ .*template/)
  })

  test('the vault is asked for its health when one is configured', async () => {
    const seen: string[] = []
    const vault = await answering(200, seen)
    const { code, line } = await doctor(`${model(await answering(200))}[vault]\nurl = "${vault}/"\ntoken = "SENTINEL"`)
    expect(code).toBe(0)
    expect(line('vault')).toMatch(/^✓ .*HTTP 200/)
    expect(seen).toEqual(['GET /v1/health -'])
    expect((await doctor(model(await answering(200)))).line('vault')).toBe('')
  })

  test('CFG-032: a missing configuration is a failed check and the others still run', async () => {
    const { code, line } = await doctor(null)
    expect(code).toBe(1)
    expect(line('config')).toMatch(/^✗ .*no config found at/)
    expect(line('git')).toMatch(/^✓/)
  })

  test('a device key that others can read fails', async () => {
    const text = model(await answering(200))
    const { home } = homeWith(text)
    mkdirSync(join(home, '.ghyll/keys'))
    writeFileSync(join(home, '.ghyll/keys/box.key'), '', { mode: 0o644 })
    const { code, out } = await cli(['doctor'], { env: { HOME: home, PATH: process.env.PATH ?? '' } })
    expect(code).toBe(1)
    expect(out).toMatch(/✗ key mode .*box\.key; run chmod 0600/)
  })

  test('the embedder file must have its digest', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'ghyll-model-')), 'm.onnx')
    writeFileSync(file, 'model')
    const digest = createHash('sha256').update('model').digest('hex')
    const text = async (sha: string) =>
      model(await answering(200), `[memory.embedder]\nmodel_path = "${file}"\nmodel_sha256 = "${sha}"`)
    expect((await doctor(await text(digest))).line('embedder')).toMatch(/^✓ .*5 bytes/)
    const wrong = await doctor(await text('0'.repeat(64)))
    expect(wrong.line('embedder')).toMatch(new RegExp(`^✗ .*${digest}`))
    expect(wrong.code).toBe(1)
  })

  test('missing programs: git fails, ripgrep is a note; a required sandbox that is missing fails', async () => {
    const nowhere = mkdtempSync(join(tmpdir(), 'ghyll-path-'))
    const { code, line } = await doctor(model(await answering(200)), { PATH: nowhere })
    expect(code).toBe(1)
    expect(line('git')).toMatch(/^✗ .*not found/)
    expect(line('ripgrep')).toMatch(/^ℹ .*not found; the built-in search/)
  })

  test('checks that the program supplies take part, also when they throw', async () => {
    const doctorChecks = async () => [
      { name: 'extra', run: async () => ({ status: 'ok', text: 'fine' }) },
      {
        name: 'broken',
        run: async () => {
          throw new Error('no luck')
        }
      }
    ]
    const { code, line } = await doctor(model(await answering(200)), {}, { doctorChecks })
    expect(line('extra')).toBe('✓ extra                fine')
    expect(line('broken')).toBe('✗ broken               no luck')
    expect(code).toBe(1)
  })
})
