import type { Readable } from 'node:stream'

/** What reading a body brings next. Trouble is a value here, so that a bug in whoever uses the bytes is not taken for it. */
export type Piece =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'end' }
  | { readonly kind: 'broken'; readonly cause: unknown }

/** Reads a body piece by piece. */
export function pieces(body: Readable): { next(): Promise<Piece> } {
  const iterator: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]()
  return {
    async next() {
      try {
        const { done, value } = await iterator.next()
        return done ? { kind: 'end' } : { kind: 'bytes', bytes: value }
      } catch (cause) {
        return { kind: 'broken', cause }
      }
    }
  }
}

/** A whole body of at most `limit` bytes as text. What was read before it broke off or grew too large is there as well. */
export async function readText(
  body: Readable,
  limit: number
): Promise<{ readonly text: string; readonly how: 'whole' | 'too-large' | 'broken'; readonly cause?: unknown }> {
  const chunks: Uint8Array[] = []
  let size = 0
  const text = () => Buffer.concat(chunks).subarray(0, limit).toString('utf8')
  const reader = pieces(body)
  for (;;) {
    const piece = await reader.next()
    if (piece.kind === 'end') return { text: text(), how: 'whole' }
    if (piece.kind === 'broken') return { text: text(), how: 'broken', cause: piece.cause }
    chunks.push(piece.bytes)
    size += piece.bytes.length
    if (size > limit) return { text: text(), how: 'too-large' }
  }
}
