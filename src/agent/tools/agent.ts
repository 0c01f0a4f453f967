import { z } from 'zod'
import description from './agent.md'
import { defineTool } from './tool.ts'

/** Performed by the session, which owns sub-agents (CTX-080). */
export const agent = defineTool({
  name: 'agent',
  description,
  schema: z.object({ task: z.string().trim().min(1).describe('The whole task: goal, what is known, what to report') })
})
