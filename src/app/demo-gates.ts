import { rmSync } from 'node:fs'
import type { Environment } from '../config/index.ts'
import { gridFolder, initProject, readActiveGrid, stratumFor, writeGrid } from '../gate/bootstrap/index.ts'
import { type Catalogue, loadCatalogue } from '../gate/catalogue/index.ts'
import type { Arrow, Clause } from '../protocol/grid.ts'

/** How many questions an arrow of the demo asks at most: enough to see, few enough to answer. */
const questions = 2

/**
 * Declares the gates of the demo's project: `ghyll init`, and then the grid a visitor can pass without a model and without programs of
 * the project's language. A few questions are left, asked as the project's own so that no model has to reach a rank for them, and one
 * arrow keeps the architect's, on which models attack and mend first. Throws when that cannot be done.
 */
export async function declareDemoGates(project: string, env: Environment, opId: string): Promise<void> {
  const result = await initProject(
    {
      dir: project,
      shownDir: project,
      opId,
      language: 'none',
      forceTraits: false,
      interactive: false,
      contexts: [],
      bindings: [],
      settings: [],
      fit: null,
      overrideRefusal: null,
      dryRun: false
    },
    { guidelines: { names: () => [], text: () => null }, env: { ...env }, now: Date.now, drive: async (start) => start }
  )
  if (result.exitCode !== 0) throw new Error(`init of the demo's project: ${result.error}`)
  const catalogue = loadCatalogue()
  const { grid } = readActiveGrid(project, catalogue)
  // Nothing has relied on it yet: the folder holds nothing but this grid.
  rmSync(gridFolder(project), { recursive: true })
  writeGrid(project, { ...grid, arrows: grid.arrows.map((arrow) => forVisitors(arrow, catalogue)) }, catalogue)
}

function forVisitors(arrow: Arrow, catalogue: Catalogue): Arrow {
  const needsProgram = ({ concept }: Clause) => concept !== null && catalogue.get(concept)?.languageBound === true
  const asking = arrow.clauses.filter(({ eval: type }) => type === 'attested').slice(0, questions)
  const clauses = arrow.clauses
    .filter((clause) => (clause.eval === 'machine' ? !needsProgram(clause) : asking.includes(clause)))
    .map((clause) => (clause.eval === 'machine' || isAttacked(arrow) ? clause : ownQuestion(clause)))
  return { ...arrow, stratum: stratumFor(clauses), clauses }
}

/** What an architect hands on is worth an attack even in a shop this small. */
function isAttacked({ sourceRole }: Arrow): boolean {
  return sourceRole === 'architect'
}

/** A role's clause keeps its depth (ROLE-37); a question the project asks for itself may be robust. */
function ownQuestion(clause: Clause): Clause {
  return { ...clause, depth: 'depth-robust', minTier: 0, source: 'operator-extension' }
}
