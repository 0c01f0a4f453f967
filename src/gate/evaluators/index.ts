export { createArtifacts } from './artifacts.ts'
export type { Machine } from './machine.ts'
export { createRegistry, type Registry } from './registry.ts'
