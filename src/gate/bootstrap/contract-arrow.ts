import type { Arrow, Grid } from '../../protocol/grid.ts'
import type { Catalogue } from '../catalogue/index.ts'
import type { ArrowName } from '../runner/arrow-id.ts'
import { arrowFrom } from './assemble.ts'
import { profileProject } from './profile.ts'
import { proposeArrow } from './proposal.ts'

/** What a role's contract makes of one hand-off, as `ghyll init` would propose it now. */
export type ContractArrow = {
  readonly arrow: Arrow
  /** Clauses that may not be skipped (ROLE-17). */
  readonly base: ReadonlySet<string>
}

/** Looks at the project once and answers with a way to propose any hand-off in it (GATE-97 step 2). */
export async function contractArrows(
  projectDir: string,
  grid: Grid,
  catalogue: Catalogue
): Promise<(name: ArrowName) => ContractArrow> {
  const profile = await profileProject(projectDir)
  const facts = { profile, languages: grid.languages, bindings: new Set(Object.keys(grid.languageBindings)) }
  return ({ source, target, context }) => {
    const proposed = proposeArrow(source, target, context, facts, catalogue)
    return {
      arrow: arrowFrom(
        proposed,
        proposed.clauses.map(({ clause }) => clause)
      ),
      base: new Set(proposed.clauses.flatMap(({ clause, isBase }) => (isBase ? [clause.id] : [])))
    }
  }
}
