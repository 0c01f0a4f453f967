import { profileProject } from '../../gate/bootstrap/index.ts'
import { loadCatalogue } from '../../gate/catalogue/index.ts'
import { createArtifacts } from '../../gate/evaluators/index.ts'
import { type Gates, movedSince, type Outdated, outdatedOf, type PassRecord } from '../../gate/runner/index.ts'
import { createChildren } from '../../platform/children.ts'
import type { Arrow } from '../../protocol/grid.ts'
import { codeGlobs } from './code-globs.ts'

/** Arrows that are valid while their artifact is no longer the one that was verified, by id (RUN-252). */
export async function outdatedArrows(gates: Gates, signal: AbortSignal): Promise<ReadonlyMap<string, Outdated>> {
  const found = new Map<string, Outdated>()
  for (const arrow of gates.grid.current()?.arrows ?? []) {
    signal.throwIfAborted()
    const outdated = await outdatedOf(gates, arrow, signal)
    if (outdated !== null) found.set(arrow.id, outdated)
  }
  return found
}

/** Whether two readings say the same of the same arrows (RUN-252). */
export function sameOutdated(a: ReadonlyMap<string, Outdated>, b: ReadonlyMap<string, Outdated>): boolean {
  return (
    a.size === b.size &&
    [...a].every(([id, { files, passId }]) => b.get(id)?.files === files && b.get(id)?.passId === passId)
  )
}

/**
 * The same without a session, for an arrow that is valid by its effective pass. Rejects when the artifact cannot be read in time
 * (RUN-252).
 */
export async function outdatedOnDisk(
  projectDir: string,
  arrow: Arrow,
  effective: PassRecord | null,
  { env, timeoutMs }: { readonly env: NodeJS.ProcessEnv; readonly timeoutMs: number }
): Promise<Outdated | null> {
  const children = createChildren()
  const artifacts = createArtifacts({
    projectDir,
    catalogue: loadCatalogue(),
    machine: { confine: children.confine, env, profile: async (folder) => (await profileProject(folder)).mode },
    moreGlobs: await codeGlobs(projectDir)
  })
  try {
    return await movedSince(artifacts, arrow, effective, AbortSignal.timeout(timeoutMs))
  } finally {
    children.killAll()
  }
}
