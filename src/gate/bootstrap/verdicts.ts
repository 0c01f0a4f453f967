import type { Args, Clause, DepthRank } from '../../protocol/grid.ts'
import { type Catalogue, checkArguments, modifyArguments } from '../catalogue/index.ts'
import { depthProblem } from '../runner/depth.ts'
import { clauseProblem } from '../runner/grid-check.ts'
import { clauseWeakening } from '../runner/weakening.ts'
import type { ProposedArrow, ProposedClause } from './proposal.ts'
import { oneLine } from './residue-entries.ts'
import { vocabularyOf } from './vocabulary.ts'

// What the operator decides about each proposed clause. Pure: every verdict gives a new state or a refusal.

export type Verdict =
  | { readonly kind: 'confirm' }
  /** `args` replace proposed values, in the accepted directions; `cost` and `minTier` only upward. */
  | { readonly kind: 'modify'; readonly args: Args; readonly cost?: number; readonly minTier?: number }
  | { readonly kind: 'skip'; readonly reason: string }
  /** The automatic path's answer to a clause that lacks arguments; its own verdict comes later (INIT-55, INIT-133). */
  | { readonly kind: 'defer' }

export type Decision =
  | { readonly kind: 'recorded'; readonly clause: Clause }
  | { readonly kind: 'deferred'; readonly clause: Clause }
  | { readonly kind: 'skipped'; readonly clause: Clause; readonly reason: string }

export type VerdictState = {
  readonly arrows: readonly ProposedArrow[]
  /** By arrow id and clause id. */
  readonly decisions: ReadonlyMap<string, ReadonlyMap<string, Decision>>
  /** Clauses beside the contract's, by arrow id. */
  readonly extensions: ReadonlyMap<string, readonly Clause[]>
}

export type VerdictRefusal = { readonly code: string; readonly text: string }
export type VerdictResult = { readonly state: VerdictState } | { readonly refused: VerdictRefusal }

export type VerdictRules = { readonly catalogue: Catalogue; readonly residueNoteMaxBytes: number }

/** The proposal with nothing decided yet (INIT-54). */
export function startVerdicts(arrows: readonly ProposedArrow[]): VerdictState {
  return { arrows, decisions: new Map(), extensions: new Map() }
}

/** Takes one verdict on one proposed clause; a second one is refused until the clause is reopened (INIT-58). */
export function decide(
  state: VerdictState,
  arrow: string,
  clause: string,
  verdict: Verdict,
  rules: VerdictRules
): VerdictResult {
  const proposed = state.arrows.find(({ id }) => id === arrow)
  const found = proposed?.clauses.find((each) => each.clause.id === clause)
  if (proposed === undefined || found === undefined) {
    const ids = proposed?.clauses.map((each) => each.clause.id).join(', ') ?? 'no such arrow'
    return refuse('modify-on-unknown-clause', `modify-on-unknown-clause: ${clause}; proposed: ${ids}`)
  }
  const given = state.decisions.get(arrow) ?? new Map<string, Decision>()
  if (given.has(clause)) return refuse('verdict-already-applied')
  const decision = decisionOf(found, verdict, rules)
  if ('refused' in decision) return decision
  const decisions = new Map(state.decisions).set(arrow, new Map(given).set(clause, decision.decision))
  return { state: { ...state, decisions } }
}

/** Takes a verdict back, so that another one can be given (INIT-57). */
export function reopen(state: VerdictState, arrow: string, clause: string): VerdictState {
  const given = new Map(state.decisions.get(arrow))
  given.delete(clause)
  return { ...state, decisions: new Map(state.decisions).set(arrow, given) }
}

/** Adds a clause of the operator's own (INIT-58); possible at any time and no verdict on another one. */
export function extend(state: VerdictState, arrow: string, clause: Clause, rules: VerdictRules): VerdictResult {
  const proposed = state.arrows.find(({ id }) => id === arrow)
  if (proposed === undefined)
    return refuse('extension-clause-invalid', `extension-clause-invalid: unknown arrow ${arrow}`)
  const added = state.extensions.get(arrow) ?? []
  const taken = [...proposed.clauses.map((each) => each.clause.id), ...added.map(({ id }) => id)]
  const vocabulary = vocabularyOf(rules.catalogue)
  const problem = taken.includes(clause.id)
    ? `id "${clause.id}" is already used`
    : problemText(clauseProblem(clause, vocabulary) ?? clauseWeakening(clause, vocabulary))
  if (problem !== null) return refuse('extension-clause-invalid', `extension-clause-invalid: ${problem}`)
  const extensions = new Map(state.extensions).set(arrow, [...added, { ...clause, source: 'operator-extension' }])
  return { state: { ...state, extensions } }
}

/** What is still to be decided, as the error that keeps a grid from being assembled, or null (INIT-54). */
export function incompleteText(state: VerdictState): string | null {
  for (const { id, clauses } of state.arrows) {
    const given = state.decisions.get(id)?.size ?? 0
    if (given < clauses.length)
      return `init-verdicts-incomplete: arrow ${id} has ${given} of ${clauses.length} verdicts`
  }
  return null
}

/** The automatic path: confirm what is complete, defer what is not (INIT-55). */
export function decideAutomatically(state: VerdictState, rules: VerdictRules): VerdictState {
  let next = state
  for (const { id, clauses } of state.arrows)
    for (const { clause } of clauses) {
      const verdict: Verdict = { kind: clause.missing.length === 0 ? 'confirm' : 'defer' }
      const result = decide(next, id, clause.id, verdict, rules)
      if ('state' in result) next = result.state
    }
  return next
}

type DecisionResult = { readonly decision: Decision } | { readonly refused: VerdictRefusal }

function decisionOf(proposed: ProposedClause, verdict: Verdict, rules: VerdictRules): DecisionResult {
  const { clause } = proposed
  switch (verdict.kind) {
    case 'confirm':
      return recorded(clause, rules)
    case 'defer':
      return { decision: { kind: 'deferred', clause } }
    case 'skip':
      return skip(proposed, verdict.reason, rules)
    case 'modify':
      return modify(clause, verdict, rules)
  }
}

function recorded(clause: Clause, { catalogue }: VerdictRules): DecisionResult {
  const { concept, args, missing } = clause
  if (concept === null || missing.length === 0)
    return { decision: { kind: 'recorded', clause: structuredClone(clause) } }
  const names = missing.map((each) => each.split(':', 1)[0]).join(', ')
  const checked = checkArguments(catalogue, concept, args, { allowMissing: true })
  if ('problem' in checked) return refuse('invalid-arguments', checked.problem.message)
  return refuse('clause-required-args-missing', `clause-required-args-missing: ${concept} requires ${names}`)
}

function skip({ clause, isBase }: ProposedClause, reason: string, rules: VerdictRules): DecisionResult {
  if (isBase) return refuse('base-clause-not-skippable')
  const text = oneLine(reason)
  if (text === '') return refuse('residue-required-for-skip')
  const size = Buffer.byteLength(text)
  if (size > rules.residueNoteMaxBytes)
    return refuse('residue-note-too-long', `residue-note-too-long: ${size} > ${rules.residueNoteMaxBytes} bytes`)
  return { decision: { kind: 'skipped', clause, reason: text } }
}

function modify(clause: Clause, verdict: Verdict & { kind: 'modify' }, rules: VerdictRules): DecisionResult {
  const { cost = clause.cost, minTier = clause.minTier, args: changes } = verdict
  if (Object.keys(changes).length > 0 && clause.eval === 'attested') return refuse('modify-attested-no-arguments')
  if (!Number.isSafeInteger(cost)) return refuse('cost-must-be-integer')
  if (cost < clause.cost) return refuse('cannot-weaken-default', 'cannot-weaken-default: lower cost')
  if (minTier < clause.minTier) return refuse('cannot-weaken-default', 'cannot-weaken-default: lower tier')
  const depth = depthProblem(clause.depth, minTier)
  if (depth !== null) return refuse(depth.code, depth.text)
  const merged = mergeArguments(clause, changes, rules)
  if ('refused' in merged) return merged
  const names = [
    ...merged.modified,
    ...(cost === clause.cost ? [] : ['cost']),
    ...(minTier === clause.minTier ? [] : ['min-tier'])
  ]
  if (names.length === 0) return refuse('modified-args-missing')
  const missing = clause.missing.filter((each) => merged.args[each.split(':', 1)[0] ?? ''] === undefined)
  return recorded(
    { ...clause, args: merged.args, cost, minTier: minTier as DepthRank, modified: names.toSorted(), missing },
    rules
  )
}

function mergeArguments(clause: Clause, changes: Args, { catalogue }: VerdictRules) {
  if (clause.concept === null || Object.keys(changes).length === 0) return { args: clause.args, modified: [] }
  const modified = modifyArguments(catalogue, clause.concept, clause.args, changes, { allowMissing: true })
  if (!('refused' in modified)) return modified
  const { code, message } = modified.refused
  return { refused: { code, text: message } }
}

function problemText(problem: { readonly at: string; readonly text: string } | null): string | null {
  return problem === null ? null : `${problem.at}: ${problem.text}`
}

function refuse(code: string, text = code): { readonly refused: VerdictRefusal } {
  return { refused: { code, text } }
}
