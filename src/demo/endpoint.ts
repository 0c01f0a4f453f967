import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Failure, systemCodeOf } from '../lib/error.ts'
import { parseJson } from '../lib/json.ts'
import { answer, type ChatRequest, chatRequest, readConversation, type Script } from './script.ts'
import { sendError, sendJson, sendReply } from './send.ts'
import { objection } from './strict.ts'

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
  await sendReply(response, { ...reply, pace: (reply.pace ?? defaultPace) * speed }, body, conversation, stop)
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
