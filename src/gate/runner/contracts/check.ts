import type { Args, ArgValue } from '../../../protocol/grid.ts'
import { isClauseId } from '../arrow-id.ts'
import { depthProblem } from '../depth.ts'
import type { Vocabulary } from '../vocabulary.ts'
import type { Contract, ContractClause } from './contract.ts'

/** What is wrong with a contract, or null. A product with a broken one must not make grids (ROLE-13). */
export function contractProblem(contract: Contract, vocabulary: Vocabulary): string | null {
  if (contract.clauses.length === 0) return `contract ${contract.role}: proposal-zero-clauses`
  const seen = new Set<string>()
  for (const clause of contract.clauses) {
    const problem = seen.has(clause.id) ? 'proposal-duplicate-clause-id' : clauseProblem(clause, vocabulary)
    if (problem !== null) return `contract ${contract.role}: clause ${clause.id}: ${problem}`
    seen.add(clause.id)
  }
  return null
}

function clauseProblem(clause: ContractClause, vocabulary: Vocabulary): string | null {
  const { id, statement, depth, minTier, concept, args } = clause
  if (!isClauseId(id)) return 'the id is malformed'
  if (statement.trim() === '') return 'the statement is empty'
  const depthFault = depthProblem(depth, minTier)
  if (depthFault !== null) return depthFault.text
  if (clause.eval === 'attested') return concept === null ? null : 'an attested clause has no concept'
  if (concept === null) return 'a machine clause needs a concept'
  return vocabulary.problem(concept, literal(args), { allowMissing: true })?.text ?? null
}

/** The arguments without those that a project fills in. */
function literal(args: Args): Args {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => !hasPlaceholder(value)))
}

function hasPlaceholder(value: ArgValue): boolean {
  return typeof value === 'string' && /\{[a-z-]+\}/.test(value)
}
