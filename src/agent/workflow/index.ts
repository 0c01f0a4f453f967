export { composePrompt, fitInstructions } from './compose.ts'
export { openWorkflow } from './workflow.ts'
