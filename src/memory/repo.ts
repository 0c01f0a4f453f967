import type { Environment } from '../config/index.ts'
import type { GitRunner } from './branch/git.ts'
import { remoteUrl } from './branch/refs.ts'

/**
 * Who a repository is, the same on every machine: the URL of `origin` verbatim, without a password in it; without a remote the real
 * path of its top level (MEM-011). `root` is that path, or the working directory outside of git.
 */
export async function repositoryIdentity(root: string, git: GitRunner | null): Promise<string> {
  const url = git === null ? null : await remoteUrl(git)
  return url === null || url === '' ? root : withoutPassword(url)
}

/** `scheme://user:password@host/…` without what stands before the host (MEM-011). */
export function withoutPassword(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@:]*:[^/]*@/i, '$1')
}

/** Who a checkpoint is by: `GHYLL_AUTHOR`, else the device (MEM-014). */
export function authorOf(env: Environment, device: string): string {
  return env.GHYLL_AUTHOR?.trim() || device
}
