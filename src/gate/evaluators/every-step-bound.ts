import type { Binding } from '../../protocol/grid.ts'
import { boundCheck } from './bound-check.ts'
import type { Machine } from './machine.ts'

/** Every step, case or branch has a body behind it (CONC-45); a list of unbound ones outweighs the binding's own word. */
export const everyStepBound = (machine: Machine, binding: Binding) =>
  boundCheck(machine, binding, ({ pass, details }) => {
    const { unbound } = details
    return { fails: !pass || (Array.isArray(unbound) && unbound.length > 0), details }
  })
