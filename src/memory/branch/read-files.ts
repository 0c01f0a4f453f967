import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { sha256Hex } from '../../lib/hash.ts'
import { hashMatches } from '../canonical.ts'
import { type Checkpoint, isSafeSegment, parseRecord } from '../record.ts'
import { type ChainLine, chainFileCapBytes, readChainFile, recordFileCapBytes } from '../record-file.ts'
import type { BranchContext } from './context.ts'
import { checkpointPath } from './layout.ts'
import { isAbsent } from './own-place.ts'

// Files of the memory branch as others left them: nothing in them is believed, and nothing in their place but a plain file of a usual
// size is read.

/** Entries by time: clones of one device may have appended out of turn (MEM-065, MEM-081). */
export async function chainEntries({ log }: BranchContext, path: string): Promise<readonly ChainLine[]> {
  const text = await readCapped(path, chainFileCapBytes)
  if (text === null) {
    log(`memory: ${path} skipped: not a chain file of this size`, 'warning')
    return []
  }
  const { lines, skipped } = await readChain(text)
  if (skipped > 0) log(`memory: ${skipped} malformed lines skipped in ${path}`, 'warning')
  return lines.toSorted((a, b) => (a.ts < b.ts ? -1 : a.ts > b.ts ? 1 : 0))
}

/** `readChainFile` for a text of any length, each hash once; others run meanwhile (MEM-065). */
export async function readChain(text: string): Promise<ReturnType<typeof readChainFile>> {
  const lines = new Map<string, ChainLine>()
  let skipped = 0
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at + pieceLength)
    const piece = readChainFile(text.slice(at, end === -1 ? text.length : end))
    for (const line of piece.lines) if (!lines.has(line.hash)) lines.set(line.hash, line)
    skipped += piece.skipped
    at = end === -1 ? text.length : end + 1
    await setImmediate()
  }
  return { lines: [...lines.values()], skipped }
}

const pieceLength = 64 * 1024

/** A record to be judged; null when it was skipped, and why is in the log (MEM-005, MEM-065, MEM-082). */
export async function readCheckpoint(
  { repoHash, log }: BranchContext,
  folder: string,
  hash: string
): Promise<Checkpoint | null | 'missing'> {
  const path = join(folder, checkpointPath(repoHash, hash))
  const text = await readCapped(path, recordFileCapBytes, 'missing')
  if (text === 'missing') return text
  const parsed = text === null ? { malformed: 'not a file of this size' } : parseRecord(text)
  const skip = (why: string) => {
    log(`memory: checkpoint file ${hash.slice(0, 12)} skipped: ${why}`, 'warning')
    return null
  }
  if ('malformed' in parsed) return skip(parsed.malformed)
  const { record } = parsed
  if (record.hash !== hash) return skip('it holds another hash')
  if (sha256Hex(record.repo) !== repoHash) return skip('it belongs to another repository')
  // A row could not hold what a newer format adds; a newer program takes it in whole (MEM-005).
  if (record.v > 2 && !hashMatches(record)) return skip('unverifiable version')
  return record
}

/** Names before `ending` that are safe segments (MEM-013); a folder that is missing, or no folder, is empty. */
export async function namesIn(folder: string, ending: string): Promise<readonly string[]> {
  try {
    const names = (await readdir(folder)).filter((name) => name.endsWith(ending)).sort()
    return names.map((name) => name.slice(0, -ending.length)).filter(isSafeSegment)
  } catch (error) {
    if (isAbsent(error)) return []
    throw error
  }
}

/** The text of a plain file up to a size; null for anything else (MEM-065). A link could lead out of the worktree and is never followed. */
export async function readCapped(path: string, capBytes: number): Promise<string | null>
export async function readCapped<M>(path: string, capBytes: number, missing: M): Promise<string | null | M>
export async function readCapped<M>(
  path: string,
  capBytes: number,
  missing: M | null = null
): Promise<string | null | M> {
  try {
    const stats = await lstat(path)
    if (!stats.isFile() || stats.size > capBytes) return null
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isAbsent(error)) return missing
    throw error
  }
}
