import type { ActiveGrid } from '../../gate/bootstrap/index.ts'
import { mislabelled } from '../../gate/runner/index.ts'
import { safeLine } from '../../lib/safe-text.ts'

/** What a start tells of the grid in force, a line each: keys nobody knows (INIT-71), labels its clauses contradict (GATE-9). */
export function gridNotes({ grid, unknownKeys }: Pick<ActiveGrid, 'grid' | 'unknownKeys'>): readonly string[] {
  const about = `⚠ grid v${grid.version}:`
  return [
    ...unknownKeys.map((key) => safeLine(`${about} nobody knows the key ${key}; it is ignored`)),
    ...mislabelled(grid.arrows).map(({ id, recorded, derived }) =>
      safeLine(`${about} ${id} is recorded as ${recorded}, its clauses make it ${derived}; they route it`)
    )
  ]
}
