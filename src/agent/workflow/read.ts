import { constants, type Dirent } from 'node:fs'
import { lstat, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf, systemCodeOf } from '../../lib/error.ts'

/** Bytes of one workflow file (CTX-103). */
const maxBytes = 256 * 1024

export type ReadText =
  | { readonly kind: 'text'; readonly text: string }
  /** Not there, or nothing in it. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'refused'; readonly reason: string }

/**
 * One workflow file, trimmed, line ends as LF, without a byte-order mark (CTX-103). A repository brings these files along, so a
 * symbolic link, anything that is not a plain file, more than 256 KiB and text that is not UTF-8 are refused. Never rejects.
 */
export async function readWorkflowFile(path: string): Promise<ReadText> {
  try {
    // Without NONBLOCK a named pipe would hold the start up for ever.
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const stats = await file.stat()
      if (!stats.isFile()) return refused('not a plain file')
      // One byte more than allowed is read, for the file may have grown since.
      const buffer = Buffer.alloc(maxBytes + 1)
      const { bytesRead } = await file.read(buffer, 0, buffer.length, 0)
      if (bytesRead > maxBytes) return refused('larger than 256 KiB')
      return decode(buffer.subarray(0, bytesRead))
    } finally {
      await file.close()
    }
  } catch (error) {
    const code = systemCodeOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'absent' }
    if (code === 'ELOOP') return refused('a symbolic link')
    return refused(messageOf(error))
  }
}

/** A folder as it is, symbolic links not followed. */
export async function folderKind(path: string): Promise<'folder' | 'absent' | 'link'> {
  try {
    const stats = await lstat(path)
    if (stats.isSymbolicLink()) return 'link'
    return stats.isDirectory() ? 'folder' : 'absent'
  } catch {
    // Not there or not to be looked at: either way there is nothing to read.
    return 'absent'
  }
}

/** Paths of the Markdown files directly in `folder`, in code-unit order. Never rejects. */
export async function markdownFiles(folder: string): Promise<readonly string[]> {
  let found: Dirent[] = []
  try {
    found = await readdir(folder, { withFileTypes: true })
  } catch {
    // As in `folderKind`: nothing to read.
  }
  return found
    .filter((entry) => entry.name.endsWith('.md') && !entry.isDirectory())
    .map((entry) => join(folder, entry.name))
    .sort((a, b) => (a < b ? -1 : 1))
}

function decode(bytes: Uint8Array): ReadText {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll('\r\n', '\n').trim()
    return text === '' ? { kind: 'absent' } : { kind: 'text', text }
  } catch {
    // What the decoder has to say is only that it is not UTF-8.
    return refused('not UTF-8')
  }
}

const refused = (reason: string): ReadText => ({ kind: 'refused', reason })
