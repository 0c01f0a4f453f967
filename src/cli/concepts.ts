import type { ConceptDescription, ConceptSummary } from '../app/concepts.ts'
import { columns, printError } from './print.ts'
import type { Subcommand } from './subcommand.ts'

/** `ghyll concepts [<name>]` (CLI-019b, CONC-6): the catalogue, or the argument table of one concept. Needs no configuration. */
export const conceptsCommand: Subcommand = (program, { act, io }) => {
  program
    .command('concepts')
    .argument('[name]', 'show the arguments of this concept')
    .description('list what the gates can check')
    .option('--json', 'as JSON')
    .action(
      act(async (name: string | undefined, flags: { json?: true }) => {
        const { allConcepts, conceptNamed } = await import('../app/concepts.ts')
        const found = name === undefined ? allConcepts() : conceptNamed(name)
        if (found === null) {
          printError(io, `unknown concept "${name}"`)
          io.err('run "ghyll concepts" for the list\n')
          return 1
        }
        if (flags.json === true) io.out(`${JSON.stringify(found, null, 2)}\n`)
        else io.out('arguments' in found ? asTable(found) : asList(found))
        return 0
      })
    )
}

function asList(concepts: readonly ConceptSummary[]): string {
  const rows = concepts.map((summary) => [
    summary.concept,
    summary.kind,
    summary.category,
    String(summary['default-cost'])
  ])
  return columns([['CONCEPT', 'KIND', 'CATEGORY', 'COST'], ...rows])
}

function asTable(concept: ConceptDescription): string {
  const rows = concept.arguments.map(({ name, type, required, default: fallback, accepts, description }) => [
    name,
    type,
    required ? 'yes' : 'no',
    fallback === null ? '-' : JSON.stringify(fallback),
    accepts === '' ? '-' : accepts,
    description
  ])
  const details = Object.entries(concept.details).map(([name, shape]) => [`  ${name}`, shape])
  const notes = concept['edge-cases'].map((note) => `  - ${note}\n`)
  return [
    `${concept.concept}: ${concept.description}\n`,
    `kind ${concept.kind}, category ${concept.category}, cost ${concept['default-cost']}\n\n`,
    columns([['ARGUMENT', 'TYPE', 'REQUIRED', 'DEFAULT', 'ACCEPTS', 'MEANING'], ...rows]),
    `\ndetails of a result:\n${columns(details)}`,
    `\nworth knowing:\n${notes.join('')}`
  ].join('')
}
