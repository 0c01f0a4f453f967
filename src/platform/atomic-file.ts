import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { systemCodeOf } from '../lib/error.ts'

// A reader finds the old content or the new one, never a part, and after a power cut as well. That takes this order: write
// aside, sync the file, rename, sync the folder. `write-file-atomic` leaves out the last step and writes through symbolic
// links, hence these few lines of our own.

export type WriteOptions = {
  /** Permission bits; those of the file that is replaced when omitted, 0644 for a new one. */
  readonly mode?: number
}

/**
 * Replaces or creates `path` as a whole. A symbolic link at `path` is replaced, not followed. Rejects with the system's error
 * and leaves the old content and no temporary file.
 */
export async function writeFileAtomic(
  path: string,
  content: string | Uint8Array,
  options: WriteOptions = {}
): Promise<void> {
  const temporary = asideOf(path)
  try {
    const mode = options.mode ?? (await modeOf(path))
    const file = await open(temporary, 'wx', mode)
    try {
      await file.writeFile(content)
      await file.chmod(mode) // the umask took bits off at creation
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  syncFolder(dirname(path))
}

/**
 * Creates `path` with its whole content, or answers false when something of that name exists already (also a dangling link).
 * Another process never sees it half written. Throws the system's error otherwise.
 */
export function createFileExclusive(path: string, content: string | Uint8Array, mode: number): boolean {
  const temporary = asideOf(path)
  try {
    writeSynced(temporary, content, mode)
    linkSync(temporary, path)
  } catch (error) {
    const code = systemCodeOf(error)
    if (code === 'EEXIST') return false
    if (code === undefined || !withoutHardLinks.has(code)) throw error
    return createInPlace(path, content, mode)
  } finally {
    rmSync(temporary, { force: true })
  }
  syncFolder(dirname(path))
  return true
}

/**
 * Makes the names in `folder` durable. File systems that cannot sync a folder are left alone; a disk that fails to is an error of the
 * system (ATT-440).
 */
export function syncFolder(folder: string): void {
  let descriptor: number
  try {
    descriptor = openSync(folder, 'r')
  } catch {
    return // folders cannot be opened everywhere; there is nothing more to do for them
  }
  try {
    fsyncSync(descriptor)
  } catch (error) {
    const code = systemCodeOf(error)
    // The rename itself has happened, and that is all that such a file system offers.
    if (code === undefined || !withoutFolderSync.has(code)) throw error
  } finally {
    closeSync(descriptor)
  }
}

const withoutFolderSync = new Set(['EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EBADF', 'EISDIR', 'EPERM', 'EACCES'])
const withoutHardLinks = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'])

function createInPlace(path: string, content: string | Uint8Array, mode: number): boolean {
  try {
    writeSynced(path, content, mode)
    return true
  } catch (error) {
    if (systemCodeOf(error) === 'EEXIST') return false
    throw error
  }
}

function writeSynced(path: string, content: string | Uint8Array, mode: number): void {
  const descriptor = openSync(path, 'wx', mode)
  try {
    writeFileSync(descriptor, content)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

async function modeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).mode & 0o7777
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return 0o644
    throw error
  }
}

function asideOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`)
}
