import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  readSync,
  writeSync
} from 'node:fs'
import { dirname, join } from 'node:path'
import { syncFolder } from '../../../platform/atomic-file.ts'
import { type FileStamp, stampOf } from '../../../platform/file-stamp.ts'
import { NoRegularFile, openRegular as openFile } from '../../../platform/regular-file.ts'
import { AttestationFailure } from '../errors.ts'
import { isRecordLine, lineHash } from './lines.ts'

// A line is on disk when `appendLine` returns, or the file is as it was (ATT-440). Nothing on the way may be a symbolic link: the
// folder belongs to the repository, and whoever wrote it could point our pen elsewhere.

/** The steps that touch the disk, so that a test can fail or end the process at each of them. */
export type DiskSteps = {
  /** Bytes written; fewer than asked for is a short write. */
  write(descriptor: number, bytes: Uint8Array): number
  sync(descriptor: number): void
  syncFolder(folder: string): void
}

export const diskSteps: DiskSteps = {
  write: (descriptor, bytes) => writeSync(descriptor, bytes),
  sync: fsyncSync,
  syncFolder
}

/**
 * How an attempt to append found its file and left it, so that whoever watches the file can tell our bytes from those of others
 * (RUN-214). The length it left is the one that its own bytes account for, whatever others put behind them meanwhile.
 */
export type Append = { readonly found: FileStamp; readonly left: FileStamp }

/**
 * Appends one line to `segments` (the file last) below the folder `top`, making what is missing, and syncs file and new names.
 * `line` gets the SHA-256 of the last record line in the file, null when there is none. `tell` hears of every attempt that got to the
 * file. Throws `attestation-tree-symlink` or the system's error.
 */
export function appendLine(
  top: string,
  segments: readonly string[],
  line: (prevSha256: string | null) => string,
  steps: DiskSteps = diskSteps,
  tell: (append: Append) => void = () => undefined
): void {
  const grown = makeFolders(top, segments.slice(0, -1))
  const path = join(top, ...segments)
  const isNew = lstatSync(path, { throwIfNoEntry: false }) === undefined
  const descriptor = openRegular(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT)
  const found = stampOf(descriptor)
  let length = found.length
  try {
    length = cutTornTail(descriptor)
    const bytes = Buffer.from(line(lastLineHash(descriptor)))
    if (isNew) grown.push(dirname(path))
    writeWhole(descriptor, bytes, new Set(grown), steps)
    length += bytes.length
  } finally {
    tell({ found, left: { length, changedNs: stampOf(descriptor).changedNs } })
    closeSync(descriptor)
  }
}

/**
 * Opens a file for what `flags` say, never through a link and never anything but a regular file. Throws `attestation-tree-symlink`
 * (ATT-440).
 */
export function openRegular(path: string, flags: number, mode = 0o644): number {
  try {
    return openFile(path, flags, mode)
  } catch (error) {
    if (!(error instanceof NoRegularFile)) throw error
    throw new AttestationFailure('attestation-tree-symlink', error.message, { path, cause: error })
  }
}

/** Where the whole lines of an open file end; the file is that long, or longer by a torn tail (ATT-501). */
export function endOfWholeLines(descriptor: number): number {
  return lastNewlineBefore(descriptor, fstatSync(descriptor).size) + 1
}

/** Makes the folders one below the other; answers those that got a new entry. Each existing one must be a real folder (ATT-440). */
function makeFolders(top: string, names: readonly string[]): string[] {
  const grown: string[] = []
  let folder = top
  for (const name of names) {
    const child = join(folder, name)
    if (makeFolder(child)) grown.push(folder)
    folder = child
  }
  return grown
}

function makeFolder(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined) {
    mkdirSync(path, { mode: 0o755 })
    return true
  }
  if (stats.isDirectory()) return false
  throw new AttestationFailure('attestation-tree-symlink', `${path} is no folder of its own`, { path })
}

/** Answers the length the file has afterwards, in bytes. */
function cutTornTail(descriptor: number): number {
  const whole = endOfWholeLines(descriptor)
  if (whole < fstatSync(descriptor).size) ftruncateSync(descriptor, whole)
  return whole
}

/**
 * One write; what it leaves over is written after it. Then the file is synced, and the folders that got a name. On any trouble the file
 * gets its old length back: a line that stayed would be a verdict at the next start although it was refused in this one.
 */
function writeWhole(descriptor: number, bytes: Buffer, folders: Iterable<string>, steps: DiskSteps): void {
  const before = fstatSync(descriptor).size
  try {
    writeBytes(descriptor, bytes, steps.write)
    steps.sync(descriptor)
    for (const folder of folders) steps.syncFolder(folder)
  } catch (error) {
    restoreLength(descriptor, before)
    throw error
  }
}

/** One write of all bytes, and more only where the system took fewer. Throws the system's error (ATT-440). */
export function writeBytes(descriptor: number, bytes: Uint8Array, write: DiskSteps['write'] = diskSteps.write): void {
  for (let done = 0; done < bytes.length; ) {
    const written = write(descriptor, bytes.subarray(done))
    if (written === 0) throw new Error(`only ${done} of ${bytes.length} bytes could be written`)
    done += written
  }
}

function restoreLength(descriptor: number, length: number): void {
  try {
    ftruncateSync(descriptor, length)
    fsyncSync(descriptor)
  } catch {
    // The disk does not take this either. The caller is told of the first trouble; a torn tail is cut before the next line.
  }
}

/** SHA-256 of the last line that holds a record, without its newline (ATT-460). */
function lastLineHash(descriptor: number): string | null {
  let end = fstatSync(descriptor).size - 1 // the newline that ends the last line
  while (end >= 0) {
    const start = lastNewlineBefore(descriptor, end) + 1
    const line = readRange(descriptor, start, end)
    if (isRecordLine(line)) return lineHash(line)
    end = start - 1
  }
  return null
}

/** Position of the last newline before `end`, -1 when there is none. */
function lastNewlineBefore(descriptor: number, end: number): number {
  for (let to = end; to > 0; to -= chunkBytes) {
    const from = Math.max(0, to - chunkBytes)
    const at = readRange(descriptor, from, to).lastIndexOf(0x0a)
    if (at !== -1) return from + at
  }
  return -1
}

const chunkBytes = 64 * 1024

/** The bytes of an open file between two positions. */
export function readRange(descriptor: number, from: number, to: number): Buffer {
  const bytes = Buffer.alloc(to - from)
  let done = 0
  while (done < bytes.length) {
    const read = readSync(descriptor, bytes, done, bytes.length - done, from + done)
    if (read === 0) break
    done += read
  }
  return bytes.subarray(0, done)
}
