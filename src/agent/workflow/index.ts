export { openWorkflow } from './workflow.ts'
