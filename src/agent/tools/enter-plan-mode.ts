import { z } from 'zod'
import description from './enter-plan-mode.md'
import { defineTool } from './tool.ts'

/** Performed by the session, which owns the mode (SESS-113). */
export const enterPlanMode = defineTool({
  name: 'enter_plan_mode',
  description,
  schema: z.object({ reason: z.string().describe('Why planning is needed') })
})
