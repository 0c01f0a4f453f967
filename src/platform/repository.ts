import { readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { systemCodeOf } from '../lib/error.ts'

// Where a folder stands in git, read from plain files: this runs before the first frame and must not wait for a child process.

export type Repository = {
  /** Top level of the work tree, without symbolic links. */
  readonly root: string
  /** The work tree's own git folder. */
  readonly gitDir: string
  /** The git folder shared by all work trees. */
  readonly commonDir: string
  /** Top level of the main work tree; the common folder itself when the repository is bare. */
  readonly mainRoot: string
}

/** The repository that `folder` belongs to, or null. Throws only when `folder` itself cannot be resolved. */
export function findRepository(folder: string): Repository | null {
  let root = realpathSync(folder)
  for (;;) {
    const gitDir = gitDirOf(root)
    if (gitDir !== null) return describe(root, gitDir)
    const parent = dirname(root)
    if (parent === root) return null
    root = parent
  }
}

/** The lock that covers `folder` and every work tree of its repository (SESS-130). */
export function lockPathOf(folder: string): string {
  return join(findRepository(folder)?.mainRoot ?? realpathSync(folder), '.ghyll.lock')
}

/** The branch that is checked out; null for a detached head, an unreadable one, or one that is kept elsewhere (reftable). */
export function currentBranch(repository: Repository): string | null {
  const branch = /^ref: refs\/heads\/(.+)$/.exec(readLine(join(repository.gitDir, 'HEAD')) ?? '')?.[1]
  return branch === undefined || branch === '.invalid' ? null : branch
}

function describe(root: string, gitDir: string): Repository {
  const common = readLine(join(gitDir, 'commondir'))
  if (common === null) return { root, gitDir, commonDir: gitDir, mainRoot: root }
  const commonDir = resolve(gitDir, common)
  return { root, gitDir, commonDir, mainRoot: basename(commonDir) === '.git' ? dirname(commonDir) : commonDir }
}

/** `.git` is a folder in a main work tree and a file naming one in linked work trees and submodules. */
function gitDirOf(folder: string): string | null {
  const entry = join(folder, '.git')
  const stats = statSync(entry, { throwIfNoEntry: false })
  if (stats === undefined) return null
  if (stats.isDirectory()) return isGitDir(entry) ? entry : null
  const target = /^gitdir: (.+)$/.exec(readLine(entry) ?? '')?.[1]
  if (target === undefined) return null
  const gitDir = resolve(folder, target)
  return isGitDir(gitDir) ? gitDir : null
}

function isGitDir(folder: string): boolean {
  return readLine(join(folder, 'HEAD')) !== null
}

function readLine(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').split(/\r?\n/, 1)[0] ?? ''
  } catch (error) {
    if (systemCodeOf(error) !== undefined) return null // missing or unreadable: git would not take it for a repository either
    throw error
  }
}
