import type { Args, DepthRank, DepthType, EvaluationType, Layer, Role } from '../../../protocol/grid.ts'

/** Revision of the shipped contracts, written into every grid they make (ROLE-36). */
export const contractRevision = '1'

/** One clause of an exit gate. Strings in `args` may hold the placeholders of ROLE-14. */
export type ContractClause = {
  readonly id: string
  readonly layers: readonly Layer[]
  readonly statement: string
  readonly eval: EvaluationType
  readonly depth: DepthType
  readonly minTier: DepthRank
  /** Operator-action units. */
  readonly cost: number
  /** null for attested clauses. */
  readonly concept: string | null
  readonly args: Args
  readonly applies: 'greenfield' | 'brownfield' | 'both'
}

/** What a role owes when it hands its work on: the clauses of the arrow it is the source of (ROLE-4). */
export type Contract = { readonly role: Role | 'init'; readonly clauses: readonly ContractClause[] }

/** A clause a program decides. */
export function machine(
  id: string,
  layers: readonly Layer[],
  statement: string,
  cost: number,
  concept: string,
  args: Args,
  applies: ContractClause['applies'] = 'both'
): ContractClause {
  return { id, layers, statement, eval: 'machine', depth: 'depth-robust', minTier: 0, cost, concept, args, applies }
}

/** A clause the operator decides; rank 2 unless judging it takes having seen real dependencies (ROLE-19). */
export function attested(
  id: string,
  layers: readonly Layer[],
  statement: string,
  cost: number,
  options: { readonly minTier?: DepthRank; readonly applies?: ContractClause['applies'] } = {}
): ContractClause {
  const { minTier = 2, applies = 'both' } = options
  return {
    id,
    layers,
    statement,
    eval: 'attested',
    depth: 'depth-sensitive',
    minTier,
    cost,
    concept: null,
    args: {},
    applies
  }
}

export const allLayers: readonly Layer[] = [1, 2, 3, 4, 5, 6]
