import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type SeenRequest = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string }

/** An endpoint whose every byte and pause a test decides: `answer` writes on the bare response. */
export type WireServer = {
  readonly endpoint: string
  readonly seen: readonly SeenRequest[]
  /** How the next requests are answered. */
  answer: (response: ServerResponse, request: SeenRequest) => void | Promise<void>
  close(): Promise<void>
}

export async function wireServer(): Promise<WireServer> {
  const seen: SeenRequest[] = []
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const one = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() }
    seen.push(one)
    // A test may end the connection while its own answer is still being written.
    response.on('error', () => undefined)
    await wire.answer(response, one)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const wire: WireServer = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    seen,
    answer: (response) => void response.writeHead(500).end(),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
  return wire
}

/** Begins an event stream. */
export function openStream(response: ServerResponse, headers: Record<string, string> = {}): ServerResponse {
  response.writeHead(200, { 'Content-Type': 'text/event-stream', ...headers })
  response.flushHeaders()
  return response
}

/** One chunk of a chat completion as an event. */
export const chunk = (delta: object, finish: string | null = null) =>
  event({ choices: [{ index: 0, delta, finish_reason: finish }] })
export const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`
export const done = 'data: [DONE]\n\n'

/** Writes and waits until the bytes have left, so that they arrive as a packet of their own. */
export function write(response: ServerResponse, data: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => response.write(data, () => setImmediate(resolve)))
}
