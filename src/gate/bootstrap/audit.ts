import { join } from 'node:path'
import { compilePathGlob } from '../../lib/path-glob.ts'
import { readRegular } from '../../platform/regular-file.ts'
import type { Args, Grid } from '../../protocol/grid.ts'
import type { Catalogue } from '../catalogue/index.ts'
import { baseClauses } from '../runner/contracts/index.ts'
import type { Profile } from './profile.ts'
import type { ProposedArrow } from './proposal.ts'

export type Audit = { readonly errors: readonly string[]; readonly advisories: readonly string[] }

/** Plays the adversary against a grid before it is written: always the same questions, no model (INIT-110). */
export function auditGrid(
  grid: Grid,
  proposed: readonly ProposedArrow[],
  project: { readonly dir: string; readonly profile: Profile },
  catalogue: Catalogue
): Audit {
  const { profile, dir } = project
  return {
    errors: lostClauses(grid, proposed),
    advisories: [
      ...uncoveredContexts(grid, profile),
      ...coarseDependencies(grid, profile, dir),
      ...withoutRequirements(grid),
      ...emptyScopes(grid, profile, catalogue),
      ...missingBindings(grid),
      ...shellCommands(grid)
    ]
  }
}

/** Contract clauses that are neither recorded, deferred nor in residue. */
function lostClauses(grid: Grid, proposed: readonly ProposedArrow[]): readonly string[] {
  return proposed.flatMap(({ id, clauses }) => {
    const arrow = grid.arrows.find((each) => each.id === id)
    const accounted = new Set([
      ...(arrow?.clauses.map((clause) => clause.id) ?? []),
      ...grid.residue.filter((entry) => entry.arrow === id).map(({ clauseId }) => clauseId)
    ])
    return clauses
      .filter(({ clause }) => !accounted.has(clause.id))
      .map(({ clause }) => `${id} ${clause.id} is neither recorded, deferred nor in residue`)
  })
}

function uncoveredContexts(grid: Grid, { detected }: Profile): readonly string[] {
  const declared = new Set(grid.boundedContexts.map(({ id }) => id))
  const uncovered = detected.ids.filter((id) => !declared.has(id)).map((id) => `${detected.root}/${id}`)
  return [
    ...(uncovered.length === 0 ? [] : [`no context covers ${uncovered.join(', ')}`]),
    ...(detected.leftOut.length === 0 ? [] : [`not taken for contexts: ${detected.leftOut.join(', ')}`])
  ]
}

/** Files that are watched as a whole although entries in them can be named one by one (GATE-88). */
function coarseDependencies(grid: Grid, { tree }: Profile, dir: string): readonly string[] {
  const globs = new Set(
    grid.arrows.flatMap(({ dependencies }) =>
      (dependencies ?? []).filter(({ granularity }) => granularity === 'file').map(({ artifact }) => artifact)
    )
  )
  const matchers = [...globs].map(compilePathGlob)
  const files = tree.files.filter(
    (file) => matchers.some((glob) => glob.matches(file)) && holdsManualIds(join(dir, file))
  )
  return files.length === 0 ? [] : [`depended on as a whole although entries bear ids: ${listed(files)}`]
}

/** Largest file that is looked through for manual ids, in bytes. */
const maxIdBytes = 1024 * 1024

function holdsManualIds(path: string): boolean {
  try {
    return /^[ \t>*|#-]*id:[ \t]*[A-Z]+-\S/m.test(readRegular(path, maxIdBytes).toString('utf8'))
  } catch {
    return false // too long, or gone since it was listed
  }
}

function withoutRequirements(grid: Grid): readonly string[] {
  return grid.arrows.some(({ requirements }) => requirements.length > 0)
    ? []
    : ['no requirement with a minimum depth is declared anywhere']
}

function emptyScopes(grid: Grid, { tree }: Profile, catalogue: Catalogue): readonly string[] {
  if (tree.exhausted) return ['the project is too large to see which scopes match nothing']
  const scopes = new Set(
    grid.arrows.flatMap(({ clauses }) =>
      clauses.flatMap(({ concept, args }) => globArguments(concept, args, catalogue))
    )
  )
  const empty = [...scopes].filter((scope) => {
    const glob = compilePathGlob(scope)
    return !tree.files.some((file) => glob.matches(file))
  })
  return empty.length === 0 ? [] : [`scopes that match nothing yet: ${listed(empty)}`]
}

function globArguments(concept: string | null, args: Args, catalogue: Catalogue): readonly string[] {
  const schema = catalogue.get(concept ?? '')
  return (schema?.arguments ?? [])
    .filter(({ type }) => type === 'path-glob')
    .flatMap(({ name }) => (typeof args[name] === 'string' ? [args[name]] : []))
}

function missingBindings(grid: Grid): readonly string[] {
  const concepts = baseClauses('implementer').flatMap(({ concept, args }) =>
    args.language === undefined || concept === null ? [] : [concept]
  )
  return grid.languages.flatMap((language) => {
    const missing = concepts.filter((concept) => grid.languageBindings[`${concept}.${language}`] === undefined)
    return missing.length === 0 ? [] : [`${language} has no binding for ${missing.join(', ')}`]
  })
}

const commandArguments = ['schema-check', 'test-command', 'kill-commands', 'restore-commands']

function shellCommands(grid: Grid): readonly string[] {
  return grid.arrows.flatMap(({ id, clauses }) =>
    clauses.flatMap((clause) =>
      commandArguments
        .filter((name) => clause.args[name] !== undefined)
        .map((name) => `${id} ${clause.id} will run ${name} as shell: ${JSON.stringify(clause.args[name])}`)
    )
  )
}

const shownAtMost = 8

function listed(items: readonly string[]): string {
  const rest = items.length - shownAtMost
  return `${items.slice(0, shownAtMost).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
