import { basename } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { messageOf } from '../../lib/error.ts'
import { argValue } from './arg-value.ts'
import { problemOf } from './check-value.ts'
import { CatalogueFailure } from './errors.ts'
import { type ArgumentSchema, argumentTypes, type Category, type ConceptSchema } from './types.ts'

/** Largest schema file, in bytes (CONC-5). */
export const maxSchemaBytes = 256 * 1024

/** Reads one schema file, strictly: anything it does not know is an error that names the file (CONC-5). */
export function parseSchema(file: string, text: string): ConceptSchema {
  if (Buffer.byteLength(text) > maxSchemaBytes) throw new CatalogueFailure(file, `larger than ${maxSchemaBytes} bytes`)
  const read = schemaFile.safeParse(documentOf(file, text))
  if (!read.success) throw new CatalogueFailure(file, firstIssue(read.error))
  const raw = read.data
  if (`${raw.concept}.yaml` !== basename(file))
    throw new CatalogueFailure(file, `concept "${raw.concept}" differs from the file name`)
  const parsed: ConceptSchema = {
    concept: raw.concept,
    description: raw.description,
    languageBound: raw['language-bound'],
    category: categoryOf(raw.concept),
    arguments: Object.entries(raw.arguments).map(([name, argument]) => ({ name, ...argument })),
    details: raw.evaluator.produces.details,
    defaultCost: raw['default-cost'],
    edgeCases: raw['edge-cases']
  }
  for (const argument of parsed.arguments) checkArgument(file, argument)
  return parsed
}

const baseConcepts: readonly string[] = ['compiles', 'lint-clean', 'every-step-bound', 'no-todo-marker']
const autoInserted: readonly string[] = ['no-open-finding', 'every-requirement-meets-min-depth']

function categoryOf(concept: string): Category {
  if (baseConcepts.includes(concept)) return 'base'
  return autoInserted.includes(concept) ? 'auto-inserted' : 'per-arrow'
}

function documentOf(file: string, text: string): unknown {
  let documents: ReturnType<typeof parseAllDocuments>
  try {
    documents = parseAllDocuments(text, { uniqueKeys: true, strict: true })
  } catch (thrown) {
    throw new CatalogueFailure(file, messageOf(thrown), thrown)
  }
  const [document, ...others] = documents
  if (!Array.isArray(documents) || document === undefined || others.length > 0)
    throw new CatalogueFailure(file, 'must hold exactly one document')
  // Warnings are unknown tags and the like, which a strict reader does not let pass either.
  const problem = document.errors[0] ?? document.warnings[0]
  if (problem !== undefined) throw new CatalogueFailure(file, problem.message.split('\n', 1)[0] ?? '', problem)
  try {
    return document.toJS({ maxAliasCount: 0 })
  } catch (thrown) {
    throw new CatalogueFailure(file, messageOf(thrown), thrown)
  }
}

const bound = z.number().nullable()
const argument = z
  .strictObject({
    type: z.enum(argumentTypes),
    required: z.boolean().default(false),
    default: argValue.default(null),
    description: z.string().min(1),
    range: z.tuple([bound, bound]).nullable().default(null),
    values: z.array(z.string()).min(1).nullable().default(null),
    items: z.enum(argumentTypes).nullable().default(null)
  })
  .transform(({ range, ...rest }) => ({ ...rest, range: range === null ? null : { min: range[0], max: range[1] } }))

const schemaFile = z.strictObject({
  concept: z.string().regex(/^[a-z][a-z-]*$/),
  description: z.string().regex(/^[^\n]+$/),
  'language-bound': z.boolean(),
  arguments: z.record(z.string().regex(/^[a-z][a-z-]*$/), argument),
  evaluator: z.strictObject({
    contract: z.literal('machine'),
    produces: z.strictObject({ pass: z.literal('boolean'), details: z.record(z.string(), z.string()) })
  }),
  'default-cost': z.int().min(0),
  'edge-cases': z.array(z.string())
})

/** What the shape alone does not say: an enum has members, a default fits its own type. */
function checkArgument(file: string, schema: ArgumentSchema): void {
  const fail = (problem: string) => {
    throw new CatalogueFailure(file, `argument ${schema.name}: ${problem}`)
  }
  if (schema.type === 'enum' && schema.values === null) fail('an enum needs values')
  if (schema.items !== null && schema.type !== 'list') fail('only a list has items')
  if (schema.required && schema.default !== null) fail('required, yet with a default')
  const problem = schema.default === null ? null : problemOf(schema, schema.default)
  if (problem !== null) fail(`default: ${problem.message}`)
}

function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0]
  if (issue === undefined) return 'malformed'
  return issue.path.length === 0 ? issue.message : `${issue.path.join('.')}: ${issue.message}`
}
