import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ignore from 'ignore'
import type { Repository } from './repository.ts'

/** What a session leaves in a repository and git shall not show (SESS-135), each with names it stands for. */
const sessionFiles: readonly Exclusion[] = [
  { pattern: '.ghyll.lock', names: ['.ghyll.lock'] },
  { pattern: '.ghyll/session.db*', names: ['.ghyll/session.db', '.ghyll/session.db-wal', '.ghyll/session.db-shm'] },
  { pattern: '.ghyll/ghyll.log*', names: ['.ghyll/ghyll.log', '.ghyll/ghyll.log.1'] },
  { pattern: '.ghyll/state/', names: ['.ghyll/state/x'] }
]

export type Exclusion = {
  /** A line for git's exclude file. */
  readonly pattern: string
  /** Paths, relative to the top level, that must be ignored for the line to be unnecessary. */
  readonly names: readonly string[]
}

/**
 * Adds to `.git/info/exclude` what neither it nor the top `.gitignore` ignores already; `.gitignore` is never edited (SESS-135).
 * Returns the lines added. Throws the system's error when the exclude file cannot be written.
 */
export function excludeFromGit(
  repository: Repository,
  exclusions: readonly Exclusion[] = sessionFiles
): readonly string[] {
  const folder = join(repository.commonDir, 'info')
  const file = join(folder, 'exclude')
  const excluded = readOr(file, '')
  // The exclude file ranks below `.gitignore`, so it comes first.
  const rules = ignore()
    .add(excluded)
    .add(readOr(join(repository.root, '.gitignore'), ''))
  const added = exclusions
    .filter(({ names }) => !names.every((name) => rules.ignores(name)))
    .map(({ pattern }) => pattern)
    .filter((pattern) => !excluded.split(/\r?\n/).includes(pattern))
  if (added.length === 0) return added
  mkdirSync(folder, { recursive: true })
  const separator = excluded === '' || excluded.endsWith('\n') ? '' : '\n'
  appendFileSync(file, `${separator}${added.join('\n')}\n`)
  return added
}

function readOr(path: string, fallback: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return fallback // missing or unreadable: nothing is ignored by it
  }
}
