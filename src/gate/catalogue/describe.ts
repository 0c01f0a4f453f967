import type { ArgValue } from '../../protocol/grid.ts'
import type { ArgumentSchema, Catalogue, Category, ConceptSchema } from './types.ts'

/** One line of `ghyll concepts` (CONC-6). */
export type ConceptSummary = {
  readonly concept: string
  readonly kind: 'bound' | 'universal'
  readonly category: Category
  readonly 'default-cost': number
}

/** One concept as `ghyll concepts <name>` shows it; the keys are those of the schema file. */
export type ConceptDescription = ConceptSummary & {
  readonly description: string
  readonly arguments: readonly {
    readonly name: string
    readonly type: string
    readonly required: boolean
    readonly default: ArgValue
    readonly accepts: string
    readonly description: string
  }[]
  readonly details: Readonly<Record<string, string>>
  readonly 'edge-cases': readonly string[]
}

/** All concepts in the order of the catalogue (CONC-6). */
export function listConcepts(catalogue: Catalogue): readonly ConceptSummary[] {
  return [...catalogue.values()].map(summaryOf)
}

/** One concept with its argument table, or null when there is none of this name (CONC-6). */
export function describeConcept(catalogue: Catalogue, name: string): ConceptDescription | null {
  const schema = catalogue.get(name)
  if (schema === undefined) return null
  return {
    ...summaryOf(schema),
    description: schema.description,
    arguments: schema.arguments.map((argument) => ({
      name: argument.name,
      type: argument.items === null ? argument.type : `${argument.type} of ${argument.items}`,
      required: argument.required,
      default: argument.default,
      accepts: accepted(argument),
      description: argument.description
    })),
    details: schema.details,
    'edge-cases': schema.edgeCases
  }
}

function summaryOf({ concept, languageBound, category, defaultCost }: ConceptSchema): ConceptSummary {
  return { concept, kind: languageBound ? 'bound' : 'universal', category, 'default-cost': defaultCost }
}

/** Range and members in words; empty when the type says it all. */
function accepted({ range, values, type }: ArgumentSchema): string {
  const parts: string[] = []
  if (values !== null) parts.push(values.join(', '))
  if (range !== null) {
    const what = type === 'list' ? 'elements ' : ''
    if (range.max === null) parts.push(`${what}≥ ${range.min}`)
    else parts.push(range.min === null ? `${what}≤ ${range.max}` : `${what}${range.min}..${range.max}`)
  }
  return parts.join('; ')
}
