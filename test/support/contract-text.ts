import {
  baseScopes,
  type Contract,
  type ContractClause,
  contracts,
  defaultDependencies
} from '../../src/gate/runner/contracts/index.ts'
import type { ArgValue, Layer } from '../../src/protocol/grid.ts'

/** The table of an exit gate as the role documents show it: the same data, for people (ROLE-12). */
export function contractTable(contract: Contract): string {
  return [
    '| Id | Layers | Statement | Concept and args | Eval | Depth | Min tier | Cost | Applies |',
    '|---|---|---|---|---|---|---|---|---|',
    ...contract.clauses.map(row)
  ].join('\n')
}

/** Scope of the base clauses and the dependencies of the arrow that leaves a role. */
export function arrowFacts({ role }: Contract): string {
  const artifacts = defaultDependencies(role).map(({ artifact }) => `\`${artifact}\``)
  return [
    `- Scope of the base clauses: ${role === 'init' ? 'none, there are no base clauses here' : `\`${baseScopes[role]}\``}`,
    `- Dependencies: ${artifacts.length === 0 ? 'none' : artifacts.join(', ')}`
  ].join('\n')
}

export const documentedRoles = Object.keys(contracts) as (keyof typeof contracts)[]

function row(clause: ContractClause): string {
  const { id, layers, statement, depth, minTier, cost, applies } = clause
  const cells = [id, layerText(layers), statement, conceptText(clause), clause.eval, depth, minTier, cost, applies]
  return `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`
}

function conceptText({ concept, args }: ContractClause): string {
  if (concept === null) return '–'
  const shown = Object.entries(args).map(([name, value]) => `${name}=\`${text(value)}\``)
  return [`\`${concept}\``, shown.join(', ')].join(' ')
}

function text(value: ArgValue): string {
  return Array.isArray(value) ? `[${value.join(', ')}]` : String(value)
}

function layerText(layers: readonly Layer[]): string {
  return layers.length === 6 ? '1–6' : layers.join(', ')
}
