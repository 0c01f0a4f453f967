export { entriesWithId } from './artifact-ref.ts'
export type { Machine } from './machine.ts'
export { masked } from './mask.ts'
export { createRegistry, type RegistrationRefused, type Registry } from './registry.ts'
