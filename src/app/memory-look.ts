import { existsSync } from 'node:fs'
import type { CliIo } from '../cli/io.ts'
import { printWarning } from '../cli/print.ts'
import { ConfigFailure, homePaths, loadEmbedderConfig } from '../config/index.ts'
import { messageOf } from '../lib/error.ts'
import {
  type ChainFindings,
  chainNotice,
  createTrust,
  type DistrustReason,
  type Listing,
  MemoryFailure,
  type MemoryStore,
  openEmbedder,
  openMemoryStore,
  openVectorSearch,
  type Semantic,
  searchMemory
} from '../memory/index.ts'
import { deviceId } from './identity.ts'
import { currentRepo } from './memory-place.ts'

// What the offline commands that look at checkpoints stand on: `ghyll memory log` and `search`. Reading makes no files.

export type { Listing }
/** `summary`: the whole of it, where that was asked for. */
export type FoundCheckpoint = { readonly listing: Listing; readonly summary: string | null }
export type LoggedCheckpoint = FoundCheckpoint & { readonly status: 'verified' | DistrustReason | null }

export type LogOptions = {
  /** One repository: an identity, or `here` for that of the current folder; null for all. */
  readonly repo: string | null
  readonly verify: boolean
  readonly summary: boolean
}

/** Every checkpoint by time, each with its verdict when asked for; `note` is told what chains have to say (MEM-052…054). */
export async function* memoryLog(
  options: LogOptions,
  io: CliIo,
  note: (text: string) => void
): AsyncGenerator<LoggedCheckpoint> {
  const store = openExisting(io)
  if (store === null) return
  try {
    const repo = options.repo === 'here' ? await currentRepo(io) : options.repo
    const trust = createTrust(store)
    const chains = new Map<string, ChainFindings>()
    for (const chain of options.verify ? store.chains(repo) : []) {
      const findings = await trust.findings(chain)
      chains.set(chainKey(chain), findings)
      noteFindings(chain.device, findings, io, note)
    }
    for (const listing of [...store.list(repo)]) {
      const findings = chains.get(chainKey(listing))
      const record = findings === undefined && !options.summary ? null : store.get(listing.hash)
      const verdict = findings === undefined || record === null ? null : trust.judge(record, findings)
      const status = verdict === null ? null : verdict.trusted ? 'verified' : verdict.reason
      yield { listing, status, summary: options.summary ? (record?.summary ?? null) : null }
    }
  } finally {
    store.close()
  }
}

function noteFindings(
  device: string,
  { broken, restarts, forks }: ChainFindings,
  io: CliIo,
  note: (text: string) => void
) {
  for (const hash of restarts) note(chainNotice('starts again', hash, device))
  for (const hash of forks) note(chainNotice('forks', hash, device))
  for (const hash of new Set(broken.values())) note(chainNotice('broken', hash, device))
  if (broken.size > 0 && device === deviceId(io.env))
    note(
      `nothing this device remembers behind the break is trusted; while no session runs, move ${homePaths(io.env).memoryDb} with its -wal and -shm files away: its chain then starts again`
    )
}

const chainKey = ({ device, repo }: { readonly device: string; readonly repo: string }) =>
  JSON.stringify([device, repo])

/** The best matches of the current repository or, with `all`, of every one (CLI-013). */
export async function memorySearch(
  query: string,
  { all, summary }: { readonly all: boolean; readonly summary: boolean },
  io: CliIo
): Promise<readonly FoundCheckpoint[]> {
  const store = openExisting(io)
  if (store === null) return []
  const semantic = await openSemantic(store, io)
  try {
    const found = await searchMemory(query, all ? null : await currentRepo(io), store, semantic)
    return found.map((listing) => ({ listing, summary: summary ? (store.get(listing.hash)?.summary ?? null) : null }))
  } finally {
    await semantic?.vectors.close()
    await semantic?.embedder.close()
    store.close()
  }
}

/** The store, or null where nothing was ever remembered: reading makes no files. */
function openExisting(io: CliIo): MemoryStore | null {
  const { memoryDb } = homePaths(io.env)
  return existsSync(memoryDb) ? openMemoryStore(memoryDb) : null
}

/** Embedder and vectors when there is a model; a search goes on without. */
async function openSemantic(store: MemoryStore, io: CliIo): Promise<Semantic | null> {
  try {
    const settings = loadEmbedderConfig(io.env)
    if (!existsSync(settings.modelPath)) return null
    const embedder = await openEmbedder(settings)
    return { embedder, vectors: openVectorSearch({ databasePath: store.path, embedder: embedder.tag }) }
  } catch (error) {
    if (!(error instanceof MemoryFailure || error instanceof ConfigFailure)) throw error
    printWarning(io, `${messageOf(error)}; searching words only`)
    return null
  }
}
