import { getConnInfo } from '@hono/node-server/conninfo'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { type KeyLookup, recordFile, type VectorSearch } from '../memory/index.ts'
import { isAllowed } from './auth.ts'
import { receive } from './receive.ts'
import { readPush, readSearch, type SearchRequest } from './requests.ts'
import type { VaultStore } from './store.ts'

export type VaultParts = {
  readonly store: VaultStore
  readonly vectors: VectorSearch
  readonly token: string | null
  readonly allowSegments: boolean
  /** null with `--insecure-no-verify` (MEM-095). */
  readonly keyFor: KeyLookup | null
  /** Milliseconds since the epoch. */
  now(): number
  /** Told of what ended in an internal error; answers say nothing of it. */
  onError(error: unknown): void
}

/** MEM-092 */
const maxBodyBytes = 4 * 1024 * 1024

/** The three endpoints of the vault, and nothing else (MEM-097). */
export function createVaultApp(parts: VaultParts): Hono {
  const { store, keyFor, allowSegments } = parts
  const app = new Hono()

  app.get('/v1/health', (context) =>
    context.json({ status: 'ok', ...store.counts(), ...(keyFor === null ? { verification: 'disabled' } : {}) })
  )

  for (const path of ['/v1/search', '/v1/checkpoints']) {
    app.use(path, async (context, next) => {
      if (isAllowed(callerOf(context), parts.token)) return next()
      context.header('WWW-Authenticate', 'Bearer')
      return context.text('unauthorized', 401)
    })
    app.post(path, bodyLimit({ maxSize: maxBodyBytes, onError: (context) => context.text('body too large', 413) }))
  }

  app.post('/v1/search', async (context) => {
    const request = readSearch(await context.req.text())
    if ('problem' in request) return context.text(request.problem, 400)
    return context.body(await search(parts, request), 200, { 'Content-Type': 'application/json' })
  })

  app.post('/v1/checkpoints', async (context) => {
    const record = readPush(await context.req.text())
    if ('problem' in record) return context.text(record.problem, 400)
    const now = Math.floor(parts.now() / 1000)
    const { status, text } = receive(record, {
      keyFor,
      insert: (each, verified) => store.insert(each, { verified, allowSegments, now })
    })
    return status === 201 ? context.body(null, 201) : context.text(text, status)
  })

  for (const [path, allow] of Object.entries(methods)) {
    app.all(path, (context) => context.text('method not allowed', 405, { Allow: allow }))
  }
  app.notFound((context) => context.text('not found', 404))
  app.onError((error, context) => {
    parts.onError(error)
    return context.text('internal error', 500)
  })
  return app
}

const methods = { '/v1/health': 'GET, HEAD', '/v1/search': 'POST', '/v1/checkpoints': 'POST' }

function callerOf(context: Context) {
  return { peer: getConnInfo(context).remote.address, header: (name: string) => context.req.header(name) }
}

/** The body of the answer. Records are written out by hand, for their timestamps have more digits than `JSON.stringify` keeps (MEM-016). */
async function search({ store, vectors }: VaultParts, { query, repo, topK }: SearchRequest): Promise<string> {
  const perRepo = await Promise.all(store.repositories(repo).map((name) => vectors.search(name, query, topK)))
  const found = perRepo.flat().flatMap(({ hash, similarity }) => {
    const record = store.find(hash)
    return record === null ? [] : [{ record, similarity }]
  })
  const results = found
    .sort((a, b) => b.similarity - a.similarity || (a.record.ts < b.record.ts ? 1 : -1))
    .slice(0, topK)
    .map(({ record, similarity }) => `{"checkpoint":${recordFile(record)},"similarity":${similarity}}`)
  return `{"results":[${results.join(',')}]}`
}
