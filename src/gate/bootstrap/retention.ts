import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '../../lib/error.ts'
import type { Retention } from '../../protocol/grid.ts'
import { gridFileName, gridFolder, gridVersions } from './grid-file.ts'

export type Retained = {
  readonly deleted: readonly number[]
  /** One line per version that should have gone and could not. */
  readonly warnings: readonly string[]
}

/**
 * Deletes the versions a project does not want to keep, after a version was committed (INIT-73): never one of `inUse`, the active one and
 * those open passes run under. `now` is in milliseconds since the epoch.
 */
export function applyRetention(
  projectDir: string,
  retention: Retention,
  inUse: ReadonlySet<number>,
  now: number
): Retained {
  const deleted: number[] = []
  const warnings: string[] = []
  for (const version of surplus(projectDir, retention, now)) {
    if (inUse.has(version)) continue
    try {
      rmSync(pathOf(projectDir, version))
      deleted.push(version)
    } catch (error) {
      warnings.push(`${gridFileName(version)} could not be deleted: ${messageOf(error)}`)
    }
  }
  return { deleted, warnings }
}

function surplus(projectDir: string, retention: Retention, now: number): readonly number[] {
  const versions = gridVersions(projectDir)
  if (retention.kind === 'keep-all') return []
  if (retention.kind === 'max-count') return versions.slice(0, Math.max(0, versions.length - retention.count))
  return versions.filter((version) => {
    const stats = statSync(pathOf(projectDir, version), { throwIfNoEntry: false })
    return stats !== undefined && now - stats.mtimeMs > retention.ageMs
  })
}

function pathOf(projectDir: string, version: number): string {
  return join(gridFolder(projectDir), gridFileName(version))
}
