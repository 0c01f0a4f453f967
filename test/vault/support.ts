import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { publicPemOf } from '../../src/memory/key-files.ts'
import { type Checkpoint, zeroHash } from '../../src/memory/record.ts'
import { recordFile } from '../../src/memory/record-file.ts'
import { deviceKeys } from '../../src/vault/device-keys.ts'
import { serveVault, type VaultOptions } from '../../src/vault/serve.ts'
import { signedRecord, vectorKey } from '../memory/support.ts'
import { temporaryFolder } from '../support/temporary.ts'

export type TestVault = {
  readonly url: string
  readonly folder: string
  readonly keysDir: string
  readonly errors: unknown[]
  post(path: string, body: string, headers?: Record<string, string>): Promise<Answer>
  push(record: Checkpoint, headers?: Record<string, string>): Promise<Answer>
  search(ask: unknown, headers?: Record<string, string>): Promise<Answer>
  get(path: string): Promise<Answer>
}

export type Answer = { readonly status: number; readonly text: string; readonly headers: Headers }

/** A vault on loopback with a database of its own that knows the key of `dev-1`; gone after the test. */
export async function startVault(
  options: Partial<VaultOptions> & { readonly verify?: boolean } = {}
): Promise<TestVault> {
  const folder = temporaryFolder()
  const keysDir = join(folder, 'devices')
  mkdirSync(keysDir)
  writeFileSync(join(keysDir, 'dev-1.pub'), publicPemOf(vectorKey))
  const { verify = true, ...rest } = options
  const errors: unknown[] = []
  const running = await serveVault({
    databasePath: join(folder, 'vault.db'),
    address: { host: '127.0.0.1', port: 0 },
    token: null,
    allowSegments: true,
    keyFor: verify ? deviceKeys(keysDir) : null,
    onError: (error) => errors.push(error),
    ...rest
  })
  onTestFinished(() => running.drain(0))
  const url = `http://${running.address}`
  const ask = async (path: string, init?: RequestInit): Promise<Answer> => {
    const response = await fetch(url + path, init)
    return { status: response.status, text: await response.text(), headers: response.headers }
  }
  const post: TestVault['post'] = (path, body, headers = {}) => ask(path, { method: 'POST', body, headers })
  return {
    url,
    folder,
    keysDir,
    errors,
    post,
    push: (record, headers) => post('/v1/checkpoints', `{"checkpoint":${recordFile(record)}}`, headers),
    search: (body, headers) => post('/v1/search', JSON.stringify(body), headers),
    get: (path) => ask(path)
  }
}

/** A chain of signed records, each the successor of the one before; `fields` says what they are. */
export function chainOf(...fields: readonly Partial<Checkpoint>[]): Checkpoint[] {
  const chain: Checkpoint[] = []
  for (const each of fields) {
    const last = chain.at(-1)
    chain.push(signedRecord({ ts: (last?.ts ?? 100n) + 1n, parent: last?.hash ?? zeroHash, ...each }))
  }
  return chain
}
