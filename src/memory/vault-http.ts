import { networkReasonOf } from '../lib/error.ts'
import { firstBytes } from '../lib/first-bytes.ts'
import { MemoryFailure } from './errors.ts'

// One request to a vault, under the client's limits: 5 seconds, no redirects, 16 MiB of answer (MEM-098).

export type VaultLimits = { readonly timeoutMs: number; readonly maxBytes: number }
export type VaultAddress = { readonly url: string; readonly token: string | null }
export type VaultAnswer = { readonly status: number; readonly body: string }

/** The client's limits (MEM-098). */
export const usualLimits: VaultLimits = { timeoutMs: 5000, maxBytes: 16 * 1024 * 1024 }

/** With which a vault judges a request, other than 401. Anything else is trouble of the server, or no vault at all. */
const vaultStatuses: ReadonlySet<number> = new Set([200, 201, 400, 403, 409, 413])

/**
 * Posts JSON text to `/v1/<endpoint>`. Rejects with `MemoryFailure` `vault-unavailable` when no usable answer comes, `vault-unauthorized` for
 * 401, or with the reason of `signal` (MEM-098, MEM-099).
 */
export async function postToVault(
  { url, token }: VaultAddress,
  endpoint: 'search' | 'checkpoints',
  body: string,
  signal: AbortSignal,
  limits: VaultLimits = usualLimits
): Promise<VaultAnswer> {
  const operation = endpoint === 'search' ? 'search' : 'push'
  try {
    const response = await fetch(`${url.replace(/\/+$/, '')}/v1/${endpoint}`, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json', ...(token === null ? {} : { Authorization: `Bearer ${token}` }) },
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(limits.timeoutMs)])
    })
    const answer = { status: response.status, body: await readCapped(response, limits.maxBytes) }
    if (answer.status === 401)
      throw new MemoryFailure(
        'vault-unauthorized',
        'vault: unauthorized',
        { operation, status: 401 },
        { hint: 'check vault.token in the configuration' }
      )
    if (!vaultStatuses.has(answer.status))
      throw unavailable(operation, `HTTP ${answer.status}`, undefined, answer.status)
    return answer
  } catch (error) {
    if (error instanceof MemoryFailure) throw error
    if (signal.aborted) throw signal.reason
    throw unavailable(operation, reasonOf(error, limits), error)
  }
}

/** The failure of a vault that does not answer as a vault does (MEM-098, MEM-102). */
export function unavailable(operation: string, reason: string, cause?: unknown, status?: number): MemoryFailure {
  const facts = { operation, ...(status === undefined ? {} : { status }) }
  return new MemoryFailure('vault-unavailable', `vault: ${reason}`, facts, { cause })
}

async function readCapped(response: Response, maxBytes: number): Promise<string> {
  const { bytes, isCut } = await firstBytes(response.body, maxBytes)
  if (isCut) throw new Error(`an answer of more than ${maxBytes} bytes`)
  return bytes.toString('utf8')
}

function reasonOf(error: unknown, { timeoutMs }: VaultLimits): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') return `no answer within ${timeoutMs} ms`
  return networkReasonOf(error)
}
