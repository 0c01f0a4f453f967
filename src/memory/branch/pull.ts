import { join } from 'node:path'
import { readChainFile } from '../record-file.ts'
import type { BranchContext } from './context.ts'
import { isChainPath, isOnBranch } from './layout.ts'
import { create, readOrEmpty } from './own-place.ts'
import { commonAncestor, refuseAttributes } from './refs.ts'
import type { Worktree } from './worktree.ts'

/**
 * Puts the worktree on top of the remote's tip (MEM-079, MEM-080). `local` is the branch's tip here. Where both sides have commits, or no
 * common history at all, the files that only ours has are laid over theirs: checkpoints are named by their content and chain lines are
 * united, so nothing can clash. Neither the branch's ref nor anything of the user's moves here; returns whether files changed.
 */
export async function takeUpRemote(
  context: BranchContext,
  worktree: Worktree,
  local: string,
  remote: string
): Promise<boolean> {
  const common = await commonAncestor(context.git, local, remote)
  if (common === remote) return false
  await refuseAttributes(context, local, remote)
  await worktree.git.run(['checkout', '--detach', '--force', remote])
  if (common !== local) await layOver(worktree, { common, local, remote })
  return true
}

/** Paths given to one git command. */
const batch = 200

type Sides = { readonly common: string | null; readonly local: string; readonly remote: string }

async function layOver({ git, folder }: Worktree, { common, local, remote }: Sides): Promise<void> {
  // What they took out since the histories parted stays out.
  const pending = common === null ? null : new Set(await diffOf(git, '--name-only', common, local))
  const fields = await diffOf(git, '--name-status', remote, local)
  const onlyOurs: string[] = []
  for (let n = 0; n + 1 < fields.length; n += 2) {
    const [status, path] = [fields[n], fields[n + 1] ?? '']
    if (pending?.has(path) === false || !isOnBranch(path)) continue
    if (status === 'A') onlyOurs.push(path)
    // What both have and differs: of chains the union, of everything else theirs, which was published first.
    else if (status === 'M' && isChainPath(path)) await uniteChain({ git, folder }, path, local)
  }
  for (let n = 0; n < onlyOurs.length; n += batch)
    await git.run(['checkout', local, '--', ...onlyOurs.slice(n, n + batch)])
}

async function diffOf(git: Worktree['git'], form: string, from: string, to: string): Promise<readonly string[]> {
  return (await git.run(['diff-tree', '-r', form, '--no-renames', '-z', from, to])).split('\0')
}

/** Their lines, then those of ours that they lack, in our order. */
async function uniteChain(
  { git, folder }: Pick<Worktree, 'git' | 'folder'>,
  path: string,
  local: string
): Promise<void> {
  const theirs = await readOrEmpty(join(folder, path))
  const known = new Set(readChainFile(theirs).lines.map(({ hash }) => hash))
  const ours = ((await git.try(['show', `${local}:${path}`])) ?? '').split('\n')
  const added = ours.filter((line) => readChainFile(line).lines.some(({ hash }) => !known.has(hash)))
  if (added.length === 0) return
  const start = theirs === '' || theirs.endsWith('\n') ? theirs : `${theirs}\n`
  await create(folder, path, `${start}${added.join('\n')}\n`)
}
