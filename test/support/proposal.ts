import { proposedContexts } from '../../src/gate/bootstrap/contexts.ts'
import { profileProject } from '../../src/gate/bootstrap/profile.ts'
import { type ProjectFacts, proposeArrows } from '../../src/gate/bootstrap/proposal.ts'
import { loadCatalogue } from '../../src/gate/catalogue/index.ts'
import { makeProject } from './project.ts'

export const catalogue = loadCatalogue()
export const rules = { catalogue, residueNoteMaxBytes: 16_384 }

/** Profile, facts and proposals of a project with these files. */
export async function proposalFor(
  files: Readonly<Record<string, string>>,
  more: { readonly languages?: readonly string[]; readonly bindings?: readonly string[] } = {}
) {
  const dir = makeProject(files)
  const profile = await profileProject(dir)
  const languages = [...new Set([...profile.languages, ...(more.languages ?? [])])].toSorted()
  const facts: ProjectFacts = { profile, languages, bindings: new Set(more.bindings ?? []) }
  const contexts = proposedContexts(profile.detected)
  return { dir, profile, facts, contexts, arrows: proposeArrows(contexts, facts, catalogue) }
}
