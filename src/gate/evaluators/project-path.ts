import { constants } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'
import { join } from 'node:path'
import { systemCodeOf } from '../../lib/error.ts'
import { staysInside } from '../catalogue/index.ts'

export type ProjectPath =
  | { readonly kind: 'path'; readonly full: string }
  /** `outside`: absolute or with a step up. `link`: a parent folder is a symbolic link. */
  | { readonly kind: 'outside' }
  | { readonly kind: 'link' }

/** Where a project-relative path given as an argument lies (CONC-34). Parents are looked at, the last segment is the caller's. */
export async function projectPath(projectDir: string, path: string): Promise<ProjectPath> {
  if (path.trim() === '' || !staysInside(path)) return { kind: 'outside' }
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.')
  let folder = projectDir
  for (const segment of segments.slice(0, -1)) {
    folder = join(folder, segment)
    const stats = await lstat(folder).catch(() => null)
    if (stats?.isSymbolicLink() === true) return { kind: 'link' }
  }
  return { kind: 'path', full: join(projectDir, ...segments) }
}

/** What stands at a path: opened without following a link and without waiting for a FIFO. */
export type OpenedFile =
  | { readonly kind: 'file'; readonly size: number; readonly handle: FileHandle }
  | { readonly kind: 'absent' | 'link' | 'special' | 'unreadable' }

/** Opens a regular file for reading (CONC-28); the caller closes it. Never rejects. */
export async function openRegular(full: string): Promise<OpenedFile> {
  let handle: FileHandle | null = null
  try {
    handle = await open(full, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const stats = await handle.stat()
    if (stats.isFile()) return { kind: 'file', size: stats.size, handle }
    await handle.close()
    return { kind: 'special' }
  } catch (thrown) {
    await handle?.close()
    const code = systemCodeOf(thrown)
    if (code === 'ELOOP') return { kind: 'link' }
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'absent' }
    return { kind: code === 'ENXIO' ? 'special' : 'unreadable' }
  }
}
