import { splitShellWords } from '../../lib/shell-words.ts'
import type { Args, ArgValue, Clause, DepthRank, DepthType, EvaluationType, Layer } from '../../protocol/grid.ts'
import type { ArgumentType, Catalogue } from '../catalogue/index.ts'
import { parseDepthType } from '../runner/depth.ts'
import { parseSafeYaml } from './safe-yaml.ts'

// What an operator types about a clause, as a value. Nothing is decided here.

export type Pair = readonly [name: string, text: string]

export type Answer =
  | { readonly kind: 'confirm' | 'back' | 'quit' }
  | { readonly kind: 'skip'; readonly reason: string }
  | { readonly kind: 'modify' | 'extend'; readonly pairs: readonly Pair[] }
  /** Not to be parsed: asked again, and nothing is used up (INIT-57). */
  | { readonly kind: 'unclear'; readonly text: string }

/**
 * Reads one answer to a clause: `confirm`, `modify k=v …`, `skip <reason>`, `extend k=v …`, `back`, `quit` (INIT-57); the first letter is
 * enough.
 */
export function parseAnswer(line: string): Answer {
  const [, word = '', rest = ''] = /^\s*(\S*)\s*([\s\S]*?)\s*$/.exec(line) ?? []
  const kind = kinds.find((known) => known === word.toLowerCase() || known.startsWith(word.toLowerCase()))
  if (kind === undefined || word === '')
    return { kind: 'unclear', text: `not understood: ${JSON.stringify(line.trim())}` }
  if (kind === 'skip') return { kind, reason: rest }
  if (kind === 'modify' || kind === 'extend') {
    const pairs = parsePairs(rest)
    return typeof pairs === 'string' ? { kind: 'unclear', text: pairs } : { kind, pairs }
  }
  return rest === '' ? { kind } : { kind: 'unclear', text: `not understood after "${kind}": ${JSON.stringify(rest)}` }
}

const kinds = ['confirm', 'modify', 'skip', 'extend', 'back', 'quit'] as const

/** `name=value` words, quoted as in a shell; a text says what is wrong. */
function parsePairs(text: string): readonly Pair[] | string {
  const split = splitShellWords(text)
  if ('fault' in split) return `not understood: ${split.fault}`
  return pairsOf(split.words)
}

/** `name=value` arguments as they come from a command line (INIT-133); a text says what is wrong. */
export function pairsOf(words: readonly string[]): readonly Pair[] | string {
  const pairs: Pair[] = []
  for (const word of words) {
    const equals = word.indexOf('=')
    if (equals < 1) return `not understood: ${JSON.stringify(word)} is not name=value`
    pairs.push([word.slice(0, equals), word.slice(equals + 1)])
  }
  return pairs
}

/** Values of arguments from their text: YAML for numbers, booleans, lists and maps, the text itself for everything else (CONC-7). */
export function argsFrom(catalogue: Catalogue, concept: string | null, pairs: readonly Pair[]): Args {
  const types = new Map(catalogue.get(concept ?? '')?.arguments.map(({ name, type }) => [name, type]))
  return Object.fromEntries(pairs.map(([name, text]) => [name, valueFrom(types.get(name), text)]))
}

function valueFrom(type: ArgumentType | undefined, text: string): ArgValue {
  if (type === undefined || !structured.has(type)) return text
  const read = parseSafeYaml(text)
  // What is no YAML stays text, and validation says what was wanted.
  return 'value' in read ? ((read.value ?? text) as ArgValue) : text
}

const structured: ReadonlySet<ArgumentType> = new Set([
  'int',
  'number',
  'boolean',
  'list',
  'map',
  'depth-tier',
  'int-or-range'
])

/** The changes of a `modify`: arguments, and `cost` and `min-tier` apart (INIT-58). */
export function modificationFrom(
  catalogue: Catalogue,
  concept: string | null,
  pairs: readonly Pair[]
): { readonly args: Args; readonly cost?: number; readonly minTier?: number } {
  const own = new Map(pairs)
  const cost = own.get('cost')
  const minTier = own.get('min-tier')
  return {
    args: argsFrom(
      catalogue,
      concept,
      pairs.filter(([name]) => name !== 'cost' && name !== 'min-tier')
    ),
    ...(cost === undefined ? {} : { cost: Number(cost) }),
    ...(minTier === undefined ? {} : { minTier: Number(minTier) })
  }
}

/** The clause an `extend` describes, or what of it is wrong (`extension-clause-invalid`). Both axes have to be said (GATE-15). */
export function extensionFrom(
  catalogue: Catalogue,
  pairs: readonly Pair[]
): { readonly clause: Clause } | { readonly problem: string } {
  const own = new Map(pairs)
  const id = own.get('id')
  if (id === undefined) return { problem: 'id is missing' }
  const evaluation = own.get('eval')
  if (evaluation !== 'machine' && evaluation !== 'attested') return { problem: 'eval is machine or attested' }
  const depth = parseDepthType(own.get('depth') ?? '')
  if (depth === null) return { problem: 'depth is depth-robust or depth-sensitive' }
  const concept = own.get('concept') ?? null
  const schema = concept === null ? undefined : catalogue.get(concept)
  if (concept !== null && schema === undefined) return { problem: `unknown concept "${concept}"` }
  const description = own.get('description') ?? schema?.description ?? ''
  if (description.trim() === '') return { problem: 'description is missing' }
  const layers = layersFrom(own.get('layers'))
  if (layers === null) return { problem: 'layers is a list of 1..6' }
  const clause = {
    id,
    description,
    layers,
    eval: evaluation as EvaluationType,
    depth: depth as DepthType,
    minTier: Number(own.get('min-tier') ?? 0) as DepthRank,
    cost: Number(own.get('cost') ?? schema?.defaultCost ?? 1),
    source: 'operator-extension',
    concept,
    args: argsFrom(
      catalogue,
      concept,
      pairs.filter(([name]) => !clauseKeys.has(name))
    ),
    modified: [],
    missing: []
  }
  return { clause }
}

const clauseKeys: ReadonlySet<string> = new Set([
  'id',
  'description',
  'layers',
  'eval',
  'depth',
  'min-tier',
  'cost',
  'concept'
])

function layersFrom(text: string | undefined): readonly Layer[] | null {
  if (text === undefined) return []
  const layers = text
    .replace(/^\[|\]$/g, '')
    .split(',')
    .map((each) => Number(each.trim()))
  return layers.every((layer) => Number.isInteger(layer) && layer >= 1 && layer <= 6) ? (layers as Layer[]) : null
}
