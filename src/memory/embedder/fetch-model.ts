import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, statSync } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { messageOf, systemCodeOf } from '../../lib/error.ts'
import { syncFolder } from '../../platform/atomic-file.ts'
import { MemoryFailure } from '../errors.ts'
import { type Download, failure, startDownload } from './download.ts'
import { checkModelFile, maxModelBytes } from './model-file.ts'

export type FetchRequest = {
  readonly url: string
  /** Absolute path of the model. */
  readonly path: string
  /** 64 lower-case hex digits that the file must have, or null (MEM-121). */
  readonly sha256: string | null
  /** Whether to download although there is a model. */
  readonly force: boolean
}

export type FetchProgress =
  | { readonly kind: 'started'; readonly url: string }
  /** Only when the server declares it. */
  | { readonly kind: 'size'; readonly bytes: number }
  | { readonly kind: 'received'; readonly bytes: number; readonly total: number | null }

export type FetchOutcome =
  | { readonly kind: 'present'; readonly bytes: number }
  | { readonly kind: 'ready'; readonly bytes: number; readonly sha256: string }

export type FetchLimits = { readonly timeMs: number; readonly maxBytes: number }

/** MEM-125 */
const usualLimits: FetchLimits = { timeMs: 15 * 60_000, maxBytes: maxModelBytes }

/**
 * Downloads the model beside its place, compares the digest, and only then puts it there; a model that is there already is untouched by
 * any failure (MEM-124…126). Rejects with `MemoryFailure` `embedder-unavailable`, or with the reason of `signal`; nothing is left behind.
 */
export async function fetchModel(
  request: FetchRequest,
  onProgress: (progress: FetchProgress) => void,
  signal: AbortSignal,
  { timeMs, maxBytes }: FetchLimits = usualLimits
): Promise<FetchOutcome> {
  const present = sizeOf(request.path)
  if (present !== null && !request.force) return { kind: 'present', bytes: present }

  onProgress({ kind: 'started', url: request.url })
  const timeout = AbortSignal.timeout(timeMs)
  try {
    const download = await startDownload(request.url, AbortSignal.any([signal, timeout]), maxBytes)
    if (download.size !== null) onProgress({ kind: 'size', bytes: download.size })
    return await install(download, request, onProgress)
  } catch (error) {
    if (error === timeout.reason && timeout.aborted)
      throw failure(`download from ${request.url} took longer than ${timeMs / 1000} s`, error)
    if (error instanceof MemoryFailure || systemCodeOf(error) === undefined) throw error
    throw failure(`cannot write ${request.path}: ${messageOf(error)}`, error)
  }
}

async function install(
  download: Download,
  { path, sha256, url }: FetchRequest,
  onProgress: (progress: FetchProgress) => void
): Promise<FetchOutcome> {
  const folder = dirname(path)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const temporary = join(folder, `${basename(path)}.${randomBytes(6).toString('hex')}.tmp`)
  try {
    const file = await open(temporary, 'wx', 0o644)
    let received: { bytes: number; sha256: string }
    try {
      received = await receive(download, file, onProgress)
      checkModelFile(temporary, url)
      if (sha256 !== null && received.sha256 !== sha256)
        throw failure(`model_sha256 mismatch: expected ${sha256}, got ${received.sha256}; not installed`)
      await file.chmod(0o644) // the umask took bits off at creation
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
    syncFolder(folder)
    return { kind: 'ready', ...received }
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

async function receive(
  { size, chunks }: Download,
  file: FileHandle,
  onProgress: (progress: FetchProgress) => void
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  let bytes = 0
  let told = 0
  for await (const chunk of chunks) {
    hash.update(chunk)
    await file.appendFile(chunk)
    bytes += chunk.length
    const step = stepOf(bytes, size)
    if (step === told) continue
    told = step
    onProgress({ kind: 'received', bytes, total: size })
  }
  return { bytes, sha256: hash.digest('hex') }
}

/** Whole percents where the size is known, else MiB: what is worth telling. */
function stepOf(bytes: number, size: number | null): number {
  return size === null || size === 0 ? Math.floor(bytes / 1024 ** 2) : Math.floor((bytes / size) * 100)
}

function sizeOf(path: string): number | null {
  try {
    return statSync(path).size
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return null
    throw failure(`cannot read ${path}: ${messageOf(error)}`, error)
  }
}
