export { createAnalyst } from './analyst.ts'
export { createHookBundle } from './bundle.ts'
export { type Converse, createConverse, packetBytesFor } from './converse.ts'
export { createDefiner } from './definer.ts'
