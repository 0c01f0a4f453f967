import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { Failure, messageOf, systemCodeOf } from '../lib/error.ts'
import { type KeyLookup, openVectorSearch } from '../memory/index.ts'
import { type Address, formatAddress } from './address.ts'
import { createVaultApp } from './app.ts'
import { openVaultStore } from './store.ts'

export type VaultOptions = {
  readonly databasePath: string
  readonly address: Address
  readonly token: string | null
  readonly allowSegments: boolean
  /** null checks no signature. */
  readonly keyFor: KeyLookup | null
  readonly onError: (error: unknown) => void
}

export type RunningVault = {
  /** With the port that was taken, where 0 was asked for. */
  readonly address: string
  /** Takes no more requests, finishes those under way, cuts them off after `patienceMs`, and closes the store (CLI-033). */
  drain(patienceMs?: number): Promise<void>
}

/** The address cannot be had. */
class ListenFailure extends Failure {
  readonly code = 'cannot-listen'
  constructor(address: string, cause: unknown) {
    super(`cannot listen on ${address}: ${systemCodeOf(cause) ?? messageOf(cause)}`, { cause })
  }
}

/** Opens the store and listens (MEM-096, CLI-033). Rejects with a `Failure`, and then has closed what it opened. */
export async function serveVault(options: VaultOptions): Promise<RunningVault> {
  const { databasePath, address, token, allowSegments, keyFor, onError } = options
  const store = openVaultStore(databasePath)
  const vectors = openVectorSearch({ databasePath, embedder: null })
  const close = async () => {
    await vectors.close()
    store.close()
  }
  const app = createVaultApp({ store, vectors, token, allowSegments, keyFor, now: Date.now, onError })
  const server = createAdaptorServer({ fetch: app.fetch }) as Server
  try {
    server.listen({ port: address.port, ...(address.host === null ? {} : { host: address.host }) })
    await once(server, 'listening')
  } catch (error) {
    await close()
    throw new ListenFailure(formatAddress(address), error)
  }
  const { port } = server.address() as AddressInfo
  return {
    address: formatAddress({ ...address, port }),
    async drain(patienceMs = 10_000) {
      const closed = once(server, 'close')
      server.close()
      // A connection whose last request is answered now would be kept for the next one otherwise.
      const sweeper = setInterval(() => server.closeIdleConnections(), 50)
      const timer = setTimeout(() => server.closeAllConnections(), patienceMs)
      await closed
      clearInterval(sweeper)
      clearTimeout(timer)
      await close()
    }
  }
}
