import { MemoryFailure } from '../errors.ts'
import { type BranchContext, branchRef, remote, trackingRef } from './context.ts'
import type { GitRunner } from './git.ts'

/** The commit a ref names, or null (MEM-075). */
export async function readRef(git: GitRunner, ref: string): Promise<string | null> {
  return (await git.try(['rev-parse', '--verify', '--quiet', `${ref}^{commit}`]))?.trim() || null
}

/** Where the remote is, as the user configured it; null without one (MEM-071). */
export async function remoteUrl(git: GitRunner): Promise<string | null> {
  return (await git.try(['remote', 'get-url', remote]))?.trim() ?? null
}

/** What the remote has now, null when it has no such branch (MEM-079). Throws `MemoryFailure` `sync` when it cannot be asked. */
export async function remoteTip(context: BranchContext): Promise<string | null> {
  const line = await context.git.run(['ls-remote', '--', remote, branchRef(context)])
  return /^([0-9a-f]+)\t/.exec(line)?.[1] ?? null
}

/** Brings the remote branch here unless `tip` is here already (MEM-073, MEM-079, MEM-086). Throws `MemoryFailure` `sync`. */
export async function fetchBranch(context: BranchContext, tip: string): Promise<void> {
  const { git, history } = context
  const tracking = trackingRef(context)
  const unshallow = history === 'full' && (await git.run(['rev-parse', '--is-shallow-repository'])).trim() === 'true'
  if (!unshallow && (await readRef(git, tracking)) === tip) return
  const depth = unshallow ? ['--unshallow'] : history === 'shallow' ? ['--depth=1'] : []
  const refspec = `+${branchRef(context)}:${tracking}`
  const fetch = (...flags: string[]) => ['fetch', '--quiet', '--no-tags', ...flags, ...depth, '--', remote, refspec]
  // Git before 2.29 does not know the flag; there FETCH_HEAD is written.
  if ((await git.try(fetch('--no-write-fetch-head'))) === null) await git.run(fetch())
}

/**
 * Throws `MemoryFailure` `sync` where the files of a commit come with attributes, against those of a commit without (null: against none):
 * they would have git convert what it checks out, or run filters that the user set up for other things (MEM-070).
 */
export async function refuseAttributes(
  { git, branch }: Pick<BranchContext, 'git' | 'branch'>,
  known: string | null,
  commit: string
): Promise<void> {
  const base = known ?? (await git.run(['hash-object', '-t', 'tree', '/dev/null'])).trim()
  const anywhere = ':(glob)**/.gitattributes'
  const found = await git.run(['diff-tree', '-r', '--name-only', '--diff-filter=d', '-z', base, commit, '--', anywhere])
  if (found !== '')
    throw new MemoryFailure('sync', `${branch} carries ${found.split('\0', 1)[0]}, which does not belong there`, {
      operation: 'pull'
    })
}

/** The commit where two histories part, one of the two when it lies behind the other; null when they have nothing in common (MEM-080). */
export async function commonAncestor(git: GitRunner, one: string, other: string): Promise<string | null> {
  return one === other ? one : ((await git.try(['merge-base', one, other]))?.trim() ?? null)
}

/** The first commit of a history, null when it has several or is shallow (MEM-085). */
export async function rootOf(git: GitRunner, tip: string): Promise<string | null> {
  const roots = (await git.run(['rev-list', '--max-parents=0', tip])).trim().split('\n')
  const isShallow = (await git.run(['rev-parse', '--is-shallow-repository'])).trim() === 'true'
  return roots.length === 1 && !isShallow ? (roots[0] ?? null) : null
}
