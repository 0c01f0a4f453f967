export { type BindingProblem, type ReadBinding, readBinding } from './binding.ts'
export { problemOf, type ValueProblem } from './check-value.ts'
export { type ConceptDescription, type ConceptSummary, describeConcept, listConcepts } from './describe.ts'
export type { SchemaSource } from './embedded.ts'
export { CatalogueFailure } from './errors.ts'
export { catalogueOf, loadCatalogue, schemaOf } from './load.ts'
export { type Modified, type ModifyRefusal, modifyArguments } from './modify.ts'
export { readSchemaFolder } from './read-folder.ts'
export type {
  ArgumentProblem,
  ArgumentSchema,
  ArgumentType,
  Catalogue,
  Category,
  CheckedArguments,
  ConceptSchema
} from './types.ts'
export { type CheckOptions, checkArguments, missingArguments } from './validate.ts'
