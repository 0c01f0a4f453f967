import * as z from 'zod'
import { isLoopback, type VaultConfig } from '../config/index.ts'
import { MemoryFailure } from './errors.ts'
import { parseExactJson } from './exact-json.ts'
import { type Checkpoint, recordFrom } from './record.ts'
import { recordFile } from './record-file.ts'
import { postToVault, unavailable, usualLimits, type VaultAddress } from './vault-http.ts'

/** A checkpoint as a vault told it: nothing of it is verified yet (MEM-101). */
export type VaultHit = { readonly record: Checkpoint; readonly similarity: number }

export type VaultQuery = { readonly embedding: Float32Array; readonly repo: string; readonly topK: number }

/** A team's vault. Calls reject with `MemoryFailure` (`vault-unavailable`, `vault-unauthorized`, `vault-rejected`). */
export interface VaultClient {
  /** `known`: it had it already (MEM-098). */
  push(record: Checkpoint, signal: AbortSignal): Promise<'stored' | 'known'>
  /** In the vault's order; results that are no checkpoints are left out. */
  search(query: VaultQuery, signal: AbortSignal): Promise<readonly VaultHit[]>
}

export type VaultAccess =
  | { readonly kind: 'on'; readonly address: VaultAddress }
  /** `warning` is without glyph, null when nobody asked for a vault. */
  | { readonly kind: 'off'; readonly warning: string | null }

/** Whether there is a vault to talk to. One on another machine takes a token (MEM-099). */
export function vaultAccess(config: VaultConfig | null): VaultAccess {
  if (config === null || config.url === null) return { kind: 'off', warning: null }
  const { url, token } = config
  if (token === null && !isLoopback(new URL(url)))
    return { kind: 'off', warning: 'vault.token missing, vault disabled' }
  return { kind: 'on', address: { url, token } }
}

/** A client for the vault at that address (MEM-098). */
export function createVaultClient(address: VaultAddress, limits = usualLimits): VaultClient {
  return {
    async push(record, signal) {
      const body = `{"checkpoint":${recordFile(record)}}`
      const answer = await postToVault(address, 'checkpoints', body, signal, limits)
      if (answer.status === 201) return 'stored'
      if (answer.status === 409) return 'known'
      throw rejected('push', answer.status, answer.body, record.hash)
    },
    async search({ embedding, repo, topK }, signal) {
      const body = JSON.stringify({ embedding: Array.from(embedding), repo, top_k: topK })
      const answer = await postToVault(address, 'search', body, signal, limits)
      if (answer.status !== 200) throw rejected('search', answer.status, answer.body)
      return readResults(answer.body, topK)
    }
  }
}

function rejected(operation: string, status: number, body: string, hash?: string): MemoryFailure {
  const line = body.split('\n', 1)[0]?.slice(0, 200) ?? ''
  const facts = { operation, status, ...(hash === undefined ? {} : { hash }) }
  return new MemoryFailure('vault-rejected', `vault: ${line === '' ? `HTTP ${status}` : line}`, facts)
}

/** No more than were asked for is looked at: each costs a check of its signature and its chain (MEM-098, MEM-101). */
function readResults(body: string, atMost: number): readonly VaultHit[] {
  const parsed = parseExactJson(body)
  const answer = answerSchema.safeParse('value' in parsed ? withSmallKeys(parsed.value) : null)
  if (!answer.success) throw unavailable('search', 'not the answer of a vault')
  return (answer.data.results ?? []).slice(0, atMost).flatMap((raw) => {
    const result = resultSchema.safeParse(withSmallKeys(raw))
    const read = result.success ? recordFrom(withSmallKeys(result.data.checkpoint)) : null
    return result.success && read !== null && 'record' in read
      ? [{ record: read.record, similarity: result.data.similarity }]
      : []
  })
}

/** Writers of other languages capitalise the names of their fields (MEM-098). */
function withSmallKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key.toLowerCase(), each]))
}

const answerSchema = z.object({
  results: z.custom<readonly unknown[] | null>((results) => results === null || Array.isArray(results))
})
const resultSchema = z.object({ checkpoint: z.unknown(), similarity: z.number() })
