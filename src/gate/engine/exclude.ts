import { relative } from 'node:path'
import { systemCodeOf } from '../../lib/error.ts'
import { excludeFromGit } from '../../platform/git-exclude.ts'
import { findRepository } from '../../platform/repository.ts'

/** Keeps store and event log out of git; grid files and verdicts may be committed by a team (PERS-104). */
export function excludeEngineFiles(projectDir: string): void {
  const repository = findRepository(projectDir)
  if (repository === null) return
  const folder = relative(repository.root, projectDir)
  const at = (name: string) => [folder, '.ghyll', name].filter((part) => part !== '').join('/')
  try {
    excludeFromGit(repository, [
      { pattern: at('engine.db*'), names: ['engine.db', 'engine.db-wal', 'engine.db-shm'].map(at) },
      { pattern: at('events*.jsonl'), names: ['events.jsonl', 'events.1.jsonl'].map(at) }
    ])
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error
    // The repository's exclude file cannot be written: files that show up in `git status` are no reason to go without gates.
  }
}
