import { lstat, readlink, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { ToolFailure } from './errors.ts'
import type { ToolHost } from './tool.ts'

type Places = Pick<ToolHost, 'workdir' | 'root' | 'home'>

/** Absolute path of what the model wrote (TOOL-006); a NUL byte is refused (TOOL-105). */
export function resolvePath(path: string, { workdir, home }: Places): string {
  if (path.includes('\0')) throw new ToolFailure('invalid-args', 'invalid path: contains a NUL byte')
  if (path === '~') return home
  return path.startsWith('~/') ? join(home, path.slice(2)) : resolve(workdir, path)
}

/** `path` relative to the repository with `/`, in a list of one; an empty list outside of it (CTX-073). */
export function inRepository(path: string, { root }: Places): readonly string[] {
  const within = relative(root, path)
  if (within === '' || within === '..' || within.startsWith(`..${sep}`) || isAbsolute(within)) return []
  return [within.split(sep).join('/')]
}

/** `path` as it is shown to the model: relative to the working directory where it lies inside. */
export function shownPath(path: string, { workdir }: Places): string {
  const within = relative(workdir, path)
  if (within === '') return '.'
  return within === '..' || within.startsWith(`..${sep}`) || isAbsolute(within) ? path : within
}

/** The mark of a call that touches something in a `.git` folder, by any of the paths it goes by; case matters not everywhere (TOOL-108). */
export function gitMark(...paths: readonly string[]): { readonly touchesGit?: true } {
  const isInside = (path: string) =>
    path
      .split(sep)
      .slice(0, -1)
      .some((folder) => folder.toLowerCase() === '.git')
  return paths.some(isInside) ? { touchesGit: true } : {}
}

/**
 * The file that writing to `path` reaches: symbolic links are followed to the end, also to a file that is not there yet (TOOL-041).
 * `shown` is the path as the model wrote it, for the message.
 */
export async function finalTarget(path: string, shown: string): Promise<string> {
  let target = path
  for (let hops = 0; hops < 40; hops += 1) {
    const link = await linkAt(target)
    // A folder that is not there yet is made by the write.
    const folder = await realpath(dirname(target)).catch(() => dirname(target))
    if (link === null) return join(folder, basename(target))
    target = resolve(folder, link)
  }
  throw new ToolFailure('failed', `too many symbolic links: ${shown}`)
}

async function linkAt(path: string): Promise<string | null> {
  try {
    return (await lstat(path)).isSymbolicLink() ? await readlink(path) : null
  } catch {
    // Nothing there, or no way to look: the write itself will say what is wrong.
    return null
  }
}
