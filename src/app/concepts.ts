import {
  type ConceptDescription,
  type ConceptSummary,
  describeConcept,
  listConcepts,
  loadCatalogue
} from '../gate/catalogue/index.ts'

export type { ConceptDescription, ConceptSummary }

/** Every concept the gates can check (CONC-6). */
export function allConcepts(): readonly ConceptSummary[] {
  return listConcepts(loadCatalogue())
}

/** One concept with its arguments, or null when the catalogue has none of this name. */
export function conceptNamed(name: string): ConceptDescription | null {
  return describeConcept(loadCatalogue(), name)
}
