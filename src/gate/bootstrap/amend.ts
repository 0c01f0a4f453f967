import type { Arrow, Clause, Grid, ResidueEntry } from '../../protocol/grid.ts'
import { type Catalogue, checkArguments, missingArguments, schemaOf } from '../catalogue/index.ts'
import { isLanguageId, languageClauseId, normaliseArrowId } from '../runner/arrow-id.ts'
import { contracts } from '../runner/contracts/index.ts'
import { argsFrom, type Pair } from './answers.ts'
import { stratumFor } from './assemble.ts'
import { InitFailure } from './errors.ts'
import type { Profile } from './profile.ts'
import { instance, type ProjectFacts, proposeBase } from './proposal.ts'
import { autoSkipped, oneLine, skipped } from './residue-entries.ts'

// The verdict a deferred clause still awaits (INIT-133, INIT-134). Pure: the next version, or an `InitFailure`.

export type Amended = {
  readonly grid: Grid
  /** What was done, without the version before it (INIT-135). */
  readonly text: string
}

/** Who made the new version, and when (RFC 3339, UTC). */
export type Stamp = { readonly opId: string; readonly createdAt: string }

/** Supplies the missing arguments of a deferred clause (INIT-133). All of them: a clause is bound or it is not. */
export function bindClause(
  grid: Grid,
  arrowId: string,
  clauseId: string,
  pairs: readonly Pair[],
  catalogue: Catalogue,
  stamp: Stamp
): Amended {
  const { arrow, clause } = deferredClause(grid, arrowId, clauseId)
  const concept = clause.concept ?? ''
  const given = argsFrom(catalogue, concept, pairs)
  if (Object.keys(given).length === 0) throw new InitFailure('modified-args-missing')
  const schema = schemaOf(catalogue, concept)
  for (const name of Object.keys(given))
    if (clause.args[name] !== undefined && schema.arguments.some((argument) => argument.name === name))
      throw new InitFailure(`clause-not-deferred: argument "${name}" of ${clauseId} has a value already`)
  const args = { ...clause.args, ...given }
  const partly = checkArguments(catalogue, concept, args, { allowMissing: true })
  if ('problem' in partly) throw new InitFailure(amendProblem(partly.problem))
  const missing = missingArguments(schema, args).map((each) => each.split(':', 1)[0])
  if (missing.length > 0)
    throw new InitFailure(`clause-required-args-missing: ${concept} requires ${missing.join(', ')}`)
  const bound: Clause = { ...clause, args, missing: [] }
  const next = replaceClause(grid, arrow, clauseId, bound)
  const residue = withoutEntry(grid.residue, arrow.id, clauseId)
  return { grid: nextVersion({ ...next, residue }, stamp), text: `${arrow.id} ${clauseId} bound` }
}

function amendProblem({ code, argument, message }: { code: string; argument: string | null; message: string }): string {
  return code === 'unknown-argument' ? `modify-on-unknown-field: ${argument}` : message
}

/** Drops a deferred clause (INIT-133); the operator's words stay in its place. */
export function skipClause(grid: Grid, arrowId: string, clauseId: string, reason: string, stamp: Stamp): Amended {
  const { arrow, clause } = deferredClause(grid, arrowId, clauseId)
  const text = oneLine(reason)
  if (text === '') throw new InitFailure('residue-required-for-skip')
  const size = Buffer.byteLength(text)
  if (size > grid.residueNoteMaxBytes)
    throw new InitFailure(`residue-note-too-long: ${size} > ${grid.residueNoteMaxBytes} bytes`)
  const next = replaceClause(grid, arrow, clauseId, null)
  const residue = [...withoutEntry(grid.residue, arrow.id, clauseId), skipped(arrow.id, clause, text)]
  return { grid: nextVersion({ ...next, residue }, stamp), text: `${arrow.id} ${clauseId} skipped` }
}

/** Adds a project language: what was deferred for want of one is proposed again, and base clauses join as ROLE-17 says. */
export function addLanguage(
  grid: Grid,
  language: string,
  profile: Profile,
  catalogue: Catalogue,
  stamp: Stamp
): Amended {
  if (!isLanguageId(language)) throw new InitFailure(`language-id-invalid: "${language}"`)
  if (grid.languages.includes(language)) throw new InitFailure(`language-already-declared: ${language}`)
  const languages = [...grid.languages, language].toSorted()
  const facts: ProjectFacts = { profile, languages, bindings: new Set(Object.keys(grid.languageBindings)) }
  let residue: readonly ResidueEntry[] = grid.residue.filter(({ kind }) => kind !== 'base-pending')
  let bound = 0
  let added = 0
  const arrows = grid.arrows.map((arrow) => {
    const base = missingBase(arrow, language, facts, catalogue)
    added += base.length
    const clauses = arrow.clauses.map((clause) => {
      if (!clause.missing.includes('language:language-id')) return clause
      const again = proposeAgain(arrow, clause, language, facts, catalogue)
      residue = withoutEntry(residue, arrow.id, clause.id)
      if (again.missing.length === 0) bound += 1
      else residue = [...residue, autoSkipped(arrow.id, again)]
      return again
    })
    return withClauses(arrow, insertBase(clauses, base))
  })
  const next = { ...grid, languages, arrows, residue }
  const text = `language ${language}: ${bound} clauses bound, ${added} base clauses added`
  return { grid: nextVersion(next, stamp), text }
}

/** The clause from its contract with the language in it; what the grid raised on it stays raised. */
function proposeAgain(
  arrow: Arrow,
  clause: Clause,
  language: string,
  facts: ProjectFacts,
  catalogue: Catalogue
): Clause {
  const source = arrow.sourceRole === 'adversary' ? null : contracts[arrow.sourceRole]
  const contract = source?.clauses.find(({ id }) => id === clause.id)
  // A clause of the operator's own has no contract: it gets the language and keeps the rest.
  const args =
    contract === undefined
      ? { ...clause.args, language }
      : instance(contract, clause.id, language, arrow.context, facts, catalogue, false).clause.args
  const missing = missingArguments(schemaOf(catalogue, clause.concept ?? ''), args).toSorted()
  return { ...clause, args, missing }
}

/** Base clauses for the new language that the arrow lacks; a second language has its name in the id. */
function missingBase(arrow: Arrow, language: string, facts: ProjectFacts, catalogue: Catalogue): readonly Clause[] {
  const role = arrow.sourceRole
  if (role === 'init' || role === 'adversary') return []
  const present = new Set(arrow.clauses.map(({ concept, args }) => `${concept} ${String(args.language)}`))
  const taken = new Set(arrow.clauses.map(({ id }) => id))
  return proposeBase(role, arrow.context, facts, catalogue)
    .map(({ clause }) => clause)
    .filter(({ concept, args }) => args.language === language && !present.has(`${concept} ${language}`))
    .map((clause) => (taken.has(clause.id) ? { ...clause, id: languageClauseId(clause.id, language) } : clause))
}

function insertBase(clauses: readonly Clause[], base: readonly Clause[]): readonly Clause[] {
  const own = clauses.findIndex(({ id }) => !/^C[1-4](?:\.|$)/.test(id))
  const at = own === -1 ? clauses.length : own
  return [...clauses.slice(0, at), ...base, ...clauses.slice(at)]
}

function deferredClause(grid: Grid, arrowId: string, clauseId: string) {
  const id = normaliseArrowId(arrowId)
  const arrow = grid.arrows.find((each) => each.id === id)
  if (arrow === undefined)
    throw new InitFailure(
      `arrow "${id}" not in grid (grid version=${grid.version}, ${grid.arrows.length} total arrows)`
    )
  const clause = arrow.clauses.find((each) => each.id === clauseId)
  if (clause === undefined) {
    const ids = arrow.clauses.map((each) => each.id).join(', ')
    throw new InitFailure(`modify-on-unknown-clause: ${clauseId}; proposed: ${ids}`)
  }
  if (clause.missing.length === 0) throw new InitFailure(`clause-not-deferred: ${id} ${clauseId}`)
  return { arrow, clause }
}

function replaceClause(grid: Grid, arrow: Arrow, clauseId: string, clause: Clause | null): Grid {
  const clauses = arrow.clauses.flatMap((each) => (each.id === clauseId ? (clause ?? []) : each))
  if (clauses.length === 0) throw new InitFailure(`${arrow.id} would have no clause left`)
  return { ...grid, arrows: grid.arrows.map((each) => (each === arrow ? withClauses(arrow, clauses) : each)) }
}

/** The label follows the clauses; nothing else moves it (GATE-74). */
function withClauses(arrow: Arrow, clauses: readonly Clause[]): Arrow {
  return { ...arrow, clauses, stratum: stratumFor(clauses) }
}

function withoutEntry(residue: readonly ResidueEntry[], arrow: string, clause: string): readonly ResidueEntry[] {
  return residue.filter(
    (entry) => !(entry.kind === 'auto-skipped' && entry.arrow === arrow && entry.clauseId === clause)
  )
}

/** No queued amendment stands behind these acts, so the new version names none (RUN-725). */
function nextVersion(grid: Grid, { opId, createdAt }: Stamp): Grid {
  return { ...grid, version: grid.version + 1, createdByOpId: opId, createdAt, amendmentId: null }
}
