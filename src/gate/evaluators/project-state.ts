import type { GateQueries } from '../../protocol/evaluation.ts'
import { defaultLadder, isSeverity, rankOfLabel } from '../runner/index.ts'
import { Undecided } from './result.ts'
import { severityRank } from './severity.ts'

// The query form `<collection>[<field><op><value>[,…]]` over the gate's state (CONC-82). It can only count.

type Fact = Readonly<Record<string, string | number>>
type Operator = '=' | '!=' | '>=' | '<='
type Condition = { readonly field: string; readonly operator: Operator; readonly value: string }

const fieldsOf: ReadonlyMap<string, readonly string[]> = new Map([
  ['contexts', ['id']],
  ['arrows', ['id', 'source', 'target', 'context', 'stratum', 'status', 'depth']],
  ['findings', ['id', 'arrow', 'type', 'severity', 'status']],
  ['passes', ['id', 'arrow', 'role', 'context', 'state']]
])

/** Number of facts that meet every condition (CONC-82). Throws `Undecided`: `unsupported-query`, or `store-unavailable`. */
export function countInState(query: string, state: GateQueries): number {
  const { collection, conditions } = parseQuery(query)
  const facts = factsOf(collection, state)
  if (facts === null) throw new Undecided('store-unavailable', `no store of ${collection} is attached`)
  return facts.filter((fact) => conditions.every((condition) => meets(fact, condition))).length
}

function parseQuery(query: string): { readonly collection: string; readonly conditions: readonly Condition[] } {
  const [, collection = '', inner = ''] = /^\s*([a-z]+)\[([^[\]]*)\]\s*$/.exec(query) ?? []
  const fields = fieldsOf.get(collection)
  if (fields === undefined) throw unsupported(query)
  const conditions = inner.split(',').map((part): Condition => {
    const [, field = '', operator, value = ''] = /^\s*([a-z]+)\s*(!=|>=|<=|=)\s*(.+?)\s*$/.exec(part) ?? []
    if (operator === undefined || !fields.includes(field)) throw unsupported(query)
    const condition = { field, operator: operator as Operator, value: value.replaceAll('->', '→') }
    if (!isComparable(condition)) throw unsupported(query)
    return condition
  })
  return { collection, conditions }
}

/** An order exists only where there are ranks. */
function isComparable({ field, operator, value }: Condition): boolean {
  if (field === 'severity')
    return isSeverity(value) || (value === 'unevaluated' && !operator.includes('>') && !operator.includes('<'))
  if (field === 'depth') return depthRank(value) !== -1
  return operator === '=' || operator === '!='
}

function factsOf(collection: string, state: GateQueries): readonly Fact[] | null {
  switch (collection) {
    case 'contexts':
      return state.contexts()?.map(({ id }) => ({ id })) ?? null
    case 'arrows':
      return state.arrows()?.map((arrow) => ({ ...arrow })) ?? null
    case 'findings':
      return (
        state.findings(null)?.findings.map(({ id, arrowId, type, severity, status }) => ({
          id,
          arrow: arrowId,
          type,
          severity,
          status
        })) ?? null
      )
    default:
      return state.passes()?.map(({ arrowId, ...pass }) => ({ ...pass, arrow: arrowId })) ?? null
  }
}

function meets(fact: Fact, { field, operator, value }: Condition): boolean {
  const actual = String(fact[field] ?? '')
  switch (operator) {
    case '=':
      return rankOf(field, actual) === rankOf(field, value)
    case '!=':
      return rankOf(field, actual) !== rankOf(field, value)
    default: {
      const [left, right] = [rankOf(field, actual), rankOf(field, value)]
      // What has no rank of its own, such as a severity nobody assigned, lies in no range.
      if (typeof left !== 'number' || typeof right !== 'number') return false
      return operator === '>=' ? left >= right : left <= right
    }
  }
}

function rankOf(field: string, value: string): string | number {
  if (field === 'severity') return isSeverity(value) ? severityRank(value) : value
  return field === 'depth' ? depthRank(value) : value
}

function depthRank(value: string): number {
  return /^[0-3]$/.test(value) ? Number(value) : (rankOfLabel(defaultLadder, value) ?? -1)
}

function unsupported(query: string): Undecided {
  return new Undecided('unsupported-query', `unsupported query: ${query}`)
}
