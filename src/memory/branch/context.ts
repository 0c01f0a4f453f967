import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../log.ts'
import type { MemoryStore } from '../store.ts'
import type { Trust } from '../trust.ts'
import type { GitRunner } from './git.ts'

/** What all parts of the sync know. */
export type BranchContext = {
  /** Git in the user's repository: refs, fetch and push; never its work tree, index or HEAD (MEM-072). */
  readonly git: GitRunner
  /** `memory.branch` */
  readonly branch: string
  readonly device: string
  /** The own key file, byte for byte. */
  readonly publicPem: string
  /** MEM-011 */
  readonly repo: string
  /** sha256 of `repo`: names its folders on the branch (MEM-061). */
  readonly repoHash: string
  /** There is an `origin`. */
  readonly hasRemote: boolean
  /** How much history a fetch brings: `shallow` the tip alone (MEM-073), `full` everything that is missing (MEM-086). */
  readonly history: 'as-is' | 'shallow' | 'full'
  readonly store: MemoryStore
  readonly trust: Trust
  readonly clock: Clock
  /** A line for the operator, without glyph. */
  tell(level: 'info' | 'warning', text: string): void
  readonly log: Log
}

/** The remote that checkpoints are exchanged with. */
export const remote = 'origin'

/** The memory branch here. */
export const branchRef = ({ branch }: Pick<BranchContext, 'branch'>) => `refs/heads/${branch}`
/** What was last fetched of it. */
export const trackingRef = ({ branch }: Pick<BranchContext, 'branch'>) => `refs/remotes/${remote}/${branch}`
