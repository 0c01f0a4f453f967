import type { Role } from '../../../protocol/grid.ts'
import { analyst } from './analyst.ts'
import { architect } from './architect.ts'
import type { Contract } from './contract.ts'
import { implementer } from './implementer.ts'
import { init } from './init.ts'
import { integrator } from './integrator.ts'

export { baseClauses, baseScopes, defaultDependencies } from './base.ts'
export { contractProblem } from './check.ts'
export { type Contract, type ContractClause, contractRevision } from './contract.ts'

/** The contracts the product ships, by role; nothing adds to them (ROLE-1, ROLE-12). */
export const contracts: Readonly<Record<Role | 'init', Contract>> = {
  init,
  analyst,
  architect,
  implementer,
  integrator
}
