import { compilePathGlob } from '../../lib/path-glob.ts'
import type { Args, ArgValue, BoundedContext, Clause, Dependency, ResidueEntry, Role } from '../../protocol/grid.ts'
import { type Catalogue, checkArguments, missingArguments } from '../catalogue/index.ts'
import { arrowId, defaultPairs, languageClauseId } from '../runner/arrow-id.ts'
import { baseClauses, type ContractClause, contracts, defaultDependencies } from '../runner/contracts/index.ts'
import { InitFailure } from './errors.ts'
import { languageOf } from './languages.ts'
import { resolvePlaceholders } from './placeholders.ts'
import type { Profile } from './profile.ts'

// Contracts become the clauses of arrows: placeholders resolved, one instance per language, in a fixed order.

/** What proposals are made from, beside the contracts. */
export type ProjectFacts = {
  readonly profile: Profile
  /** Languages that clauses are made for, sorted (INIT-92). */
  readonly languages: readonly string[]
  /** Keys `<concept>.<language>` of the declared bindings. */
  readonly bindings: ReadonlySet<string>
}

export type ArgOrigin = 'contract' | 'placeholder' | 'default' | 'missing'

export type ProposedClause = {
  /** As it is recorded when confirmed; `missing` names what keeps it from that. */
  readonly clause: Clause
  /** A base clause may not be dropped (ROLE-17). */
  readonly isBase: boolean
  /** Every argument of the concept with where its value came from (INIT-51); `value` null when there is none. */
  readonly args: readonly ProposedArg[]
}

export type ProposedArg = { readonly name: string; readonly value: ArgValue; readonly origin: ArgOrigin }

export type ProposedArrow = {
  readonly id: string
  readonly source: Role | 'init'
  readonly target: Role
  readonly context: string
  readonly clauses: readonly ProposedClause[]
  readonly dependencies: readonly Dependency[]
}

/** The arrows of the default grid, role pair by role pair and in each context by context (INIT-50). */
export function proposeArrows(
  contexts: readonly BoundedContext[],
  facts: ProjectFacts,
  catalogue: Catalogue
): readonly ProposedArrow[] {
  return defaultPairs.flatMap(({ source, target }) =>
    contexts.map(({ id }) => proposeArrow(source, target, id, facts, catalogue))
  )
}

/** One arrow from the contract of its source role. Throws `InitFailure` for defects of shipped data (INIT-52). */
export function proposeArrow(
  source: Role | 'init',
  target: Role,
  context: string,
  facts: ProjectFacts,
  catalogue: Catalogue
): ProposedArrow {
  const own = contracts[source].clauses.filter(({ applies }) => applies === 'both' || applies === facts.profile.mode)
  const base = source === 'init' ? [] : proposeBase(source, context, facts, catalogue)
  const clauses = [...base, ...own.flatMap((clause) => proposeOwn(clause, context, facts, catalogue))]
  const id = arrowId(source, target, context)
  if (clauses.length === 0) throw new InitFailure(`proposal-zero-clauses: ${id}`)
  const ids = clauses.map(({ clause }) => clause.id)
  const repeated = ids.find((each, n) => ids.indexOf(each) !== n)
  if (repeated !== undefined) throw new InitFailure(`proposal-duplicate-clause-id: ${id} ${repeated}`)
  const dependencies = defaultDependencies(source).map((dependency) => ({
    ...dependency,
    artifact: dependency.artifact.replaceAll('{context}', context)
  }))
  return { id, source, target, context, clauses, dependencies }
}

/** Base clauses of the arrow that leaves `source`; of those for a language, one per language that concerns them (ROLE-16, ROLE-17). */
export function proposeBase(
  source: Role,
  context: string,
  facts: ProjectFacts,
  catalogue: Catalogue
): readonly ProposedClause[] {
  return baseClauses(source).flatMap((clause) => {
    if (!isPerLanguage(clause)) return [instance(clause, clause.id, null, context, facts, catalogue, true)]
    const languages = baseLanguages(clause, context, facts)
    return languages.map((language) => {
      const id = languages.length > 1 ? languageClauseId(clause.id, language) : clause.id
      return instance(clause, id, language, context, facts, catalogue, true)
    })
  })
}

/** Languages with files in the scope of a base clause, and those a binding was declared for (ROLE-17). */
function baseLanguages(clause: ContractClause, context: string, facts: ProjectFacts): readonly string[] {
  const { profile } = facts
  const bound = [...facts.bindings].flatMap((key) =>
    key.startsWith(`${clause.concept}.`) ? [key.slice(key.indexOf('.') + 1)] : []
  )
  const present = facts.languages.filter((language) => {
    const scope = resolvePlaceholders(clause.args.scope ?? '', { context, language, profile })
    const glob = compilePathGlob(scope.kind === 'unresolved' ? '' : String(scope.value))
    return profile.tree.files.some((file) => languageOf(file) === language && glob.matches(file))
  })
  return [...new Set([...present, ...bound])].toSorted()
}

function proposeOwn(
  clause: ContractClause,
  context: string,
  facts: ProjectFacts,
  catalogue: Catalogue
): readonly ProposedClause[] {
  const { languages } = facts
  if (!isPerLanguage(clause) || languages.length <= 1)
    return [instance(clause, clause.id, languages[0] ?? null, context, facts, catalogue, false)]
  return languages.map((language) =>
    instance(clause, languageClauseId(clause.id, language), language, context, facts, catalogue, false)
  )
}

function isPerLanguage({ args }: ContractClause): boolean {
  return args.language === '{language}'
}

/** One clause of a contract in one context and language (ROLE-14, ROLE-17). */
export function instance(
  contract: ContractClause,
  id: string,
  language: string | null,
  context: string,
  { profile }: Pick<ProjectFacts, 'profile'>,
  catalogue: Catalogue,
  isBase: boolean
): ProposedClause {
  const args: Record<string, ArgValue> = {}
  const shown: ProposedArg[] = []
  for (const [name, value] of Object.entries(contract.args)) {
    const resolved = resolvePlaceholders(value, { context, language, profile })
    if (resolved.kind === 'unresolved') continue
    args[name] = resolved.value
    shown.push({ name, value: resolved.value, origin: resolved.kind === 'literal' ? 'contract' : 'placeholder' })
  }
  const { missing, others } = fromSchema(contract, args, catalogue)
  const clause: Clause = {
    id,
    description: contract.statement,
    layers: contract.layers,
    eval: contract.eval,
    depth: contract.depth,
    minTier: contract.minTier,
    cost: contract.cost,
    source: 'role-default',
    concept: contract.concept,
    args,
    modified: [],
    missing
  }
  return { clause, isBase, args: [...shown, ...others] }
}

/** What the contract left to the concept: defaults, and what is missing. Throws `InitFailure` for defects of shipped data. */
function fromSchema({ concept, id }: ContractClause, args: Args, catalogue: Catalogue) {
  if (concept === null) return { missing: [], others: [] }
  const schema = catalogue.get(concept)
  if (schema === undefined) throw new InitFailure(`proposal-unknown-concept: ${id} ${concept}`)
  const checked = checkArguments(catalogue, concept, args, { allowMissing: true })
  if ('problem' in checked) throw new InitFailure(`proposal-invalid-arguments: ${id} ${checked.problem.message}`)
  const others = schema.arguments
    .filter(({ name }) => args[name] === undefined)
    .map(({ name, required, default: fallback }): ProposedArg => {
      if (required) return { name, value: null, origin: 'missing' }
      return { name, value: structuredClone(fallback) as ArgValue, origin: 'default' }
    })
  return { missing: missingArguments(schema, args).toSorted(), others }
}

/** What keeps the absence of language-bound base clauses visible while a project has no language (ROLE-17, INIT-60). */
export function pendingBaseEntries(facts: ProjectFacts): readonly ResidueEntry[] {
  if (facts.languages.length > 0) return []
  return baseClauses('analyst')
    .filter(isPerLanguage)
    .filter(({ concept }) => ![...facts.bindings].some((key) => key.startsWith(`${concept}.`)))
    .map(({ id, concept }) => ({
      kind: 'base-pending',
      arrow: '*',
      clauseId: id,
      concept,
      description: 'base clause',
      cost: 0,
      reason: 'init-v1: base clause pending (no project language)'
    }))
}
