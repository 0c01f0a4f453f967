import { byteLength } from '../../lib/cap-text.ts'
import type { Arrow, Clause, Grid, Requirement } from '../../protocol/grid.ts'
import { arrowId, isClauseId, isContextId, isRole } from './arrow-id.ts'
import { contractRevision } from './contracts/index.ts'
import { depthProblem } from './depth.ts'
import { readLadder } from './ladder.ts'
import { isLaxer } from './severity.ts'
import type { GridProblem, Vocabulary } from './vocabulary.ts'
import { weakeningOf } from './weakening.ts'

// What a grid must be, wherever it comes from: a file, a definer, or the program itself (GATE-13, GATE-70, GATE-75, INIT-70).

/** Longest description of a requirement, in bytes (GATE-25). */
const maxDescriptionBytes = 8192

/**
 * The first thing wrong with a grid, or null. Its arrows are checked in order. A grid made from another revision of the contracts
 * keeps what it recorded, also where these have come to ask for more since (ROLE-36).
 */
export function gridProblem(grid: Grid, vocabulary: Vocabulary): GridProblem | null {
  return settingsProblem(grid) ?? contextsProblem(grid) ?? arrowsProblem(grid, vocabulary)
}

function settingsProblem(grid: Grid): GridProblem | null {
  const numbers = {
    'insufficient-basis-rounds-max': grid.insufficientBasisRoundsMax,
    'remediation-rounds-max': grid.remediationRoundsMax,
    'residue-note-max-bytes': grid.residueNoteMaxBytes,
    'modal-pending-max-len': grid.modalPendingMaxLen
  }
  for (const [key, value] of Object.entries(numbers)) {
    const text = positiveProblem(key, value)
    if (text !== null) return { at: key, text }
  }
  const ladder = readLadder(grid.depthLadder)
  if ('problem' in ladder) return { at: 'depth-ladder', text: ladder.problem }
  const excused = grid.residue.some(({ kind }) => kind === 'threshold-laxer')
  if (isLaxer(grid.severityThreshold, 'medium') && !excused)
    return { at: 'severity-threshold', text: 'severity-threshold-weakened: no residue entry says why' }
  return null
}

/** What is wrong with a setting that counts something, or null (INIT-70). */
export function positiveProblem(key: string, value: unknown): string | null {
  if (!Number.isSafeInteger(value)) return `${key}-must-be-integer`
  return (value as number) > 0 ? null : `${key}-must-be-positive`
}

function contextsProblem({ boundedContexts }: Grid): GridProblem | null {
  if (boundedContexts.length === 0) return { at: 'bounded-contexts', text: 'at least one context is needed' }
  const ids = boundedContexts.map(({ id }) => id)
  const bad = ids.findIndex((id, n) => !isContextId(id) || ids.indexOf(id) !== n)
  if (bad === -1) return null
  const text = isContextId(ids[bad] ?? '') ? 'the context is declared twice' : 'not a context id'
  return { at: `bounded-contexts[${bad}].id`, text }
}

function arrowsProblem(grid: Grid, vocabulary: Vocabulary): GridProblem | null {
  const contexts = new Set(grid.boundedContexts.map(({ id }) => id))
  const problemOf = grid.contractRevision === contractRevision ? arrowProblem : definitionProblem
  const seen = new Set<string>()
  for (const [n, arrow] of grid.arrows.entries()) {
    const problem =
      problemOf(arrow, vocabulary) ??
      (seen.has(arrow.id) ? { at: 'id', text: `arrow "${arrow.id}" is declared twice` } : null) ??
      (contexts.has(arrow.context) ? null : { at: 'context', text: `context "${arrow.context}" is not declared` }) ??
      thresholdProblem(arrow, grid)
    if (problem !== null) return { at: `arrows[${n}].${problem.at}`, text: problem.text }
    seen.add(arrow.id)
  }
  return null
}

function thresholdProblem({ severityThreshold }: Arrow, grid: Grid): GridProblem | null {
  if (severityThreshold === null || !isLaxer(severityThreshold, grid.severityThreshold)) return null
  return { at: 'severity-threshold', text: 'severity-threshold-weakened: laxer than the project' }
}

/** The first thing wrong with one arrow definition, or null (GATE-13, GATE-28, GATE-75). */
export function arrowProblem(arrow: Arrow, vocabulary: Vocabulary): GridProblem | null {
  return definitionProblem(arrow, vocabulary) ?? weakeningOf(arrow, vocabulary)
}

function definitionProblem(arrow: Arrow, vocabulary: Vocabulary): GridProblem | null {
  return nameProblem(arrow) ?? clausesProblem(arrow.clauses, vocabulary) ?? requirementsProblem(arrow.requirements)
}

function nameProblem({ id, sourceRole, targetRole, context, stratum }: Arrow): GridProblem | null {
  const parts = { id, 'source-role': sourceRole, 'target-role': targetRole, context, stratum }
  for (const [at, value] of Object.entries(parts)) if (value.trim() === '') return { at, text: 'empty' }
  if (sourceRole !== 'init' && !isRole(sourceRole)) return { at: 'source-role', text: `unknown role "${sourceRole}"` }
  if (!isRole(targetRole)) return { at: 'target-role', text: `unknown role "${targetRole}"` }
  // Types say so already, a file does not.
  if ((sourceRole as string) === targetRole) return { at: 'target-role', text: 'source and target are the same role' }
  if (!isContextId(context)) return { at: 'context', text: `not a context id: "${context}"` }
  const wanted = arrowId(sourceRole, targetRole, context)
  return id === wanted ? null : { at: 'id', text: `"${id}" should be "${wanted}"` }
}

function clausesProblem(clauses: readonly Clause[], vocabulary: Vocabulary): GridProblem | null {
  if (clauses.length === 0) return { at: 'clauses', text: 'no clause' }
  const seen = new Set<string>()
  for (const [n, clause] of clauses.entries()) {
    const problem = seen.has(clause.id)
      ? { at: 'id', text: `clause "${clause.id}" repeats` }
      : clauseProblem(clause, vocabulary)
    if (problem !== null) return { at: `clauses[${n}].${problem.at}`, text: problem.text }
    seen.add(clause.id)
  }
  return null
}

/** The first thing wrong with one clause, or null (GATE-13, GATE-15…17); a deferred one may lack exactly what it says it lacks. */
export function clauseProblem(clause: Clause, vocabulary: Vocabulary): GridProblem | null {
  const { id, concept, args, missing } = clause
  if (!isClauseId(id)) return { at: 'id', text: `not a clause id: "${id}"` }
  if (clause.eval !== 'machine' && clause.eval !== 'attested') return { at: 'eval', text: 'machine or attested' }
  const depth = depthProblem(clause.depth, clause.minTier)
  if (depth !== null) return { at: depth.code === 'clause-depth-type-unknown' ? 'depth' : 'min-tier', text: depth.text }
  if (!Number.isSafeInteger(clause.cost) || clause.cost < 0) return { at: 'cost', text: 'an integer of at least 0' }
  if (concept === null) {
    if (clause.eval === 'machine') return { at: 'concept', text: 'a machine clause needs a concept' }
    if (Object.keys(args).length > 0) return { at: 'args', text: 'arguments without a concept' }
    return missing.length === 0 ? null : { at: 'missing', text: 'nothing can be missing without a concept' }
  }
  const problem = vocabulary.problem(concept, args, { allowMissing: missing.length > 0 })
  if (problem !== null) return problem
  if (missing.length === 0) return null
  const absent = vocabulary.missing(concept, args)
  if (absent.toSorted().join() === missing.toSorted().join()) return null
  return { at: 'missing', text: `says ${missing.join(', ')}, yet ${absent.join(', ') || 'nothing'} is missing` }
}

function requirementsProblem(requirements: readonly Requirement[]): GridProblem | null {
  const ids = requirements.map(({ id }) => id)
  for (const [n, { id, minDepth, description }] of requirements.entries()) {
    const at = `requirements[${n}]`
    if (id.trim() === '') return { at: `${at}.id`, text: 'empty' }
    if (ids.indexOf(id) !== n) return { at: `${at}.id`, text: `requirement "${id}" repeats` }
    if (![1, 2, 3].includes(minDepth)) return { at: `${at}.min-depth`, text: 'a minimum of 1..3 is needed' }
    if (description.trim() === '') return { at: `${at}.description`, text: 'empty' }
    if (byteLength(description) > maxDescriptionBytes) return { at: `${at}.description`, text: 'longer than 8 KiB' }
  }
  return null
}
