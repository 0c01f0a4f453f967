export { createModelHooks, type ModelHooks, type ModelHooksOptions } from './wire.ts'
