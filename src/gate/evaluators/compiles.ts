import type { Binding } from '../../protocol/grid.ts'
import { boundCheck } from './bound-check.ts'
import type { Machine } from './machine.ts'

/** The compiler or parser of a language accepts everything in scope (CONC-40…42). */
export const compiles = (machine: Machine, binding: Binding) =>
  boundCheck(machine, binding, ({ pass, details }) => ({ fails: !pass, details }))
