export { createModelClient, type ModelClient, type ModelClientOptions } from './client.ts'
export { type TimeLimits, timeLimits } from './limits.ts'
