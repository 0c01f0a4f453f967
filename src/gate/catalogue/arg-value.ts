import { z } from 'zod'
import type { ArgValue } from '../../protocol/grid.ts'

/** The shape of a value that YAML and JSON can both hold (INIT-71); finite numbers only. */
export const argValue: z.ZodType<ArgValue> = z.lazy(() =>
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(argValue), z.record(z.string(), argValue)])
)
