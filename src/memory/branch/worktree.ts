import { realpathSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { type BranchContext, branchRef } from './context.ts'
import type { GitRunner } from './git.ts'

/** A checkout of the memory branch in a temporary folder outside the project (MEM-074). */
export type Worktree = {
  readonly folder: string
  readonly git: GitRunner
  remove(): Promise<void>
}

const prefix = 'ghyll-memory-'

/** Adds the worktree, detached. What killed sessions of this repository left is removed first. Throws `MemoryFailure` `sync`. */
export async function addWorktree(context: BranchContext): Promise<Worktree> {
  const { git } = context
  const temporary = realpathSync(tmpdir())
  await git.run(['worktree', 'prune'])
  for (const folder of await leftovers(git, temporary)) await removeWorktree(git, folder)
  const folder = await mkdtemp(join(temporary, prefix))
  try {
    await git.run(['worktree', 'add', '--force', '--detach', folder, branchRef(context)])
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
  return { folder, git: git.in(folder), remove: () => removeWorktree(git, folder) }
}

/** The caller holds the repository's lock, so a worktree of ours that is there already belongs to nobody. */
async function leftovers(git: GitRunner, temporary: string): Promise<readonly string[]> {
  const listed = await git.run(['worktree', 'list', '--porcelain'])
  return [...listed.matchAll(/^worktree (.+)$/gm)]
    .map(([, path = '']) => path)
    .filter((path) => dirname(path) === temporary && basename(path).startsWith(prefix))
}

async function removeWorktree(git: GitRunner, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 })
  // Without its folder the entry is nothing but a name, which goes with the next prune at the latest.
  await git.try(['worktree', 'prune'])
}
