import { networkReasonOf } from '../../lib/error.ts'
import { firstBytes } from '../../lib/first-bytes.ts'
import { ToolFailure } from './errors.ts'
import type { ToolHost } from './tool.ts'

const attempts = 3
const waitsMs = [1000, 2000] as const
const maxRedirects = 10

/** A page as it came: the first bytes of it, and what its sender said of it. */
export type WebPage = {
  /** After redirects. */
  readonly url: string
  /** Lower case, without parameters; empty when the sender names none. */
  readonly type: string
  readonly charset: string | null
  readonly bytes: Buffer
  /** There was more than `maxBytes`. */
  readonly isCut: boolean
}

export type WebRequest = {
  readonly url: URL
  readonly maxBytes: number
  /** `domain` or `search backend`, for the last error. */
  readonly subject: string
  /** Goes before `HTTP <code>`. */
  readonly refusalPrefix?: string
  /** Types whose body is not worth reading. */
  readonly accepts: (type: string) => boolean
}

/** What an address must be before anything is sent (TOOL-080). */
export function parseWebUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null) throw invalidUrl(`not an absolute URL: ${text}`)
  return checkedUrl(url)
}

function checkedUrl(url: URL): URL {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw invalidUrl(`unsupported scheme ${url.protocol}`)
  if (url.username !== '' || url.password !== '') throw invalidUrl('it contains a user name or password')
  return url
}

const invalidUrl = (detail: string) => new ToolFailure('invalid-args', `invalid URL: ${detail}`)

/**
 * GET with up to three attempts, one and two seconds apart, on connection errors and 5xx (TOOL-081, TOOL-093). `signal` carries the
 * total time limit and the operator's interrupt.
 */
export async function fetchPage(host: ToolHost, request: WebRequest, signal: AbortSignal): Promise<WebPage> {
  let detail = ''
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (attempt > 0) await host.clock.sleep(waitsMs[attempt - 1] as number, signal)
    const outcome = await fetchOnce(host, request, signal)
    if ('page' in outcome) return outcome.page
    detail = outcome.retry
  }
  throw new ToolFailure('network', `${request.subject} not reachable after ${attempts} attempts: ${detail}`)
}

async function fetchOnce(
  host: ToolHost,
  request: WebRequest,
  signal: AbortSignal
): Promise<{ readonly page: WebPage } | { readonly retry: string }> {
  try {
    const { response, url } = await followRedirects(host, request.url, signal)
    if (response.status >= 500) {
      await response.body?.cancel()
      return { retry: `HTTP ${response.status}` }
    }
    // 202 is how the search backend asks for a person; there is nothing to read in it.
    if (!response.ok || response.status === 202) {
      await response.body?.cancel()
      throw new ToolFailure('http', `${request.refusalPrefix ?? ''}HTTP ${response.status}`)
    }
    return { page: await readPage(response, url, request) }
  } catch (thrown) {
    if (thrown instanceof ToolFailure || signal.aborted) throw thrown
    return { retry: networkReasonOf(thrown) }
  }
}

async function followRedirects(
  host: ToolHost,
  start: URL,
  signal: AbortSignal
): Promise<{ response: Response; url: URL }> {
  let url = start
  for (let hops = 0; hops <= maxRedirects; hops += 1) {
    const response = await host.fetch(url, {
      redirect: 'manual',
      signal,
      headers: { 'User-Agent': `ghyll/${host.version}`, Accept: 'text/html,text/plain,application/json,*/*;q=0.5' }
    })
    const location = response.headers.get('location')
    if (response.status < 300 || response.status > 399 || location === null) return { response, url }
    await response.body?.cancel()
    if (!URL.canParse(location, url)) throw invalidUrl(`redirect to ${location}`)
    url = checkedUrl(new URL(location, url))
  }
  throw new ToolFailure('http', `too many redirects, more than ${maxRedirects}`)
}

async function readPage(response: Response, url: URL, { maxBytes, accepts }: WebRequest): Promise<WebPage> {
  const [type = '', ...parameters] = (response.headers.get('content-type') ?? '').split(';').map((part) => part.trim())
  const page = { url: url.href, type: type.toLowerCase(), charset: charsetOf(parameters) }
  if (!accepts(page.type)) {
    await response.body?.cancel()
    return { ...page, bytes: Buffer.alloc(0), isCut: false }
  }
  return { ...page, ...(await firstBytes(response.body, maxBytes)) }
}

function charsetOf(parameters: readonly string[]): string | null {
  const charset = parameters.find((parameter) => parameter.toLowerCase().startsWith('charset='))
  return charset === undefined ? null : charset.slice('charset='.length).replaceAll('"', '').replaceAll("'", '').trim()
}
