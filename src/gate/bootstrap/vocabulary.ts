import { type Catalogue, checkArguments, missingArguments } from '../catalogue/index.ts'
import type { Vocabulary } from '../runner/vocabulary.ts'

/** The catalogue as the pure rules of the grid ask about it (GATE-13, GATE-75). */
export function vocabularyOf(catalogue: Catalogue): Vocabulary {
  return {
    problem(concept, args, options) {
      const checked = checkArguments(catalogue, concept, args, options)
      return 'problem' in checked ? checked.problem.message : null
    },
    missing(concept, args) {
      const schema = catalogue.get(concept)
      return schema === undefined ? [] : missingArguments(schema, args)
    },
    leastCost: (concept) => catalogue.get(concept)?.defaultCost ?? 0
  }
}
