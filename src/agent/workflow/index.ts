export { type Composition, composePrompt, fitInstructions, type Instructions } from './compose.ts'
export { openWorkflow, type Workflow, type WorkflowNotice, type WorkflowOptions } from './workflow.ts'
