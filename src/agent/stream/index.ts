export { createModelClient, type ModelClient } from './client.ts'
export { type TimeLimits, timeLimits } from './limits.ts'
