import { realpathSync } from 'node:fs'
import type { CliIo } from '../cli/io.ts'
import { gitFor, repositoryIdentity } from '../memory/index.ts'
import { currentBranch, findRepository, type Repository } from '../platform/repository.ts'

// Where the memory is asked from: by an offline `ghyll memory` command, and for the branch by a session.

/** The identity of the repository the command runs in (MEM-011). */
export async function currentRepo(io: CliIo): Promise<string> {
  const { root, repository } = place(io)
  return repositoryIdentity(root, await gitFor(root, repository !== null, io.env))
}

/** The top level of the repository around the working directory, else that directory itself (MEM-011). */
export function place(io: CliIo): { readonly root: string; readonly repository: Repository | null } {
  const repository = findRepository(io.cwd)
  return { root: repository?.root ?? realpathSync(io.cwd), repository }
}

/** The branch a checkpoint is made on; empty outside of a repository and where none is checked out. */
export function branchIn(repository: Repository | null): string {
  return repository === null ? '' : (currentBranch(repository) ?? '')
}

/** Runs `work` with a signal that aborts at the first Ctrl+C; whether it did is for `work` to see (CLI-013). */
export async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const abort = new AbortController()
  const stop = () => abort.abort()
  process.once('SIGINT', stop)
  try {
    return await work(abort.signal)
  } finally {
    process.off('SIGINT', stop)
  }
}
