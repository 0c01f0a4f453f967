import { type Catalogue, checkArguments, missingArguments } from '../catalogue/index.ts'
import type { Vocabulary } from '../runner/vocabulary.ts'

/** The catalogue as the pure rules of the grid ask about it (GATE-13, GATE-75). */
export function vocabularyOf(catalogue: Catalogue): Vocabulary {
  return {
    problem(concept, args, options) {
      const checked = checkArguments(catalogue, concept, args, options)
      if (!('problem' in checked)) return null
      const { code, message } = checked.problem
      return { at: code === 'unknown-concept' ? 'concept' : 'args', text: message }
    },
    missing(concept, args) {
      const schema = catalogue.get(concept)
      return schema === undefined ? [] : missingArguments(schema, args)
    },
    leastCost: (concept) => catalogue.get(concept)?.defaultCost ?? 0
  }
}
