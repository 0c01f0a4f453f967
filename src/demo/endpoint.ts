import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure, systemCodeOf } from '../lib/error.ts'
import { parseJson } from '../lib/json.ts'
import {
  answer,
  type ChatRequest,
  type Conversation,
  chatRequest,
  type Ending,
  type Reply,
  readConversation,
  type Script
} from './script.ts'
import { objection } from './strict.ts'
import { streamParts, wholeReply } from './wire.ts'

// The built-in OpenAI-compatible server (CLI-035): it answers from a script and has no model behind it, which its model names
// say. It stands on Node's own http module and not on a router: there are three paths, and what matters here is below a
// router's reach: when each byte leaves, whether the reader keeps up, and breaking the connection in the middle of an answer.

/** One chat request as it came, for tests and for a tour that proves what was sent. */
export type ReceivedRequest = {
  readonly headers: IncomingMessage['headers']
  /** The body as it came, and parsed. */
  readonly raw: string
  readonly body: ChatRequest
  /** The scene that answers it; null when the request is refused. */
  readonly scene: string | null
}

export type Endpoint = {
  /** Base address for a model's `endpoint`, ending in `/v1`. */
  readonly url: string
  readonly port: number
  /** Breaks what is being answered and resolves when the port is free. */
  close(): Promise<void>
}

/** The models it claims to have; a fast and a deep one, so that routing and `/deep` have somewhere to go. */
export const scriptedModels = ['scripted-fast', 'scripted-deep'] as const

/** Tokens a second of a reply that names no pace: quick for a person who reads along. */
const defaultPace = 60

/** The port of the endpoint cannot be taken. */
export class EndpointUnavailable extends Failure {
  readonly code = 'endpoint-unavailable'
}

export type EndpointOptions = {
  readonly script: Script
  /** 0 takes a free one. */
  readonly port?: number
  /** Times the pace of every reply; 1 is the script's own. */
  readonly speed?: number
  readonly onRequest?: (request: ReceivedRequest) => void
}

/** Listens on loopback. Rejects with `EndpointUnavailable`. */
export async function startEndpoint(options: EndpointOptions): Promise<Endpoint> {
  const { port = 0 } = options
  const stop = new AbortController()
  const server = createServer((request, response) => {
    handle(request, response, options, stop.signal).catch((thrown) => response.destroy(thrown))
  })
  server.keepAliveTimeout = 1000
  await listen(server, port)
  const bound = (server.address() as AddressInfo).port
  return {
    url: `http://127.0.0.1:${bound}/v1`,
    port: bound,
    async close() {
      stop.abort()
      server.closeAllConnections()
      if (server.listening) await new Promise((resolve) => server.close(resolve))
    }
  }
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (thrown) {
    throw new EndpointUnavailable(`cannot listen on 127.0.0.1:${port}: ${systemCodeOf(thrown) ?? 'unknown error'}`, {
      cause: thrown,
      hint: 'name another port with --port'
    })
  }
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  options: EndpointOptions,
  stop: AbortSignal
): Promise<void> {
  const path = (request.url ?? '/').replace(/\?.*$/, '').replace(/\/+$/, '')
  if (request.method === 'GET' && path === '/v1/models') {
    const data = scriptedModels.map((id) => ({ id, object: 'model', created: 0, owned_by: 'ghyll demo (scripted)' }))
    return sendJson(response, 200, { object: 'list', data })
  }
  if (request.method === 'POST' && path === '/v1/chat/completions') {
    return await complete(request, response, options, stop)
  }
  sendError(response, 404, `no such path here: ${request.method} ${path}; this is ghyll's scripted endpoint`)
}

async function complete(
  request: IncomingMessage,
  response: ServerResponse,
  options: EndpointOptions,
  stop: AbortSignal
): Promise<void> {
  const { script, speed = 1, onRequest = () => undefined } = options
  const raw = await readBody(request)
  const parsed = chatRequest.safeParse(parseJson(raw))
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    return sendError(response, 400, `${issue?.path.join('.') || 'body'}: ${issue?.message}`)
  }
  const body = parsed.data
  const refusal = objection(body)
  if (refusal !== null) {
    onRequest({ headers: request.headers, raw, body, scene: null })
    return sendError(response, 400, refusal)
  }
  const conversation = readConversation(body)
  const { scene, reply } = answer(script, conversation)
  onRequest({ headers: request.headers, raw, body, scene })
  await send(response, { ...reply, pace: (reply.pace ?? defaultPace) * speed }, body, conversation, stop)
}

type PacedReply = Reply & { readonly pace: number }

async function send(
  response: ServerResponse,
  reply: PacedReply,
  body: ChatRequest,
  conversation: Conversation,
  stop: AbortSignal
): Promise<void> {
  if (reply.ending?.kind === 'status') {
    return sendError(response, reply.ending.status, reply.ending.message, reply.ending.headers)
  }
  if (reply.ending?.kind === 'raw') return await sendRaw(response, reply.ending)
  const created = Math.floor(Date.now() / 1000)
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  const signal = AbortSignal.any([stop, gone.signal])
  if (!body.stream) return sendJson(response, 200, wholeReply(reply, body, conversation, created))

  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  response.flushHeaders()
  response.socket?.setNoDelay(true)
  try {
    if (reply.firstTokenMs !== undefined) await sleep(reply.firstTokenMs, undefined, { signal })
    await pour(response, reply, body, conversation, created, signal)
  } catch (thrown) {
    if (!signal.aborted) throw thrown // The reader hung up, or the server is closing: there is nobody to tell.
  }
}

/** Writes the stream at the reply's pace, up to its ending. */
async function pour(
  response: ServerResponse,
  reply: PacedReply,
  body: ChatRequest,
  conversation: Conversation,
  created: number,
  signal: AbortSignal
): Promise<void> {
  const { pace, ending } = reply
  const lastToken = ending !== undefined && 'afterTokens' in ending ? ending.afterTokens : Number.POSITIVE_INFINITY
  const start = performance.now()
  let sent = 0
  let pending = ''
  const flush = async () => {
    const text = pending
    pending = ''
    // Waiting for each write keeps memory bounded when the reader is slow, and lets a cut come after what it follows.
    if (text !== '') await new Promise<void>((resolve) => response.write(text, () => resolve()))
    signal.throwIfAborted()
  }
  for (const part of streamParts(reply, body, conversation, created)) {
    if (part.token) {
      if (sent >= lastToken) break
      sent += 1
      // Each token has its own due time, so that a late timer is caught up with and the pace holds on average.
      const ahead = pace === 0 ? 0 : start + (sent * 1000) / pace - performance.now()
      if (ahead > 0) {
        await flush()
        await sleep(ahead, undefined, { signal })
      }
    } else if (part.data === '[DONE]' && Number.isFinite(lastToken)) {
      break
    }
    pending += `data: ${part.data}\n\n`
    if (pending.length > 16_384) await flush()
  }
  await flush()
  await finish(response, ending, signal)
}

async function finish(response: ServerResponse, ending: Reply['ending'], signal: AbortSignal): Promise<void> {
  switch (ending?.kind) {
    case 'cut':
      response.destroy()
      return
    case 'silence':
      await once(response, 'close', { signal })
      return
    case 'error-event':
      response.end(`data: ${JSON.stringify({ error: { message: ending.message, type: 'server_error' } })}\n\n`)
      return
    default:
      response.end()
  }
}

async function sendRaw(response: ServerResponse, { status, headers, body, cut }: Extract<Ending, { kind: 'raw' }>) {
  response.writeHead(status, headers)
  response.flushHeaders()
  for (const piece of body) {
    if (response.destroyed) return
    await written(response, piece)
  }
  if (cut) response.destroy()
  else response.end()
}

/** Resolves when the piece has left, or the reader has. */
function written(response: ServerResponse, piece: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => response.write(piece, () => resolve()))
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

function sendError(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {}
): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  sendJson(response, status, { error: { message, type: status < 500 ? 'invalid_request_error' : 'server_error' } })
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
