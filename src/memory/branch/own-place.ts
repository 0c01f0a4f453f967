import { lstat, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { systemCodeOf } from '../../lib/error.ts'
import { chainFileCapBytes } from '../record-file.ts'

// Files of the worktree that this device may have to write. Whoever may push can leave anything there: a file where a folder belongs, a
// folder, a link or a submodule where a file does.

/** Writes a file of the layout (MEM-060) in place of whatever is in its way; `path` is relative to the worktree `folder`, with `/`. */
export async function create(folder: string, path: string, text: string): Promise<void> {
  const parts = path.split('/')
  for (let n = 1; n <= parts.length; n++)
    if (!(await clear(join(folder, ...parts.slice(0, n)), n < parts.length ? 'folder' : 'file'))) break
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), text)
}

/** The text of a file; one that is missing, no file, or larger than any file of the layout, is empty (MEM-064, MEM-065). */
export async function readOrEmpty(path: string): Promise<string> {
  try {
    const stats = await lstat(path)
    return stats.isFile() && stats.size <= chainFileCapBytes ? await readFile(path, 'utf8') : ''
  } catch (error) {
    if (isAbsent(error)) return ''
    throw error
  }
}

/** Whether a path leads nowhere: it is missing, or a part of it is no folder (MEM-065). */
export function isAbsent(error: unknown): boolean {
  const code = systemCodeOf(error)
  return code === 'ENOENT' || code === 'ENOTDIR'
}

/** False when nothing is left there, and so nothing below it either. */
async function clear(path: string, kind: 'folder' | 'file'): Promise<boolean> {
  try {
    const stats = await lstat(path)
    if (kind === 'folder' ? stats.isDirectory() : stats.isFile()) return true
    await rm(path, { recursive: true, force: true })
    return false
  } catch (error) {
    if (isAbsent(error)) return false
    throw error
  }
}
