import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

export type Tree = {
  /** Regular files, project-relative with `/`, sorted within each folder. */
  readonly files: readonly string[]
  readonly folders: ReadonlySet<string>
  /** Directory entries looked at. */
  readonly visited: number
  /** Whether the budget ended the walk; files and folders are then a part only. */
  readonly exhausted: boolean
  readonly unreadable: readonly string[]
}

export type WalkOptions = {
  /** Most directory entries to look at. */
  readonly budget: number
  /** Whether a folder (project-relative) is left out with everything below it. */
  readonly skip: (path: string, name: string) => boolean
}

/** Lists a project without following symbolic links and without running anything (INIT-30). Throws when the root cannot be read. */
export async function walkTree(root: string, { budget, skip }: WalkOptions): Promise<Tree> {
  const files: string[] = []
  const folders = new Set<string>()
  const unreadable: string[] = []
  let visited = 0
  const pending = ['']
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const entries = await entriesOf(root, folder, unreadable)
    const below: string[] = []
    for (const entry of entries) {
      visited += 1
      if (visited > budget) return { files, folders, visited, exhausted: true, unreadable }
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isFile()) files.push(path)
      else if (entry.isDirectory() && !skip(path, entry.name)) {
        folders.add(path)
        below.push(path)
      }
    }
    pending.push(...below.reverse())
  }
  return { files, folders, visited, exhausted: false, unreadable }
}

async function entriesOf(root: string, folder: string, unreadable: string[]): Promise<readonly Dirent[]> {
  try {
    const entries = await readdir(join(root, folder), { withFileTypes: true })
    return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    if (folder === '') throw error
    unreadable.push(folder) // gone or closed to us since it was listed
    return []
  }
}
