import { profileProject, resolvePlaceholders } from '../../gate/bootstrap/index.ts'
import type { Arrow } from '../../protocol/grid.ts'

/** Globs of an implementer's sources and tests as they were found at the start (ROLE-9, ROLE-14); none for other roles. */
export async function codeGlobs(projectDir: string): Promise<(arrow: Arrow) => readonly string[]> {
  const profile = await profileProject(projectDir)
  return ({ sourceRole, context }) => {
    if (sourceRole !== 'implementer') return []
    return ['{source-globs}', '{test-globs}'].flatMap((placeholder) => {
      const resolved = resolvePlaceholders(placeholder, { context, language: null, profile })
      return resolved.kind === 'unresolved' ? [] : [String(resolved.value)]
    })
  }
}
