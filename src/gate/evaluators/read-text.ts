import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { systemCodeOf } from '../../lib/error.ts'
import type { SkipReason } from './walk.ts'

/** Largest text file, in bytes (CONC-29). */
const maxFileBytes = 4 * 1024 * 1024
/** Longest line, in bytes. */
const maxLineBytes = 1024 * 1024
const sniffedBytes = 8 * 1024
const newline = 0x0a

/** `ignored`: the file became a link or something special since it was listed, and counts as if it were not there (CONC-28). */
export type ReadText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'skipped'; readonly reason: SkipReason }
  | { readonly kind: 'ignored' }

/** The text of one project file by the rules of CONC-28, CONC-29 and CONC-32. Never rejects and never blocks. */
export async function readText(projectDir: string, file: string): Promise<ReadText> {
  let handle: FileHandle | null = null
  try {
    handle = await open(join(projectDir, file), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const stats = await handle.stat()
    if (!stats.isFile()) return { kind: 'ignored' }
    if (stats.size > maxFileBytes) return skipped((await isBinary(handle)) ? 'binary' : 'too-large')
    const bytes = await handle.readFile()
    if (bytes.subarray(0, sniffedBytes).includes(0)) return skipped('binary')
    if (bytes.length > maxFileBytes) return skipped('too-large')
    if (hasLongLine(bytes)) return skipped('line-too-long')
    // The decoder drops a byte order mark and replaces what is no text.
    return { kind: 'text', text: new TextDecoder().decode(bytes).replaceAll('\r\n', '\n') }
  } catch (thrown) {
    return systemCodeOf(thrown) === 'ELOOP' ? { kind: 'ignored' } : skipped('unreadable')
  } finally {
    await handle?.close()
  }
}

/** The lines of a text (CONC-32); a final line end ends the last line and begins none. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

async function isBinary(handle: FileHandle): Promise<boolean> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(sniffedBytes), 0, sniffedBytes, 0)
  return buffer.subarray(0, bytesRead).includes(0)
}

function hasLongLine(bytes: Buffer): boolean {
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(newline, start)
    const length = (end === -1 ? bytes.length : end) - start
    if (length > maxLineBytes) return true
    start += length + 1
  }
  return false
}

function skipped(reason: SkipReason): ReadText {
  return { kind: 'skipped', reason }
}
