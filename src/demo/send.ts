import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ChatRequest, Conversation, Ending, Reply } from './script.ts'
import { streamParts, wholeReply } from './wire.ts'

// A scripted reply on its way to the reader: when each byte leaves, whether the reader keeps up, and how it ends when not in order.

/** A reply with the pace it is sent at, tokens a second; 0 is as fast as it is read. */
export type PacedReply = Reply & { readonly pace: number }

/** Sends a scripted reply: whole, or streamed at its pace up to its ending. Resolves when all of it has left, or the reader has. */
export async function sendReply(
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
    if (text !== '') await written(response, text)
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

/** Answers with one JSON object. */
export function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

/** Answers as an OpenAI-compatible server refuses. */
export function sendError(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {}
): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  sendJson(response, status, { error: { message, type: status < 500 ? 'invalid_request_error' : 'server_error' } })
}
