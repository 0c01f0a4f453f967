import { MemoryFailure } from '../errors.ts'
import { type BranchContext, branchRef, remote } from './context.ts'
import { checkpointOf } from './layout.ts'
import { readRef } from './refs.ts'
import type { Worktree } from './worktree.ts'

/**
 * Commits what is new in the worktree, by plumbing that no setting for people changes, and moves the branch from `local` to it, unless
 * somebody else moved it meanwhile (MEM-075). Returns the branch's tip, or null when it was moved. Throws `MemoryFailure` `sync`.
 */
export async function commitFiles(context: BranchContext, { git }: Worktree, local: string): Promise<string | null> {
  await git.run(['add', '--all', '--force', '.'])
  const changed = await changedPaths(git, ['diff-index', '--cached', 'HEAD'])
  if (changed.length > 0) {
    const tree = (await git.run(['write-tree'])).trim()
    const commit = (await git.run(['commit-tree', tree, '-p', 'HEAD', '-m', messageFor(context, changed)])).trim()
    await git.run(['update-ref', '--no-deref', 'HEAD', commit])
  }
  return moveBranch(context, git, local)
}

/** Makes of several commits that the remote lacks a single one on top of `base`, which it has or gets (MEM-085). Returns like `commitFiles`. */
export async function squash(
  context: BranchContext,
  { git }: Worktree,
  local: string,
  base: string
): Promise<string | null> {
  const count = (await git.run(['rev-list', '--count', `${base}..${local}`])).trim()
  if (count === '0' || count === '1') return local
  const message = messageFor(context, await changedPaths(git, ['diff-tree', '-r', base, local]))
  const commit = (await git.run(['commit-tree', `${local}^{tree}`, '-p', base, '-m', message])).trim()
  await git.run(['checkout', '--detach', commit])
  return moveBranch(context, git, local)
}

/** null when the remote took it, else what git said; never forced (MEM-080). */
export async function push(context: BranchContext, { git }: Worktree): Promise<string | null> {
  try {
    await git.run(['push', '--quiet', '--no-verify', '--', remote, `HEAD:${branchRef(context)}`])
    return null
  } catch (error) {
    if (!(error instanceof MemoryFailure)) throw error
    return error.message
  }
}

async function moveBranch(context: BranchContext, git: Worktree['git'], from: string): Promise<string | null> {
  const head = await readRef(git, 'HEAD')
  if (head === null) return null
  if (head === from) return head
  try {
    await context.git.run(['update-ref', branchRef(context), head, from])
    return head
  } catch (error) {
    // It moved, or it cannot be moved: a lock that a crash left, a file system nobody may write to.
    if ((await readRef(context.git, branchRef(context))) === from) throw error
    return null
  }
}

/** `git diff` itself would follow the user's settings for reading differences. */
async function changedPaths(
  git: Worktree['git'],
  [command = '', ...what]: readonly string[]
): Promise<readonly string[]> {
  const names = await git.run([command, '--name-only', '--no-renames', '-z', ...what])
  return names.split('\0').filter((path) => path !== '')
}

/** MEM-066; a commit without checkpoints brings a device's key. */
function messageFor({ device }: BranchContext, changed: readonly string[]): string {
  const hashes = changed.map(checkpointOf).filter((hash) => hash !== null)
  if (hashes.length === 0) return `init: device ${device}`
  return hashes.length === 1 ? `checkpoint ${hashes[0]} by ${device}` : `checkpoints ${hashes.length} by ${device}`
}
