export { createModelHooks, type ModelHooks } from './wire.ts'
