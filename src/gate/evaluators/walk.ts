import type { Dirent } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { byCodeUnit } from '../../lib/compare.ts'
import { compilePathGlob, type PathGlob } from '../../lib/path-glob.ts'
import type { EvaluationContext } from '../../protocol/evaluation.ts'
import { skippedAtRoot, staysInside } from '../catalogue/index.ts'
import { stopIfCancelled, Undecided } from './result.ts'

// Which files a glob means (CONC-26…28, CONC-31). The tree may change while it is walked and may be hostile: links are never followed,
// only regular files count, and a folder that refuses or vanishes is noted instead of thrown.

/** Why a file or folder in scope was not looked at (CONC-29). */
export type SkipReason = 'binary' | 'too-large' | 'line-too-long' | 'unreadable'
export type Skipped = { readonly file: string; readonly reason: SkipReason }

export type Listing = {
  /** Project-relative with `/`, sorted. */
  readonly files: readonly string[]
  readonly skipped: readonly Skipped[]
}

const entriesPerCheck = 1024

type Walk = Pick<EvaluationContext, 'projectDir' | 'signal'>

/** Regular files of the project that `glob` describes. A glob that leaves the project is refused (CONC-34). */
export async function listFiles({ projectDir, signal }: Walk, glob: string): Promise<Listing> {
  if (!staysInside(glob)) throw new Undecided('evaluator-error', `path outside the project: ${glob}`)
  const pattern = compilePathGlob(glob)
  const files: string[] = []
  const skipped: Skipped[] = []
  const folders = ['']
  let seen = 0
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    stopIfCancelled({ signal })
    const entries = await entriesOf(join(projectDir, folder))
    if (entries === null) {
      if (folder === '') throw new Undecided('evaluator-error', 'project root is not readable')
      skipped.push({ file: folder, reason: 'unreadable' })
      continue
    }
    for (const entry of entries) {
      seen += 1
      if (seen % entriesPerCheck === 0) stopIfCancelled({ signal })
      if (folder === '' && skippedAtRoot.has(entry.name)) continue
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      const kind = await kindOf(entry, join(projectDir, path), path, pattern)
      if (kind === 'folder' && pattern.canEnter(path)) folders.push(path)
      if (kind === 'file' && pattern.matches(path)) files.push(path)
    }
  }
  return { files: files.sort(byCodeUnit), skipped }
}

async function entriesOf(folder: string): Promise<readonly Dirent[] | null> {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch {
    return null // gone, or not ours to read: the caller notes it
  }
}

async function kindOf(entry: Dirent, full: string, path: string, pattern: PathGlob): Promise<'file' | 'folder' | null> {
  if (entry.isFile()) return 'file'
  if (entry.isDirectory()) return 'folder'
  if (entry.isSymbolicLink() || entry.isFIFO() || entry.isSocket() || isDevice(entry)) return null
  // Some file systems do not say what an entry is.
  if (!pattern.matches(path) && !pattern.canEnter(path)) return null
  const stats = await lstat(full).catch(() => null)
  return stats?.isFile() === true ? 'file' : stats?.isDirectory() === true ? 'folder' : null
}

function isDevice(entry: Dirent): boolean {
  return entry.isBlockDevice() || entry.isCharacterDevice()
}
