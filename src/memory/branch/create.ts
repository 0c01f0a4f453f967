import { MemoryFailure } from '../errors.ts'
import { type BranchContext, branchRef, remote, trackingRef } from './context.ts'
import { devicesFolder } from './layout.ts'
import { fetchBranch, readRef, remoteTip } from './refs.ts'

/**
 * Makes sure that the local branch exists (MEM-073): the one there is, else the remote's, else an orphan of our own. `network` false asks
 * nobody outside (MEM-089). Throws `MemoryFailure` `sync`.
 */
export async function ensureBranch(context: BranchContext, network: boolean): Promise<void> {
  await refuseCheckedOut(context)
  if ((await readRef(context.git, branchRef(context))) !== null) return
  const tip = await publishedTip(context, network)
  if (tip === null) await createOrphan(context, network)
  else await createRef(context, tip)
}

/**
 * Throws `MemoryFailure` `sync` while the memory branch is checked out in a work tree of the user: moving its ref would pull that HEAD
 * along (MEM-072). Our own work trees are detached.
 */
export async function refuseCheckedOut({ git, branch }: Pick<BranchContext, 'git' | 'branch'>): Promise<void> {
  const lines = (await git.run(['worktree', 'list', '--porcelain'])).split('\n')
  if (lines.includes(`branch ${branchRef({ branch })}`))
    throw new MemoryFailure('sync', `${branch} is checked out`, { operation: 'init' })
}

/** The remote's tip, fetched; offline what an earlier fetch or the clone left. */
async function publishedTip(context: BranchContext, network: boolean): Promise<string | null> {
  if (!context.hasRemote) return null
  if (network) {
    try {
      const tip = await remoteTip(context)
      if (tip !== null) await fetchBranch(context, tip)
      return tip
    } catch (error) {
      if (!(error instanceof MemoryFailure)) throw error
      context.log(`memory: ${error.message}`, 'warning')
    }
  }
  return readRef(context.git, trackingRef(context))
}

/** A commit without parents that holds the own key alone, written without any work tree or index. */
async function createOrphan(context: BranchContext, network: boolean): Promise<void> {
  const { git, branch, device, publicPem, hasRemote, tell } = context
  const blob = (await git.run(['hash-object', '-w', '--no-filters', '--stdin'], publicPem)).trim()
  const devices = (await git.run(['mktree'], `100644 blob ${blob}\t${device}.pub\n`)).trim()
  const root = (await git.run(['mktree'], `040000 tree ${devices}\t${devicesFolder}\n`)).trim()
  const commit = (await git.run(['commit-tree', root, '-m', `init: device ${device}`])).trim()
  await createRef(context, commit)
  const pushed = hasRemote && network ? `; it is pushed to ${remote}` : ''
  tell('info', `created memory branch ${branch}${pushed}`)
}

/** Another session may have been first; its branch is as good. */
async function createRef(context: BranchContext, commit: string): Promise<void> {
  const ref = branchRef(context)
  const created = await context.git.try(['update-ref', ref, commit, '0'.repeat(commit.length)])
  if (created === null && (await readRef(context.git, ref)) === null)
    throw new MemoryFailure('sync', `cannot create branch ${context.branch}`, { operation: 'init' })
}
