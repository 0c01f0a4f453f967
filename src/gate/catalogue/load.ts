import { assert } from '../../lib/assert.ts'
import { embeddedSchemas, type SchemaSource } from './embedded.ts'
import { CatalogueFailure } from './errors.ts'
import { parseSchema } from './parse-schema.ts'
import type { Catalogue, ConceptSchema } from './types.ts'

/** Concepts altogether, and those among them that need no binding (CONC-2). */
const expected = { total: 18, universal: 11 }

/** The catalogue the product ships (CONC-1, CONC-2). Throws `CatalogueFailure`: a product with a broken catalogue must not start. */
export function loadCatalogue(): Catalogue {
  return catalogueOf(embeddedSchemas)
}

/** The catalogue in these files, which must be the closed set: both counts are checked on their own (CONC-2, CONC-5). */
export function catalogueOf(sources: readonly SchemaSource[]): Catalogue {
  const concepts = new Map<string, ConceptSchema>()
  for (const { file, text } of sources) {
    const schema = parseSchema(file, text)
    if (concepts.has(schema.concept)) throw new CatalogueFailure(file, `concept "${schema.concept}" appears twice`)
    concepts.set(schema.concept, schema)
  }
  const total = concepts.size
  const universal = [...concepts.values()].filter(({ languageBound }) => !languageBound).length
  if (total !== expected.total || universal !== expected.universal)
    throw new CatalogueFailure(
      null,
      `${total} concepts of which ${universal} universal, expected ${expected.total} of which ${expected.universal}`
    )
  return concepts
}

/** The schema of a concept that validation has let through. */
export function schemaOf(catalogue: Catalogue, concept: string): ConceptSchema {
  const schema = catalogue.get(concept)
  assert(schema !== undefined, `unknown concept ${concept}`)
  return schema
}
