export { createTools, type ToolOptions } from './create-tools.ts'
