export { type ArtifactOptions, createArtifacts } from './artifacts.ts'
export type { Machine } from './machine.ts'
export { createRegistry, type RegistrationRefused, type Registry } from './registry.ts'
