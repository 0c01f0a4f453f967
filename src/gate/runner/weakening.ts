import type { Arrow, Clause, RoleId } from '../../protocol/grid.ts'
import { contracts } from './contracts/index.ts'
import type { GridProblem, Vocabulary } from './vocabulary.ts'

// A grid raises what the product asks for and never lowers it: not the cost of a clause (GATE-75), and of what it says a role owes by
// default neither the rank nor who decides (ROLE-37). A clause of the operator's own owes nothing to a contract.

/** Where a definition asks for less than catalogue and contract do, or null (GATE-75, ROLE-37). */
export function weakeningOf(
  { sourceRole, clauses }: Pick<Arrow, 'sourceRole' | 'clauses'>,
  vocabulary: Vocabulary
): GridProblem | null {
  for (const [n, clause] of clauses.entries()) {
    const problem = clauseWeakening(clause, vocabulary) ?? contractWeakening(clause, sourceRole)
    if (problem !== null) return { at: `clauses[${n}].${problem.at}`, text: problem.text }
  }
  return null
}

/** Where a machine clause costs less than its concept does, or null (GATE-75). */
export function clauseWeakening(clause: Clause, vocabulary: Vocabulary): GridProblem | null {
  const { eval: evaluation, concept, cost } = clause
  if (evaluation !== 'machine' || concept === null) return null
  const least = vocabulary.leastCost(concept)
  return cost >= least ? null : lowerCost(`${cost}, and ${concept} costs ${least}`)
}

/** Where a clause that is said to be a role's default asks for less than the role's contract, or null. */
function contractWeakening(clause: Clause, source: RoleId): GridProblem | null {
  if (clause.source !== 'role-default' || source === 'adversary') return null
  const owed = contracts[source].clauses.find(({ id }) => id === clause.id)
  if (owed === undefined || owed.eval !== 'attested') return null
  const whose = `${owed.id} of the ${source}`
  if (clause.eval !== 'attested')
    return { at: 'eval', text: `cannot-weaken-default: ${clause.eval}, and ${whose} is attested` }
  if (clause.minTier < owed.minTier)
    return {
      at: 'min-tier',
      text: `cannot-weaken-default: lower tier: ${clause.minTier}, and ${whose} needs ${owed.minTier}`
    }
  return clause.cost >= owed.cost ? null : lowerCost(`${clause.cost}, and ${whose} costs ${owed.cost}`)
}

function lowerCost(detail: string): GridProblem {
  return { at: 'cost', text: `cannot-weaken-default: lower cost: ${detail}` }
}
