import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats, statSync } from 'node:fs'
import { messageOf, systemCodeOf } from '../lib/error.ts'
import { ConfigFailure } from './errors.ts'

export type ConfigSource = {
  readonly path: string
  readonly text: string /** Permission bits. */
  readonly mode: number
}

const maxBytes = 1024 * 1024

/** Reads the file under the rules of CFG-003. Throws `ConfigFailure`, `config-missing` when there is none. */
export function readConfigFile(path: string): ConfigSource {
  let descriptor: number
  try {
    if (lstatSync(path).isSymbolicLink()) refuseForeignTarget(path)
    // Non-blocking, since a named pipe would wait for its other end.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    throw failureOf(path, error)
  }
  try {
    const stats = fstatSync(descriptor)
    if (!stats.isFile()) throw unreadable(`not a regular file: ${path}`)
    return { path, text: decode(path, readCapped(path, descriptor)), mode: stats.mode & 0o777 }
  } catch (error) {
    throw failureOf(path, error)
  } finally {
    closeSync(descriptor)
  }
}

function refuseForeignTarget(path: string): void {
  let target: Stats | undefined
  try {
    target = statSync(path, { throwIfNoEntry: false })
  } catch {
    // A loop, or a folder on the way that is closed to us: the target cannot be vouched for either.
  }
  if (target === undefined || target.uid !== process.getuid?.()) throw unreadable(`refusing symlink: ${path}`)
}

/** Reads to the end whatever size the file system claims, and stops at the cap. */
function readCapped(path: string, descriptor: number): Buffer {
  const chunks: Buffer[] = []
  let total = 0
  for (;;) {
    const chunk = Buffer.alloc(64 * 1024)
    const count = readSync(descriptor, chunk)
    if (count === 0) return Buffer.concat(chunks)
    total += count
    if (total > maxBytes) throw unreadable(`config is larger than 1 MiB: ${path}`)
    chunks.push(chunk.subarray(0, count))
  }
}

function decode(path: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes) // drops a byte order mark
  } catch (error) {
    throw unreadable(`config is not valid UTF-8: ${path}`, error)
  }
}

function failureOf(path: string, error: unknown): unknown {
  if (error instanceof ConfigFailure || systemCodeOf(error) === undefined) return error
  if (systemCodeOf(error) === 'ENOENT')
    return new ConfigFailure(
      'config-missing',
      [`no config found at ${path}; run "ghyll run" once to create it`], // CFG-032
      error
    )
  return unreadable(`cannot read ${path}: ${messageOf(error)}`, error)
}

function unreadable(problem: string, cause?: unknown): ConfigFailure {
  return new ConfigFailure('config-unreadable', [problem], cause)
}
