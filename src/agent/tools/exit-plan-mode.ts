import { z } from 'zod'
import description from './exit-plan-mode.md'
import { defineTool } from './tool.ts'

/** Performed by the session, which owns the mode (SESS-113). */
export const exitPlanMode = defineTool({ name: 'exit_plan_mode', description, schema: z.object({}) })
