import { isLoopback } from '../../config/index.ts'
import { networkReasonOf } from '../../lib/error.ts'
import { firstBytes } from '../../lib/first-bytes.ts'
import { safeText } from '../../lib/safe-text.ts'
import { MemoryFailure } from '../errors.ts'

/** An answer that may be a model: 2xx, no web page, not declared larger than allowed (MEM-125). */
export type Download = {
  /** Bytes as declared, or null. */
  readonly size: number | null
  /** The bytes; rejects with `MemoryFailure` when they end early or go beyond what is allowed. */
  readonly chunks: AsyncIterable<Uint8Array>
}

const maxRedirects = 10
const maxErrorBytes = 4096

/**
 * Requests `url` and follows at most ten redirects, each to an allowed address (MEM-122, MEM-125). Rejects with `MemoryFailure`
 * `embedder-unavailable`, or with the reason of `signal`.
 */
export async function startDownload(url: string, signal: AbortSignal, maxBytes: number): Promise<Download> {
  let at = allowedUrl(url)
  for (let redirects = 0; ; redirects += 1) {
    const response = await request(at, signal)
    const next = redirectOf(response, at)
    if (next === null) return accept(response, at, signal, maxBytes)
    if (redirects === maxRedirects) throw failure(`more than ${maxRedirects} redirects from ${url}`)
    await response.body?.cancel()
    at = allowedUrl(next)
  }
}

/** The failure of a download, `facts.operation` is `fetch` (MEM-125). */
export function failure(message: string, cause?: unknown, status?: number): MemoryFailure {
  const facts = { operation: 'fetch', ...(status === undefined ? {} : { status }) }
  return new MemoryFailure('embedder-unavailable', message, facts, { cause })
}

/** https anywhere, http on this machine (MEM-122). */
function allowedUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null) throw failure(`model_url is not a URL: ${text}`)
  const open = url.protocol === 'http:' && isLoopback(url)
  if (url.protocol !== 'https:' && !open)
    throw failure(`model_url must be https (got scheme "${url.protocol.slice(0, -1)}")`)
  return url
}

async function request(url: URL, signal: AbortSignal): Promise<Response> {
  try {
    // A compressed answer would have another length than the one declared.
    return await fetch(url, { redirect: 'manual', signal, headers: { 'Accept-Encoding': 'identity' } })
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw failure(`cannot download ${url}: ${networkReasonOf(error)}`, error)
  }
}

function redirectOf({ status, headers }: Response, base: URL): string | null {
  const location = headers.get('location')
  if (![301, 302, 303, 307, 308].includes(status) || location === null) return null
  return URL.canParse(location, base) ? new URL(location, base).href : location
}

async function accept(response: Response, url: URL, signal: AbortSignal, maxBytes: number): Promise<Download> {
  if (!response.ok) {
    const { bytes } = await firstBytes(response.body, maxErrorBytes)
    const body = safeText(new TextDecoder().decode(bytes)).trim()
    throw failure(`HTTP ${response.status} from ${url}${body === '' ? '' : `: ${body}`}`, undefined, response.status)
  }
  const type = response.headers.get('content-type') ?? ''
  const declared = response.headers.get('content-length')
  const size = declared !== null && /^\d+$/.test(declared) ? Number(declared) : null
  const problem = /^text\/html\b/i.test(type)
    ? 'is a web page, not a model'
    : (size ?? 0) > maxBytes
      ? `has ${size} bytes, more than ${sizeName(maxBytes)}`
      : null
  if (problem === null) return { size, chunks: limited(response, url, signal, maxBytes) }
  await response.body?.cancel()
  throw failure(`${url} ${problem}`)
}

async function* limited(
  response: Response,
  url: URL,
  signal: AbortSignal,
  maxBytes: number
): AsyncIterable<Uint8Array> {
  let total = 0
  try {
    for await (const chunk of response.body ?? []) {
      total += chunk.length
      if (total > maxBytes) throw failure(`${url} has more than ${sizeName(maxBytes)}`)
      yield chunk
    }
  } catch (error) {
    if (error instanceof MemoryFailure) throw error
    if (signal.aborted) throw signal.reason
    throw failure(`download from ${url} broke off: ${networkReasonOf(error)}`, error)
  }
  if (total === 0) throw failure(`${url} is empty`)
}

const sizeName = (bytes: number) => (bytes < 1024 ** 3 ? `${bytes} bytes` : `${bytes / 1024 ** 3} GiB`)
