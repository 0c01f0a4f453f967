import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'

// One HTTP exchange on undici's dispatch interface. Its ready-made body stream forgets what it has received but not yet handed out
// when the connection breaks; here everything that arrived is delivered before the break is told, so that no output gets lost.

export type HttpRequest = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export type HttpResponse = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Body
}

export type Body = {
  /** What comes next. After `end` or `broken` nothing does. */
  next(): Promise<Piece>
  /** Nobody wants the rest: ends the connection unless the response is over. */
  discard(): void
}

/** Trouble is a value here, so that a bug in whoever uses the bytes is not taken for it. */
export type Piece =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'end' }
  | { readonly kind: 'broken'; readonly cause: unknown }

/** Bytes that may wait to be read before the sender has to. */
const maxWaiting = 1024 * 1024

/** Sends a POST request; resolves with its response or with what prevented one. An abort ends it at any time. */
export function exchange(
  request: HttpRequest,
  dispatcher: Dispatcher,
  signal: AbortSignal
): Promise<HttpResponse | { readonly thrown: unknown }> {
  return new Promise((resolve) => {
    const queue = pieceQueue()
    let controller: Dispatcher.DispatchController | null = null
    let isOver = false

    const abort = () => {
      controller?.abort(abortError())
      over({ kind: 'broken', cause: abortError() })
    }
    const over = (last: Exclude<Piece, { kind: 'bytes' }>) => {
      if (isOver) return
      isOver = true
      signal.removeEventListener('abort', abort)
      queue.put(last)
      // Of no effect when there was a response.
      resolve({ thrown: last.kind === 'broken' ? last.cause : new Error('no response') })
    }
    const body: Body = {
      async next() {
        const piece = await queue.take()
        if (queue.waiting === 0) controller?.resume()
        return piece
      },
      discard() {
        if (!isOver) abort()
      }
    }

    signal.addEventListener('abort', abort, { once: true })
    try {
      const { origin, pathname, search } = new URL(request.url)
      dispatcher.dispatch(
        { origin, path: `${pathname}${search}`, method: 'POST', headers: request.headers, body: request.body },
        {
          onRequestStart(given) {
            controller = given
            // Aborted while it waited for its connection.
            if (isOver) given.abort(abortError())
          },
          onResponseStart(_controller, status, headers) {
            if (status >= 200) resolve({ status, headers, body })
          },
          onResponseData(given, bytes) {
            queue.put({ kind: 'bytes', bytes })
            if (queue.waiting > maxWaiting) given.pause()
          },
          onResponseEnd: () => over({ kind: 'end' }),
          onResponseError: (_controller, cause) => over({ kind: 'broken', cause })
        }
      )
    } catch (cause) {
      over({ kind: 'broken', cause })
    }
  })
}

/** A whole body of at most `limit` bytes as text; what was read before it broke off or grew too large is there as well. */
export async function readText(
  body: Body,
  limit: number
): Promise<{ readonly text: string; readonly how: 'whole' | 'too-large' | 'broken'; readonly cause?: unknown }> {
  const chunks: Uint8Array[] = []
  let size = 0
  const text = () => Buffer.concat(chunks).subarray(0, limit).toString('utf8')
  for (;;) {
    const piece = await body.next()
    if (piece.kind === 'end') return { text: text(), how: 'whole' }
    if (piece.kind === 'broken') return { text: text(), how: 'broken', cause: piece.cause }
    chunks.push(piece.bytes)
    size += piece.bytes.length
    if (size > limit) return { text: text(), how: 'too-large' }
  }
}

/** Pieces between whoever receives them and the one who reads them; `waiting` counts bytes. */
function pieceQueue() {
  const pieces: Piece[] = []
  let taker: ((piece: Piece) => void) | null = null
  let waiting = 0
  const size = (piece: Piece) => (piece.kind === 'bytes' ? piece.bytes.length : 0)
  return {
    put(piece: Piece) {
      if (taker === null) {
        pieces.push(piece)
        waiting += size(piece)
        return
      }
      taker(piece)
      taker = null
    },
    take(): Promise<Piece> {
      const piece = pieces.shift()
      if (piece === undefined) {
        return new Promise((resolve) => {
          taker = resolve
        })
      }
      waiting -= size(piece)
      return Promise.resolve(piece)
    },
    get waiting() {
      return waiting
    }
  }
}

const abortError = () => new DOMException('the request was aborted', 'AbortError')
