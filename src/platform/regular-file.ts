import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { Failure, systemCodeOf } from '../lib/error.ts'

/** What stands at a path is a link, a pipe, a device or a folder where a file was to be. */
export class NoRegularFile extends Failure {
  readonly code = 'no-regular-file'
  readonly path: string
  constructor(path: string, cause?: unknown) {
    super(`${path} is no regular file`, { cause })
    this.path = path
  }
}

/** A regular file is longer than its reader can take. */
export class FileTooLong extends Failure {
  readonly code = 'file-too-long'
  readonly path: string
  constructor(path: string, maxBytes: number) {
    super(`${path} is longer than ${maxBytes} bytes`)
    this.path = path
  }
}

/**
 * Opens a file of a folder that others write to, for what `flags` say: never through a link at its end, and without ever waiting, as a
 * named pipe would have us do. Throws `NoRegularFile`, or the system's error.
 */
export function openRegular(path: string, flags: number, mode = 0o644): number {
  const descriptor = openAtOnce(path, flags, mode)
  if (fstatSync(descriptor).isFile()) return descriptor
  closeSync(descriptor)
  throw new NoRegularFile(path)
}

function openAtOnce(path: string, flags: number, mode: number): number {
  try {
    return openSync(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, mode)
  } catch (error) {
    if (noFileCodes.has(systemCodeOf(error) ?? '')) throw new NoRegularFile(path, error)
    throw error
  }
}

/** What the system says of a link, a pipe nobody reads, a socket or device, and a folder. */
const noFileCodes = new Set(['ELOOP', 'ENXIO', 'ENODEV', 'EISDIR'])

/** The whole of a regular file of at most `maxBytes`. Throws `NoRegularFile`, `FileTooLong`, or the system's error. */
export function readRegular(path: string, maxBytes = Number.POSITIVE_INFINITY): Buffer {
  const descriptor = openRegular(path, constants.O_RDONLY)
  try {
    if (fstatSync(descriptor).size > maxBytes) throw new FileTooLong(path, maxBytes)
    return readFileSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
