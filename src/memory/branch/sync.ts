import { assert } from '../../lib/assert.ts'
import { messageOf } from '../../lib/error.ts'
import { MemoryFailure } from '../errors.ts'
import { type BranchContext, branchRef } from './context.ts'
import { ensureBranch, refuseCheckedOut } from './create.ts'
import { type Imported, importBranch } from './import.ts'
import { ownInWorktree, writeOwnFiles } from './own-files.ts'
import { commitFiles, push, squash } from './publish.ts'
import { takeUpRemote } from './pull.ts'
import { fetchBranch, readRef, refuseAttributes, remoteTip, rootOf } from './refs.ts'
import { addWorktree, type Worktree } from './worktree.ts'

// One tick (MEM-078…088): ask for the remote's tip and take it up, import, write what is ours, commit, push. Whatever fails is tried
// again by the next tick; SQLite has everything that is not out yet.

export type SyncOutcome = {
  readonly imported: Imported
  /** `off`: no remote, or not asked. */
  readonly fetched: 'done' | 'failed' | 'off'
  /** `refused`: the remote does not let us write (MEM-087); `conflict`: another key has this device's name (MEM-088). */
  readonly pushed: 'done' | 'nothing' | 'failed' | 'refused' | 'conflict' | 'off'
  /** What the last failure said, or null. */
  readonly problem: string | null
}

type TickOptions = {
  /** Talk to the remote (MEM-089). */
  readonly network: boolean
  readonly signal?: AbortSignal
  /** Hand over also where asking failed. */
  readonly insist?: boolean
  /** Told when the remote is asked, and when it is to have what is ours. */
  readonly onPhase?: (phase: 'fetch' | 'push') => void
}

/** The memory branch of one repository in this process. Its calls wait for each other (MEM-078). */
export interface BranchSync {
  /** Writes own checkpoints into the worktree; trouble is logged (MEM-076). */
  write(): Promise<void>
  /** Never rejects for trouble outside. */
  tick(options: TickOptions): Promise<SyncOutcome>
  /** Removes the worktree. */
  close(): Promise<void>
}

const attempts = 3
const refusedPauseMs = 600_000

/** Sets up branch and worktree and takes over what stands there (INIT step 9). Throws `MemoryFailure` `sync`. */
export async function openBranchSync(
  context: BranchContext,
  { network, signal }: { readonly network: boolean; readonly signal: AbortSignal }
): Promise<BranchSync> {
  const told = new Set<string>()
  const once: BranchContext = {
    ...context,
    tell(level, text) {
      if (told.has(text)) return
      told.add(text)
      context.tell(level, text)
    }
  }
  const bounded = { ...once, git: once.git.until(signal) }
  await ensureBranch(bounded, network)
  await refuseAttributes(bounded, null, branchRef(once))
  return createSync(once, await addWorktree(once))
}

function createSync(context: BranchContext, worktree: Worktree): BranchSync {
  const { device, repo, store, clock, tell, log, hasRemote } = context
  let last: Promise<unknown> = Promise.resolve()
  let closed = false
  /** The commit whose files were imported last. */
  let importedAt: string | null = null
  let refusedUntil = 0

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work)
    last = mine.catch(() => undefined) // its caller hears of it
    return mine
  }

  async function tick({ network, signal, onPhase, insist = false }: TickOptions): Promise<SyncOutcome> {
    const bounded = signal === undefined ? context : { ...context, git: context.git.until(signal) }
    const tree = signal === undefined ? worktree : { ...worktree, git: worktree.git.until(signal) }
    const total = { count: 0, authors: new Set<string>() }
    const online = network && hasRemote
    const outcome = (fetched: SyncOutcome['fetched'], pushed: SyncOutcome['pushed']): SyncOutcome => ({
      imported: total,
      fetched,
      pushed,
      problem
    })
    let problem: string | null = null
    let fetched: SyncOutcome['fetched'] = 'off'
    for (let attempt = 1; attempt <= attempts; attempt++) {
      let theirs: string | null = null
      if (online) {
        if (attempt === 1) onPhase?.('fetch')
        try {
          theirs = await remoteTip(bounded)
          if (theirs !== null) await fetchBranch(bounded, theirs)
          fetched = 'done'
        } catch (error) {
          problem = logFailure('fetch', attempt, error)
          theirs = null
          fetched = 'failed'
        }
      }
      let operation = 'pull'
      try {
        const step = await exchange(bounded, tree, theirs, fetched === 'done')
        total.count += step.imported.count
        for (const author of step.imported.authors) total.authors.add(author)
        if (step.kind === 'conflict') return outcome(fetched, 'conflict')
        if (step.kind === 'moved') continue
        if (fetched === 'off') return outcome(fetched, 'off')
        if (fetched === 'failed' && !insist) return outcome(fetched, 'failed')
        operation = 'push'
        if (attempt === 1) onPhase?.('push')
        if (step.tip === theirs) {
          await markArrived()
          return outcome(fetched, 'nothing')
        }
        if (clock.now() < refusedUntil) return outcome(fetched, 'refused')
        const complaint = await push(bounded, tree)
        if (complaint === null) {
          await markArrived()
          return outcome(fetched, 'done')
        }
        problem = complaint
        log(`memory: push failed, attempt ${attempt}: ${problem}`, 'warning')
        // Somebody was faster, or the remote does not want us: only its tip tells.
        if ((await remoteTip(bounded)) === theirs) return refuse(outcome(fetched, 'refused'))
      } catch (error) {
        problem = logFailure(operation, attempt, error)
        return outcome(fetched, 'failed')
      }
    }
    return outcome(fetched, fetched === 'off' ? 'off' : 'failed')
  }

  /** Everything of a tick that happens here: take up, import, write, commit. */
  async function exchange(
    bounded: BranchContext,
    tree: Worktree,
    theirs: string | null,
    isAsked: boolean
  ): Promise<Exchange> {
    await refuseCheckedOut(bounded)
    const local = await readRef(bounded.git, branchRef(bounded))
    if (local === null) {
      await ensureBranch(bounded, false)
      return { kind: 'moved', imported: nothing }
    }
    // Where an earlier try was cut short, its remains go; files written since the last commit stay otherwise.
    if ((await readRef(tree.git, 'HEAD')) !== local) await tree.git.run(['checkout', '--detach', '--force', local])
    if (theirs !== null) await takeUpRemote(bounded, tree, local, theirs)
    const head = await readRef(tree.git, 'HEAD')
    const imported = head === importedAt ? nothing : await importBranch(bounded, tree.folder)
    importedAt = head
    if (!(await writeOwnFiles(bounded, tree.folder))) {
      tell('warning', `device id ${device} has another key on the memory branch; set GHYLL_DEVICE_ID`)
      return { kind: 'conflict', imported }
    }
    const committed = await commitFiles(bounded, tree, local)
    // A remote that never had the branch lacks everything behind its first commit.
    const base = theirs ?? (isAsked && committed !== null ? await rootOf(bounded.git, committed) : null)
    const tip = committed === null || base === null ? committed : await squash(bounded, tree, committed, base)
    if (tip === null) return { kind: 'moved', imported }
    importedAt = tip
    return { kind: 'committed', imported, tip }
  }

  async function markArrived(): Promise<void> {
    const there = await ownInWorktree(context, worktree.folder)
    const waiting = store.outbox.pending('git', repo, 100_000)
    store.outbox.arrived(
      'git',
      waiting.filter((hash) => there.has(hash)),
      clock.now()
    )
  }

  function refuse(outcome: SyncOutcome): SyncOutcome {
    refusedUntil = clock.now() + refusedPauseMs
    tell('warning', `origin does not accept the memory branch ${context.branch}; checkpoints stay on this machine`)
    return outcome
  }

  function logFailure(operation: string, attempt: number, error: unknown): string {
    if (!(error instanceof MemoryFailure) && !isSystemError(error)) throw error
    log(`memory: ${operation} failed, attempt ${attempt}: ${messageOf(error)}`, 'warning')
    return messageOf(error)
  }

  return {
    write: () =>
      inTurn(async () => {
        if (closed) return
        try {
          await writeOwnFiles(context, worktree.folder)
        } catch (error) {
          logFailure('write', 1, error)
        }
      }),
    tick: (options) =>
      inTurn(() => {
        assert(!closed, 'the memory branch is closed')
        return tick(options)
      }),
    close: () =>
      inTurn(async () => {
        closed = true
        await worktree.remove()
      })
  }
}

type Exchange = { readonly imported: Imported } & (
  | { readonly kind: 'committed'; readonly tip: string }
  /** Somebody else moved the branch; from the beginning. */
  | { readonly kind: 'moved' }
  | { readonly kind: 'conflict' }
)

const nothing: Imported = { count: 0, authors: new Set() }

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}
