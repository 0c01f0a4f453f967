import type { Clock } from '../lib/clock.ts'
import { MemoryFailure, type MemoryFailureCode } from './errors.ts'
import type { Embedder } from './ports.ts'
import type { Checkpoint } from './record.ts'
import type { MemoryStore } from './store.ts'
import type { Trust } from './trust.ts'
import { type CheckedAnswer, checkAnswer } from './vault-answer.ts'
import type { VaultClient, VaultQuery } from './vault-client.ts'

/** The vault as the rest of the program uses it: trouble is a reduced capability and one line, never an error (MEM-102). */
export interface VaultLink {
  /** Verified results; none when the vault is out of reach. Rejects only with the reason of `signal`. */
  search(query: VaultQuery, signal: AbortSignal): Promise<CheckedAnswer>
  /**
   * Pushes what has not arrived yet, oldest first, one drain at a time (MEM-100). After trouble nothing is tried until the backoff is
   * over, and a record that was refused not until its own is, unless `force` says so. Returns how many arrived and the trouble there
   * was; rejects only with the reason of `signal`.
   */
  drain(signal: AbortSignal, options?: { readonly force?: boolean }): Promise<Drained>
}

export type Drained = { readonly arrived: number; readonly failure: MemoryFailure | null }

export type VaultLinkParts = {
  readonly client: VaultClient
  readonly store: Pick<MemoryStore, 'outbox' | 'get'>
  readonly trust: Pick<Trust, 'verdictOn'>
  /** The embedder as soon as there is one. */
  readonly embedder: () => Embedder | null
  readonly clock: Pick<Clock, 'now'>
  /** The line of MEM-102, once per outage, without glyph. */
  readonly onOutage: (text: string) => void
  /** Every failure, for the log. */
  readonly onFailure: (failure: MemoryFailure) => void
}

const firstDelayMs = 5000
const longestDelayMs = 10 * 60_000
const batch = 1000
const outageLines: Partial<Record<MemoryFailureCode, string>> = {
  'vault-unavailable': 'vault unreachable, using local memory only',
  'vault-unauthorized': 'vault refuses the token, using local memory only'
}

/** How long is waited after so many failures in a row (MEM-100). */
const pauseMs = (count: number) => Math.min(longestDelayMs, firstDelayMs * 2 ** (count - 1))

/** A link that backs off after failures and tells an outage once (MEM-100, MEM-102). */
export function createVaultLink(parts: VaultLinkParts): VaultLink {
  const { client, store, clock } = parts
  let outage = false
  let failures = 0
  let notBefore = 0
  let draining: Promise<Drained> | null = null
  /** Records that the vault does not take, by hash; they wait by themselves, not the others with them. */
  const rejected = new Map<string, { readonly count: number; readonly notBefore: number }>()

  /** Notes a failure and tells of an outage that it begins; anything else is not for us. */
  const failed = (error: unknown): MemoryFailure => {
    if (!(error instanceof MemoryFailure)) throw error
    parts.onFailure(error)
    const line = outageLines[error.code]
    if (line !== undefined && !outage) {
      outage = true
      parts.onOutage(line)
    }
    return error
  }

  /** One record that the vault does not take must not hold up the others; any other trouble is thrown. */
  const push = async (record: Checkpoint, signal: AbortSignal): Promise<MemoryFailure | null> => {
    try {
      await client.push(record, signal)
    } catch (error) {
      if (!(error instanceof MemoryFailure) || error.code !== 'vault-rejected') throw error
      const count = (rejected.get(record.hash)?.count ?? 0) + 1
      rejected.set(record.hash, { count, notBefore: clock.now() + pauseMs(count) })
      return failed(error)
    }
    rejected.delete(record.hash)
    outage = false
    store.outbox.arrived('vault', [record.hash], clock.now())
    return null
  }

  const drainNow = async (signal: AbortSignal, force: boolean): Promise<Drained> => {
    let arrived = 0
    let failure: MemoryFailure | null = null
    try {
      for (const hash of store.outbox.pending('vault', null, batch + rejected.size)) {
        if (!force && clock.now() < (rejected.get(hash)?.notBefore ?? 0)) continue
        const record = store.get(hash)
        if (record === null) continue
        const rejection = await push(record, signal)
        if (rejection === null) arrived += 1
        else failure = rejection
      }
      failures = 0
      notBefore = 0
    } catch (error) {
      failure = failed(error)
      failures += 1
      notBefore = clock.now() + pauseMs(failures)
    }
    return { arrived, failure }
  }

  return {
    async search(query, signal) {
      try {
        const hits = await client.search(query, signal)
        outage = false
        const { repo, embedding } = query
        return await checkAnswer(hits, { trust: parts.trust, embedder: parts.embedder(), repo, query: embedding })
      } catch (error) {
        failed(error)
        return { hits: [], refused: [] }
      }
    },
    drain(signal, { force = false } = {}) {
      if (draining !== null) return draining
      if (!force && clock.now() < notBefore) return Promise.resolve({ arrived: 0, failure: null })
      draining = drainNow(signal, force).finally(() => {
        draining = null
      })
      return draining
    }
  }
}
