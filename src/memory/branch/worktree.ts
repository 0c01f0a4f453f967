import { realpathSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { MemoryFailure } from '../errors.ts'
import { type BranchContext, branchRef } from './context.ts'
import type { GitRunner } from './git.ts'

/** A checkout of the memory branch in a temporary folder outside the project (MEM-074). */
export type Worktree = {
  readonly folder: string
  readonly git: GitRunner
  remove(): Promise<void>
}

const prefix = 'ghyll-memory-'
const ourName = /^ghyll-memory-[A-Za-z0-9]{6}$/

/** Adds the worktree, detached. What killed sessions of this repository left is removed first (MEM-074). Throws `MemoryFailure` `sync`. */
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

/**
 * The caller holds the repository's lock, so a worktree that looks like ours belongs to nobody: linked (the first of the list is the
 * user's main one, whatever its name), detached, and with a name that only `mkdtemp` gives.
 */
async function leftovers(git: GitRunner, temporary: string): Promise<readonly string[]> {
  const [, ...linked] = (await git.run(['worktree', 'list', '--porcelain'])).split('\n\n')
  return linked.flatMap((entry) => {
    const path = /^worktree (.+)$/m.exec(entry)?.[1] ?? ''
    const isOurs = dirname(path) === temporary && ourName.test(basename(path)) && /^detached$/m.test(entry)
    return isOurs ? [path] : []
  })
}

async function removeWorktree(git: GitRunner, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 })
  try {
    await git.try(['worktree', 'prune'])
  } catch (error) {
    // Without its folder the entry is nothing but a name, which goes with the next prune.
    if (!(error instanceof MemoryFailure)) throw error
  }
}
